#include "model/retime/many/retime_estimate.h"

#include <assert.h>
#include <math.h>

/* The parts of an estimate. Those up to PART_ATOMIC keep engines busy or let warps wait, the next ones are queues. */
enum part {
  PART_ISSUE,
  PART_STORE,
  PART_L1,
  PART_L2,
  PART_DRAM,
  PART_BARRIER,
  PART_PORTS,
  PART_ATOMIC,
  PART_LSU,
  PART_LINK,
  PART_L2_RATE,
  PART_DRAM_RATE,
  PART_LAUNCH,
  PART_GROUPS,
  PART_L1_LINES, /* not a part of the time: the lines that miss L1 and L2 */
  PART_L2_LINES,
  PART_COUNT
};

static_assert((int)PART_COUNT <= (int)SURFACE_MOST_DIMENSIONS, "a part is a coordinate");

/* Weights of coordinates, found by trying: of the shares of queues, because a launch that one of them limits behaves
 * differently; and of the logarithms of lines that miss, because launches with equal shares may still miss other lines.
 */
#define QUEUES_WEIGHT 2
#define LINES_WEIGHT  0.1
/* Sets the ticks for which all engines together are busy, divided by their number. */
static void set_busy(const struct retime_prices *prices, double engines, double parts[PART_COUNT]) {
  const tick_sum *stack = prices->stack;
  parts[PART_ISSUE] = (double)(stack[STACK_issue] + stack[STACK_divergence]) / engines;
  parts[PART_STORE] = (double)stack[STACK_store] / engines;
  parts[PART_L1] = (double)stack[STACK_l1] / engines;
  parts[PART_L2] = (double)stack[STACK_l2] / engines;
  parts[PART_DRAM] = (double)stack[STACK_dram] / engines;
  parts[PART_BARRIER] = (double)stack[STACK_barrier] / engines;
  parts[PART_PORTS] = (double)(stack[STACK_local] + stack[STACK_uniform]) / engines;
  parts[PART_ATOMIC] = (double)stack[STACK_atomic] / engines;
}

static double sum_up_to(const double parts[PART_COUNT], enum part last) {
  double sum = 0;
  for (int i = 0; i <= (int)last; i++)
    sum += parts[i];
  return sum;
}

static double resident_warps(const struct retime_recording *r, const struct gpu_spec *spec) {
  const double groups = fmin((double)r->group_count, (double)spec->cores * r->group_places);
  return groups * r->warps_per_group;
}

/* Adds the latencies for which `warps` wait without an engine, divided by their number. */
static void add_latencies(const struct retime_prices *prices, const struct retime_columns *at, double warps,
                          double parts[PART_COUNT]) {
  const struct event_column_sums *sums = prices->columns->sums;
  parts[PART_L1] += (double)prices->l1_lines * (double)prices->rates.l1 / warps;
  parts[PART_L2] += (double)(sums[at->l1].awaited + prices->atomics) * (double)prices->rates.l2 / warps;
  parts[PART_DRAM] += (double)sums[at->l2].awaited * (double)prices->rates.dram / warps;
}

/* Sets the ticks that the queues of a core and those that all cores share take at their rates. */
static void set_queues(const struct retime_recording *r, const struct retime_prices *prices,
                       const struct gpu_spec *spec, double parts[PART_COUNT]) {
  const struct pattern_traffic *t = &prices->traffic;
  const double cores = (double)spec->cores;
  const double at_l1 = (double)(prices->l1_lines + prices->store_lines);
  const double at_l2 = (double)(r->patterns_on ? t->to_l2 + t->from_l2 : prices->l2.accesses);
  const double at_dram = (double)(r->patterns_on ? t->reads + t->writes : prices->l2.misses);
  parts[PART_LSU] = at_l1 / cores * (double)ticks_per(1, spec->lsu_transactions_per_cycle);
  parts[PART_LINK] = at_l2 / cores * (double)ticks_per(spec->line_bytes, spec->l1_l2_bytes_per_cycle);
  parts[PART_L2_RATE] = at_l2 * (double)ticks_per(spec->line_bytes, spec->l2_bytes_per_cycle);
  parts[PART_DRAM_RATE] = at_dram * (double)ticks_per(spec->line_bytes, spec->dram_bytes_per_cycle);
}

/* Returns the eighth power of a bound, divided by the largest one, so that it neither overflows nor vanishes. */
static double eighth_power(double bound, double largest) {
  const double one = bound / largest, two = one * one, four = two * two;
  return four * four;
}

/* Returns a smooth maximum: the 8-norm. */
static double smooth_maximum(const double *bounds, int count) {
  double largest = 0, sum = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, bounds[i]);
  for (int i = 0; i < count && largest > 0; i++)
    sum += eighth_power(bounds[i], largest);
  return largest * sqrt(sqrt(sqrt(sum)));
}

struct timing_estimate timing_estimate_of(const struct retime_recording *r, const struct retime_prices *prices,
                                          const struct gpu_spec *spec, const struct retime_columns *at, double own) {
  const double engines = (double)(spec->cores * spec->execution_engines), warps = resident_warps(r, spec);
  double parts[PART_COUNT] = {0};
  struct timing_estimate estimate = {0};
  set_busy(prices, engines, parts);
  const double busy = sum_up_to(parts, PART_ATOMIC);
  if (!prices->rates.blocking)
    add_latencies(prices, at, warps, parts);
  const double waits = sum_up_to(parts, PART_ATOMIC) - busy;
  set_queues(r, prices, spec, parts);
  const double bounds[] = {own > 0 ? own / (double)spec->execution_engines : busy,
                           waits > 0 ? waits + busy * engines / warps : 0,
                           parts[PART_LSU],
                           parts[PART_LINK],
                           parts[PART_L2_RATE],
                           parts[PART_DRAM_RATE]};
  parts[PART_LAUNCH] = (double)cycles_to_ticks(spec->launch_cycles);
  parts[PART_GROUPS] = (double)cycles_to_ticks(spec->work_group_cycles) * (double)r->group_count / (double)spec->cores;
  estimate.ticks = parts[PART_LAUNCH] + smooth_maximum(bounds, sizeof bounds / sizeof *bounds);
  for (int i = 0; i < PART_COUNT && estimate.ticks > 0; i++)
    estimate.shares[i] = parts[i] / estimate.ticks;
  for (int i = PART_LSU; i <= PART_DRAM_RATE; i++)
    estimate.shares[i] *= QUEUES_WEIGHT;
  estimate.shares[PART_L1_LINES] = LINES_WEIGHT * log1p((double)prices->l1.misses);
  estimate.shares[PART_L2_LINES] = LINES_WEIGHT * log1p((double)prices->l2.misses);
  return estimate;
}
