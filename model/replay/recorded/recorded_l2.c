#include "model/replay/recorded/recorded_l2.h"

#include "model/result/cycle_stack.h"

bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec) {
  l2->next = 0;
  return l2_slices_init(&l2->slices, spec);
}

void recorded_l2_clear(struct recorded_l2 *l2) {
  l2_slices_clear(&l2->slices);
  *l2 = (struct recorded_l2){0};
}

/* Serves one line. Returns when its service begins, behind all queues that its warp waits for. */
static uint64_t serve_line(struct recorded_l2 *l2, uint16_t use, uint32_t line, uint64_t time) {
  bool there = !(use & PATTERN_FETCHES);
  uint64_t begins = l2_serve(&l2->slices, line, time, 0, &there).begins;
  if (use & PATTERN_PUSHES_OUT)
    l2_write_to_memory(&l2->slices, line, begins);
  if (use & PATTERN_WRITES) {
    const uint64_t taken = l2_write_to_memory(&l2->slices, line, begins);
    if (use & PATTERN_WAITS) {
      l2->slices.waited.dram += taken - begins;
      begins = taken;
    }
  }
  return begins;
}

struct recorded_wait recorded_l2_serve(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                       uint16_t number, uint64_t time) {
  const struct recorded_pattern *pattern = &patterns->patterns[number];
  const struct pattern_line *lines = patterns->lines + pattern->first;
  uint64_t own = time, executed = time;
  for (uint32_t i = 0; i < pattern_lines(pattern); i++) {
    const uint32_t line = l2->next++;
    const uint64_t begins = serve_line(l2, lines[i].use, line, time);
    if (i < pattern->own)
      own = ticks_later(own, begins);
    if (lines[i].operations)
      executed = ticks_later(executed, l2_execute(&l2->slices, line, lines[i].operations, lines[i].rounds, begins));
  }
  return (struct recorded_wait){own - time, executed > own ? executed - own : 0};
}
