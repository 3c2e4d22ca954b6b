/* Messages: loads, stores and barriers; atomic operations are in atomic_message.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/exec/image_message.h"

#define MOST_ACCESS_BYTES 16

/* The treatment of a lane's bytes by a load or store. */
struct transfer {
  uint32_t bytes; /* in memory */
  uint8_t part;   /* of a load: the part of a register that it writes, V_* */
  uint8_t extend; /* V_SEXT, V_ZEXT or other: the other bits of the part stay */
  uint8_t first;  /* staging register */
};

static enum trace_space space_of(uint8_t segment) {
  return segment == V_WLS   ? SPACE_LOCAL
         : segment == V_TL  ? SPACE_PRIVATE
         : segment == V_UBO ? SPACE_CONSTANT
                            : SPACE_GLOBAL;
}

static uint8_t *within(uint8_t *data, uint64_t size, uint64_t offset, uint32_t bytes) {
  return offset <= size && bytes <= size - offset ? data + offset : NULL;
}

static uint8_t *private_memory(struct bifrost_runner *runner, uint64_t offset, uint32_t bytes, unsigned lane) {
  uint64_t size = runner->dispatch->tls_bytes;
  return within(runner->private + size * (runner->at.first_item + lane), size, offset, bytes);
}

uint8_t *gpu_memory(struct bifrost_runner *runner, uint64_t address, uint32_t bytes, unsigned lane) {
  struct memory_window *window = runner->window;
  const struct bifrost_region *region;
  if (address - window->first < window->bytes && bytes <= window->bytes - (address - window->first))
    return window->data + (address - window->first);
  if (address >= LOCAL_WINDOW)
    return within(runner->local, runner->dispatch->wls_bytes, address - LOCAL_WINDOW, bytes);
  if (address >= PRIVATE_WINDOW)
    return private_memory(runner, address - PRIVATE_WINDOW, bytes, lane);
  region = bifrost_memory_region(runner->dispatch->memory, address, bytes);
  if (!region)
    return NULL;
  *window = (struct memory_window){region->address, region->bytes, region->data};
  return window->data + (address - window->first);
}

/* A uniform buffer's descriptor: 12 bits, the number of its 16-byte entries less 1; 52 bits, its address / 16. Reads
 * beyond its end give zeros, as the GPU's do. */
static uint8_t *uniform_buffer(struct bifrost_runner *runner, uint32_t offset, uint32_t index, uint32_t bytes) {
  static uint8_t zeros[MOST_ACCESS_BYTES];
  const struct bifrost_dispatch *dispatch = runner->dispatch;
  const uint8_t *entry = index < dispatch->uniform_buffer_count
                             ? gpu_memory(runner, dispatch->uniform_buffers + 8 * (uint64_t)index, 8, 0)
                             : NULL;
  uint64_t descriptor;
  if (!entry)
    return NULL;
  memcpy(&descriptor, entry, sizeof descriptor);
  if ((uint64_t)offset + bytes > ((descriptor & 0xfff) + 1) * 16)
    return zeros;
  return gpu_memory(runner, (descriptor >> 12 << 4) + offset, bytes, 0);
}

static uint8_t *lane_memory(struct bifrost_runner *runner, uint8_t segment, uint32_t low, uint32_t high, uint32_t bytes,
                            unsigned lane) {
  switch (segment) {
  case V_WLS:
    return within(runner->local, runner->dispatch->wls_bytes, low, bytes);
  case V_TL:
    return private_memory(runner, low, bytes, lane);
  case V_UBO:
    return uniform_buffer(runner, low, high, bytes);
  default:
    return gpu_memory(runner, low | (uint64_t)high << 32, bytes, lane);
  }
}

static void announce(struct bifrost_runner *runner, const struct shader_slot *slot, unsigned tuple, uint32_t bytes,
                     const struct lanes *const *sources) {
  uint8_t segment = slot->instruction.modifier[T_SEG];
  struct bifrost_access access = {.op_class = slot->instruction.operation->op_class,
                                  .space = (uint8_t)space_of(segment),
                                  .bytes = (uint16_t)bytes,
                                  .tuple = (uint8_t)tuple};
  bool is_global = access.space == SPACE_GLOBAL;
  for (int i = 0; i < WARP_LANES; i++)
    access.address[i] = sources[0]->at[i] | (is_global ? (uint64_t)sources[1]->at[i] << 32 : 0);
  if (is_global && access.address[__builtin_ctz(runner->at.lanes)] >= LOCAL_WINDOW) {
    access.space = SPACE_LOCAL;
    for (int i = 0; i < WARP_LANES; i++)
      access.address[i] -= LOCAL_WINDOW;
  }
  runner->listener.access(runner->listener.context, &runner->at, &access);
}

/* Returns the bits of a part that the loaded bits fill; *shift becomes where it begins. */
static uint32_t part_bits(uint8_t part, unsigned *shift) {
  *shift = 0;
  if (part >= V_B0 && (part == V_B0 || part == V_B1 || part == V_B2 || part == V_B3)) {
    *shift = part == V_B0 ? 0 : part == V_B1 ? 8 : part == V_B2 ? 16 : 24;
    return 0xff;
  }
  *shift = part == V_H1 ? 16 : 0;
  return part == V_H0 || part == V_H1 ? 0xffff : UINT32_MAX;
}

