#include "tracegen/bifrost/job/descriptors.h"

#include <inttypes.h>
#include <string.h>

#include "tracegen/bifrost/job/products.h"

/* The part of a compute job from JOB_DRAW on, in words. */
enum draw_word {
  DRAW_UNIFORM_BUFFERS = 6,
  DRAW_TEXTURES = 8,
  DRAW_SAMPLERS = 10,
  DRAW_PUSH_UNIFORMS = 12,
  DRAW_STATE = 14,
  DRAW_ATTRIBUTE_BUFFERS = 16,
  DRAW_ATTRIBUTES = 18,
  DRAW_THREAD_STORAGE = 28,
};

/* The renderer state, in words. */
enum state_word {
  STATE_SHADER = 0,
  STATE_TEXTURES = 2,   /* low half: samplers, high half: textures */
  STATE_ATTRIBUTES = 3, /* low half */
  STATE_PROPERTIES = 4, /* bits 0 to 7: uniform buffers; 11: barrier; 12 and 13, version 7: registers */
  STATE_PRELOAD = 12,   /* bits 6 to 14: enum bifrost_preload; 15 to 21: words of fast access uniforms */
  STATE_WORDS = 16,
};

/* Local storage, in words. */
enum storage_word {
  STORAGE_TLS = 0, /* bits 0 to 4: log2 of 16-byte units */
  STORAGE_WLS = 1, /* bits 0 to 4: log2 of instances; 8 to 12: 1 + log2 of bytes */
  STORAGE_TLS_BASE = 2,
  STORAGE_WLS_BASE = 4,
  STORAGE_WORDS = 8,
};

#define NO_WORKGROUP_MEMORY 31u /* instances of a job without local storage of work-groups */
#define PRELOAD_IDS         0x7fc0u
#define REGISTERS_32        2u /* in the properties */

struct job_reader {
  const struct bifrost_memory *memory;
  uint64_t job;
  struct error *error;
};

static int refuse(const struct job_reader *r, const char *what) {
  return error_set(r->error, ERROR_WORK, "the job at 0x%" PRIx64 " %s", r->job, what);
}

static int read_words(const struct job_reader *r, uint64_t address, uint32_t *out, size_t words, const char *what) {
  const uint8_t *from = bifrost_memory_at(r->memory, address, words * sizeof *out);
  if (!from)
    return refuse(r, what);
  memcpy(out, from, words * sizeof *out);
  return 0;
}

static uint64_t address_at(const uint32_t *words) {
  return words[0] | (uint64_t)words[1] << 32;
}

/* Returns one more than the bits [low, high) of `packed`. */
static uint32_t packed_size(uint32_t packed, uint32_t low, uint32_t high) {
  const uint64_t mask = (UINT64_C(1) << (high - low)) - 1;
  return 1 + (uint32_t)((uint64_t)packed >> low & mask);
}

/* The six sizes lie behind each other in one word; the second word says at which bit each but the first begins. */
static int read_grid(const struct job_reader *r, const uint32_t *payload, struct bifrost_dispatch *out) {
  const uint32_t packed = payload[0], shifts = payload[1];
  const uint32_t at[7] = {0, shifts & 31, shifts >> 5 & 31, shifts >> 10 & 63, shifts >> 16 & 63, shifts >> 22 & 63,
                          32};
  for (int i = 0; i < 6; i++)
    if (at[i] > at[i + 1])
      return refuse(r, "packs its sizes in a way that is not understood");
  for (int d = 0; d < 3; d++) {
    out->local[d] = packed_size(packed, at[d], at[d + 1]);
    out->groups[d] = packed_size(packed, at[3 + d], at[4 + d]);
  }
  return 0;
}

static void take_state(const uint32_t *state, struct bifrost_dispatch *out) {
  const uint32_t properties = state[STATE_PROPERTIES];
  out->shader = address_at(state + STATE_SHADER);
  out->sampler_count = state[STATE_TEXTURES] & 0xffff;
  out->texture_count = state[STATE_TEXTURES] >> 16;
  out->attribute_count = state[STATE_ATTRIBUTES] & 0xffff;
  out->uniform_buffer_count = properties & 0xff;
  out->has_barrier = properties >> 11 & 1;
  out->registers = out->architecture >= 7 && (properties >> 12 & 3) == REGISTERS_32 ? 32 : 64;
  out->preload = state[STATE_PRELOAD] & PRELOAD_IDS;
  out->fau_count = state[STATE_PRELOAD] >> 15 & 127;
}

static int read_storage(const struct job_reader *r, uint64_t address, struct bifrost_dispatch *out) {
  uint32_t words[STORAGE_WORDS];
  if (!address)
    return 0;
  if (read_words(r, address, words, STORAGE_WORDS, "has its local storage outside of the GPU's memory") != 0)
    return -1;
  out->tls_base = address_at(words + STORAGE_TLS_BASE);
  out->tls_bytes = out->tls_base ? 16u << (words[STORAGE_TLS] & 15) : 0;
  out->wls_base = address_at(words + STORAGE_WLS_BASE);
  if ((words[STORAGE_WLS] & 31) == NO_WORKGROUP_MEMORY || !out->wls_base || !(words[STORAGE_WLS] >> 8 & 31))
    return 0;
  out->wls_instances = 1u << (words[STORAGE_WLS] & 31);
  out->wls_bytes = 1u << ((words[STORAGE_WLS] >> 8 & 31) - 1);
  return 0;
}

static int read_uniforms(const struct job_reader *r, uint64_t address, struct bifrost_dispatch *out) {
  if (!out->fau_count)
    return 0;
  return read_words(r, address, (uint32_t *)out->fau, (size_t)out->fau_count * 2,
                    "has its fast access uniforms outside of the GPU's memory");
}

int bifrost_compute_job_read(const struct bifrost_memory *memory, uint32_t product, uint64_t address,
                             struct bifrost_dispatch *out, struct error *error) {
  const struct job_reader r = {memory, address, error};
  const struct bifrost_product *gpu = bifrost_product_by_id(product);
  uint32_t job[JOB_COMPUTE_WORDS], state[STATE_WORDS];
  const uint32_t *draw = job + JOB_DRAW;
  *out = (struct bifrost_dispatch){.memory = memory, .product = product};
  if (!gpu)
    return error_set(error, ERROR_WORK, "product 0x%x is not a Bifrost GPU that can be emulated", product);
  out->architecture = gpu->architecture;
  out->warp_lanes = gpu->warp_lanes;
  if (read_words(&r, address, job, JOB_COMPUTE_WORDS, "is not in the GPU's memory") != 0 ||
      read_words(&r, address_at(draw + DRAW_STATE), state, STATE_WORDS, "has no state in the GPU's memory") != 0 ||
      read_grid(&r, job + JOB_PAYLOAD, out) != 0)
    return -1;
  take_state(state, out);
  out->uniform_buffers = address_at(draw + DRAW_UNIFORM_BUFFERS);
  out->textures = address_at(draw + DRAW_TEXTURES);
  out->samplers = address_at(draw + DRAW_SAMPLERS);
  out->attributes = address_at(draw + DRAW_ATTRIBUTES);
  out->attribute_buffers = address_at(draw + DRAW_ATTRIBUTE_BUFFERS);
  if (read_uniforms(&r, address_at(draw + DRAW_PUSH_UNIFORMS), out) != 0)
    return -1;
  return read_storage(&r, address_at(draw + DRAW_THREAD_STORAGE), out);
}
