#include "tracegen/bifrost/job/job_chain.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "tracegen/bifrost/job/descriptors.h"

#define MAX_JOBS 65536 /* job indices have 16 bits */

/* The kinds of values that a job of kind "write value" writes. */
enum write_kind {
  WRITE_CYCLES = 1,
  WRITE_TIME = 2,
  WRITE_ZERO = 3,
  WRITE_8_BITS = 4,
  WRITE_16_BITS = 5,
  WRITE_32_BITS = 6,
  WRITE_64_BITS = 7,
};

/* Payload of such a job, in words. */
enum write_word { WRITE_ADDRESS = 0, WRITE_KIND = 2, WRITE_VALUE = 4 };

static uint64_t address_at(const uint32_t *words) {
  return words[0] | (uint64_t)words[1] << 32;
}

/* Returns 0 for a kind that there is not. */
static uint32_t written_bytes(uint32_t kind) {
  switch (kind) {
  case WRITE_CYCLES:
  case WRITE_TIME:
  case WRITE_ZERO:
  case WRITE_64_BITS:
    return 8;
  case WRITE_32_BITS:
    return 4;
  case WRITE_16_BITS:
    return 2;
  case WRITE_8_BITS:
    return 1;
  default:
    return 0;
  }
}

static uint64_t value_of(const uint32_t *words, bool has_clock) {
  const uint32_t kind = words[JOB_PAYLOAD + WRITE_KIND];
  if (kind == WRITE_CYCLES || kind == WRITE_TIME)
    return has_clock ? (uint64_t)clock_nanoseconds() : 0;
  return kind == WRITE_ZERO ? 0 : address_at(words + JOB_PAYLOAD + WRITE_VALUE);
}

static int write_value(const struct bifrost_memory *memory, uint64_t job, bool has_clock, struct error *error) {
  uint32_t words[JOB_WRITE_WORDS];
  const uint8_t *from = bifrost_memory_at(memory, job, sizeof words);
  uint64_t value;
  uint32_t bytes, kind;
  uint8_t *to;
  if (!from)
    return error_set(error, ERROR_WORK, "the job at 0x%" PRIx64 " is not in the GPU's memory", job);
  memcpy(words, from, sizeof words);
  kind = words[JOB_PAYLOAD + WRITE_KIND];
  bytes = written_bytes(kind);
  to = bifrost_memory_at(memory, address_at(words + JOB_PAYLOAD + WRITE_ADDRESS), bytes);
  if (!bytes || !to)
    return error_set(error, ERROR_WORK, "the job at 0x%" PRIx64 " writes a value outside of the GPU's memory", job);
  value = value_of(words, has_clock);
  memcpy(to, &value, bytes);
  return 0;
}

static int run_compute(const struct bifrost_memory *memory, uint32_t product, uint64_t job,
                       const struct bifrost_job_handler *handler, struct error *error) {
  struct bifrost_dispatch dispatch;
  if (bifrost_compute_job_read(memory, product, job, &dispatch, error) != 0)
    return -1;
  return handler->dispatch(handler->context, &dispatch, error);
}

static int run_job(const struct bifrost_memory *memory, uint32_t product, uint64_t job, uint32_t kind,
                   const struct bifrost_job_handler *handler, struct error *error) {
  switch (kind) {
  case JOB_NULL:
  case JOB_CACHE_FLUSH:
    return 0;
  case JOB_WRITE_VALUE:
    return write_value(memory, job, handler->has_clock, error);
  case JOB_COMPUTE:
    return run_compute(memory, product, job, handler, error);
  default:
    return error_set(error, ERROR_WORK, "the job at 0x%" PRIx64 " is of kind %u; only compute jobs can be run", job,
                     kind);
  }
}

int bifrost_job_chain_run(const struct bifrost_memory *memory, uint32_t product, uint64_t first,
                          const struct bifrost_job_handler *handler, struct error *error) {
  uint32_t head[JOB_HEAD_WORDS];
  unsigned jobs = 0;
  for (uint64_t job = first; job; job = address_at(head + JOB_NEXT)) {
    const uint8_t *from = bifrost_memory_at(memory, job, sizeof head);
    if (!from)
      return error_set(error, ERROR_WORK, "the job at 0x%" PRIx64 " is not in the GPU's memory", job);
    if (jobs++ == MAX_JOBS)
      return error_set(error, ERROR_WORK, "the job chain at 0x%" PRIx64 " has no end", first);
    memcpy(head, from, sizeof head);
    if (run_job(memory, product, job, head[JOB_CONTROL] >> 1 & 127, handler, error) != 0)
      return -1;
  }
  return 0;
}
