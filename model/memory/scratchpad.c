#include "model/memory/scratchpad.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

bool scratchpad_init(struct scratchpad *pad, const struct gpu_spec *spec, uint32_t most_bytes) {
  *pad = (struct scratchpad){.on = spec->local_memory == LOCAL_SCRATCHPAD};
  if (!pad->on)
    return true;
  pad->banks = (uint32_t)spec->scratchpad_banks;
  pad->word = line_size_make((uint32_t)spec->scratchpad_word_bytes);
  pad->latency_ticks = cycles_to_ticks(spec->scratchpad_cycles);
  pad->pass_ticks = cycles_to_ticks(spec->scratchpad_pass_cycles);
  pad->words = calloc(coalesce_capacity(&pad->word, (uint32_t)spec->warp_size, most_bytes), sizeof *pad->words);
  pad->in_bank = calloc(pad->banks, sizeof *pad->in_bank);
  return pad->words && pad->in_bank;
}

void scratchpad_clear(struct scratchpad *pad) {
  free(pad->words);
  free(pad->in_bank);
  *pad = (struct scratchpad){0};
}

uint32_t scratchpad_passes(struct scratchpad *pad, struct lane_addresses *lanes, bool atomic) {
  uint32_t most = 0;
  uint32_t count =
      atomic ? coalesce_off_lines(&pad->word, lanes, pad->words) : coalesce_lines(&pad->word, lanes, pad->words);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t in_bank = ++pad->in_bank[pad->words[i] % pad->banks];
    most = in_bank > most ? in_bank : most;
  }
  for (uint32_t i = 0; i < count; i++)
    pad->in_bank[pad->words[i] % pad->banks] = 0;
  return most;
}

uint64_t scratchpad_serve(struct scratchpad *pad, uint64_t now, uint32_t passes) {
  uint64_t begin = pad->free > now ? pad->free : now;
  pad->free = begin + passes * pad->pass_ticks;
  return begin - now + (passes - 1) * pad->pass_ticks + pad->latency_ticks;
}
