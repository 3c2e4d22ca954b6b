#include "model/replay/recorded/recorded_l2.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec) {
  const uint32_t count = (uint32_t)spec->l2_slices;
  *l2 = (struct recorded_l2){.slices = calloc(count, sizeof *l2->slices),
                             .count = count,
                             .line_ticks = ticks_per(spec->line_bytes, spec->l2_bytes_per_cycle / count),
                             .dram_line_ticks = ticks_per(spec->line_bytes, spec->dram_bytes_per_cycle / count)};
  return l2->slices;
}

void recorded_l2_clear(struct recorded_l2 *l2) {
  free(l2->slices);
  *l2 = (struct recorded_l2){0};
}

uint64_t recorded_l2_serve(struct recorded_l2 *l2, uint32_t lines, uint32_t missed, uint64_t time) {
  uint64_t wait = 0;
  for (uint32_t i = 0; i < lines; i++) {
    struct recorded_slice *slice = &l2->slices[l2->next];
    uint64_t begins = later(time, slice->free);
    l2->next = l2->next + 1 < l2->count ? l2->next + 1 : 0;
    slice->free = begins + l2->line_ticks;
    if (i < missed) {
      begins = later(begins, slice->dram_free);
      slice->dram_free = begins + l2->dram_line_ticks;
    }
    wait = later(wait, begins - time);
  }
  return wait;
}