static uint32_t extended(uint32_t value, const struct transfer *transfer) {
  uint32_t bits = 8 * transfer->bytes;
  if (transfer->extend == V_SEXT && bits < 32 && value >> (bits - 1) & 1)
    value |= UINT32_MAX << bits;
  return value;
}

static void load_lane(struct warp *warp, const struct transfer *transfer, const uint8_t *memory, unsigned lane) {
  uint32_t words[MOST_ACCESS_BYTES / 4] = {0}, mask;
  uint32_t count = (transfer->bytes + 3) / 4;
  unsigned shift;
  memcpy(words, memory, transfer->bytes);
  words[0] = extended(words[0], transfer);
  if (transfer->part == V_D0)
    words[count++] = transfer->extend == V_SEXT && words[0] >> 31 ? UINT32_MAX : 0;
  mask = part_bits(transfer->part, &shift);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *old = &warp->values[(transfer->first + i) & 63].at[lane];
    *old = (*old & ~(mask << shift)) | (words[i] & mask) << shift;
  }
}

static void store_lane(const struct warp *warp, const struct transfer *transfer, uint8_t *memory, unsigned lane) {
  uint32_t words[MOST_ACCESS_BYTES / 4];
  for (uint32_t i = 0; i < MOST_ACCESS_BYTES / 4; i++)
    words[i] = warp->values[(transfer->first + i) & 63].at[lane];
  memcpy(memory, words, transfer->bytes);
}

static int bad_address(struct bifrost_runner *runner, const struct operation *operation, uint8_t segment, uint32_t low,
                       uint32_t high, unsigned lane) {
  static const char *const where[] = {[SPACE_GLOBAL] = "GPU memory",
                                      [SPACE_CONSTANT] = "the uniform buffers",
                                      [SPACE_LOCAL] = "work-group memory",
                                      [SPACE_PRIVATE] = "private memory"};
  enum trace_space space = space_of(segment);
  return lane_error(runner, lane, "%s at 0x%" PRIx64 " is outside of %s", operation->name,
                    low | (space == SPACE_GLOBAL ? (uint64_t)high << 32 : 0), where[space]);
}

/* Finds the memory of each active lane. */
static int find_memory(struct bifrost_runner *runner, const struct shader_slot *slot, uint32_t bytes,
                       const struct lanes *const *sources, uint8_t **memory) {
  uint8_t segment = slot->instruction.modifier[T_SEG];
  for (unsigned i = 0; i < WARP_LANES; i++) {
    if (!(runner->at.lanes >> i & 1))
      continue;
    memory[i] = lane_memory(runner, segment, sources[0]->at[i], sources[1]->at[i], bytes, i);
    if (!memory[i])
      return bad_address(runner, slot->instruction.operation, segment, sources[0]->at[i], sources[1]->at[i], i);
  }
  return 0;
}

static void transfer_lanes(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot,
                           uint8_t *const *memory, uint32_t bytes) {
  const struct transfer transfer = {.bytes = bytes,
                                    .part = slot->instruction.modifier[T_LANE_DEST],
                                    .extend = slot->instruction.modifier[T_EXTEND],
                                    .first = runner->shader->clauses[runner->at.clause].header.staging_register};
  for (unsigned i = 0; i < WARP_LANES; i++)
    if (runner->at.lanes >> i & 1 && slot->action == ACTION_LOAD)
      load_lane(warp, &transfer, memory[i], i);
    else if (runner->at.lanes >> i & 1)
      store_lane(warp, &transfer, memory[i], i);
}

static int run_barrier(struct bifrost_runner *runner, struct warp *warp) {
  if (runner->at.lanes != warp->alive)
    return lane_error(runner, 0, "not all work-items of the warp reach the barrier together");
  warp->waiting = warp->alive;
  if (runner->listener.barrier)
    runner->listener.barrier(runner->listener.context, &runner->at);
  return 0;
}

int message_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_tuple *tuple, unsigned number,
                const struct lanes *const *sources) {
  const struct shader_slot *slot = &tuple->slots[UNIT_ADD];
  uint32_t bytes = slot->bytes;
  uint8_t *memory[WARP_LANES] = {NULL};
  runner->window = &runner->windows[tuple - runner->shader->tuples];
  if (slot->action == ACTION_BARRIER)
    return run_barrier(runner, warp);
  if (slot->action >= ACTION_IMAGE_ADDRESS)
    return image_message_run(runner, warp, slot, number, sources);
  if (find_memory(runner, slot, bytes, sources, memory))
    return -1;
  if (runner->listener.access)
    announce(runner, slot, number, bytes, sources);
  if (slot->action == ACTION_ATOMIC)
    return atomic_run(runner, warp, tuple, memory);
  transfer_lanes(runner, warp, slot, memory, bytes);
  return 0;
}
