#include "model/replay/recorded/recorded_l2.h"

#include "model/replay/one_core.h"
#include "model/result/cycle_stack.h"

bool recorded_l2_init(struct recorded_l2 *l2, const struct gpu_spec *spec) {
  *l2 = (struct recorded_l2){.spread = cycles_to_ticks(ONE_CORE_SPREAD_CYCLES * (double)spec->cores),
                             .line_ticks = ticks_per(spec->line_bytes, spec->l2_bytes_per_cycle),
                             .dram_line_ticks = ticks_per(spec->line_bytes, spec->dram_bytes_per_cycle)};
  return l2_slices_init(&l2->slices, spec);
}

void recorded_l2_clear(struct recorded_l2 *l2) {
  l2_slices_clear(&l2->slices);
  *l2 = (struct recorded_l2){0};
}

/* Serves one line. Returns the time at which its service begins, behind all queues that its warp waits for. */
static uint64_t serve_line(struct recorded_l2 *l2, uint16_t use, uint32_t line, uint64_t time) {
  bool there = !(use & PATTERN_FETCHES);
  uint64_t begins = l2_serve(&l2->slices, line, 1, time, 0, &there).begins;
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

/* ---- one core in place of all ---- */

static void queue_add(struct shared_queue *queue, uint64_t ticks, double others) {
  shared_queue_add(queue, ticks, (uint64_t)(others * (double)ticks));
}

/* Returns the ticks that an atomic's operations wait and take, after the first one begins at L2. */
static uint64_t execute_for_all(struct recorded_l2 *l2, const struct pattern_line *lines, uint32_t count,
                                uint64_t time) {
  const struct l2_slices *slices = &l2->slices;
  uint64_t all = 0, last = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t operations = lines[i].operations, rounds = lines[i].rounds;
    if (operations == 0)
      continue;
    last = all + ticks_later((operations - 1) * slices->atomic_ticks, (rounds - 1) * slices->round_ticks);
    all += ticks_later(operations * slices->atomic_ticks, rounds * slices->round_ticks);
  }
  if (all == 0)
    return 0;
  last += shared_queue_until(&l2->atomics, time, l2->spread);
  queue_add(&l2->atomics, all / l2_atomic_units(slices), l2->others.executed);
  return last;
}

struct recorded_wait recorded_l2_serve_for_all(struct recorded_l2 *l2, const struct recorded_patterns *patterns,
                                               uint16_t number, uint64_t time) {
  const struct recorded_pattern *pattern = &patterns->patterns[number];
  uint64_t wait = 0;
  if (l2->line_ticks > 0) {
    wait = shared_queue_until(&l2->l2, time, l2->spread) + (pattern->own > 1 ? pattern->own - 1u : 0u) * l2->line_ticks;
    queue_add(&l2->l2, pattern_lines(pattern) * l2->line_ticks, l2->others.lines);
  }
  l2->slices.waited.l2 += wait;
  const uint32_t moved = (uint32_t)pattern->reads + pattern->writes;
  if (l2->dram_line_ticks > 0 && moved > 0) {
    const uint64_t behind = shared_queue_until(&l2->dram, time, l2->spread);
    const uint64_t dram = pattern->missed > 0 ? behind + (pattern->missed - 1u) * l2->dram_line_ticks : 0;
    l2->slices.waited.dram += dram > wait ? dram - wait : 0;
    wait = ticks_later(wait, dram);
    queue_add(&l2->dram, moved * l2->dram_line_ticks, l2->others.moved);
  }
  const uint64_t executed = execute_for_all(l2, patterns->lines + pattern->first, pattern->own, time);
  return (struct recorded_wait){wait, executed > wait ? executed - wait : 0};
}
