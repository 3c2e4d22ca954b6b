#include "model/ports/scratchpad.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

bool scratchpad_init(struct scratchpad *pad, const struct gpu_spec *spec, uint32_t most_bytes) {
  *pad = (struct scratchpad){.on = spec->local_memory == LOCAL_SCRATCHPAD};
  if (!pad->on)
    return true;
  pad->banks = (uint32_t)spec->scratchpad_banks;
  pad->parts = access_parts_of(spec);
  pad->word = line_size_make((uint32_t)spec->scratchpad_word_bytes);
  pad->latency_ticks = cycles_to_ticks(spec->scratchpad_cycles);
  pad->pass_ticks = cycles_to_ticks(spec->scratchpad_pass_cycles);
  pad->words = calloc(coalesce_capacity(&pad->word, (uint32_t)spec->warp_size, most_bytes), sizeof *pad->words);
  pad->in_bank = calloc(pad->banks, sizeof *pad->in_bank);
  return pad->words && pad->in_bank && known_passes_init(&pad->known);
}

void scratchpad_clear(struct scratchpad *pad) {
  free(pad->words);
  free(pad->in_bank);
  known_passes_clear(&pad->known);
  *pad = (struct scratchpad){0};
}

/* Returns the passes of lanes that are served together. */
static uint32_t passes_together(struct scratchpad *pad, struct lane_addresses *lanes, bool share) {
  uint32_t most = 0;
  uint32_t count =
      share ? coalesce_lines(&pad->word, lanes, pad->words) : coalesce_off_lines(&pad->word, lanes, pad->words);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t in_bank = ++pad->in_bank[pad->words[i] % pad->banks];
    most = in_bank > most ? in_bank : most;
  }
  for (uint32_t i = 0; i < count; i++)
    pad->in_bank[pad->words[i] % pad->banks] = 0;
  return most;
}

/* Returns whether each lane i of [first, first + count) reads what lane i xor `distance` reads, if both take part. */
static bool lanes_agree(const struct lane_addresses *all, uint32_t first, uint32_t count, uint32_t distance) {
  uint64_t address[COALESCE_MAX_LANES];
  uint64_t lanes = all->lanes;
  for (uint32_t i = 0; lanes; lanes &= lanes - 1, i++) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(lanes), partner = lane ^ distance;
    address[lane] = all->affine ? all->first + (uint64_t)(all->stride * i) : all->address[i];
    if (lane >= first && lane < first + count && partner >= first && partner < lane && all->lanes >> partner & 1 &&
        address[partner] != address[lane])
      return false;
  }
  return true;
}

/* Returns how many lanes are served together from `first` on: one part, or two that count as one. */
static uint32_t lanes_together(const struct lane_addresses *all, uint32_t first, uint32_t part, bool load) {
  const bool pair = load && first / part % 2 == 0;
  return pair && (lanes_agree(all, first, 2 * part, 1) || lanes_agree(all, first, 2 * part, 2)) ? 2 * part : part;
}

/* Returns the passes of one instruction of a wide access. */
static uint32_t passes_of_instruction(struct scratchpad *pad, const struct lane_addresses *all, uint32_t from,
                                      uint32_t bytes, bool load) {
  const uint32_t part = access_part_lanes(&pad->parts, bytes);
  struct lane_addresses lanes;
  uint32_t passes = 0;
  for (uint32_t first = 0, count; first < COALESCE_MAX_LANES; first += count) {
    count = lanes_together(all, first, part, load);
    access_part_take(all, first, count, from, bytes, &lanes);
    if (lanes.count > 0)
      passes += passes_together(pad, &lanes, true);
  }
  return passes;
}

uint32_t scratchpad_passes(struct scratchpad *pad, struct lane_addresses *lanes, enum trace_op_class op_class,
                           bool share) {
  uint32_t passes = 0, bytes;
  if (op_class == OP_ATOMIC || lanes->bytes <= pad->parts.whole_bytes)
    return passes_together(pad, lanes, share);
  for (uint32_t from = 0; from < lanes->bytes; from += bytes) {
    bytes = access_instruction_bytes(&pad->parts, lanes->bytes, from);
    passes += passes_of_instruction(pad, lanes, from, bytes, op_class == OP_LOAD);
  }
  return passes;
}

uint64_t scratchpad_serve(const struct scratchpad *pad, struct pass_port *port, uint64_t now, uint32_t passes) {
  return pass_port_take(port, now, passes, pad->pass_ticks) - now + pad->latency_ticks;
}
