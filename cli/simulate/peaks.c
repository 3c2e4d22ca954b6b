#include "cli/simulate/peaks.h"

#include <stdio.h>

#include "model/result/cycle_stack.h"

/* From this share on a unit is what binds the kernel (assumed; queues rarely let a unit reach more than 0.9). */
static const double bound_share = 0.6;

struct peak {
  const char *name, *unit;
  double used, most; /* most 0: the description has no limit */
};

enum { PEAKS = 6 };

static double per(double amount, double cycles) {
  return cycles > 0 ? amount / cycles : 0;
}

/* Mean work-items on a core; 0 where the replay was not observed. */
static double resident_items(const struct observer *o) {
  double sum = 0;
  for (uint32_t c = 0; c < o->core_count; c++)
    sum += (double)o->cores[c].resident;
  return o->ticks > 0 && o->core_count > 0 ? sum / (double)o->ticks / o->core_count : 0;
}

static void measure(const struct gpu_spec *spec, const struct replay_kernel *kernel, struct peak peaks[PEAKS]) {
  const struct sim_result *r = &kernel->result;
  const double cores = (double)spec->cores,
               moved = (double)(r->counters.l1_l2_read_bytes + r->counters.l1_l2_written_bytes);
  const struct peak all[PEAKS] = {
      {"execution engines issue", "of the time", per(r->stack.issue + r->stack.divergence, r->cycles), 1},
      {"L1", "transactions a cycle and core", per((double)r->counters.l1_accesses, r->cycles * cores),
       spec->lsu_transactions_per_cycle},
      {"L1 to L2", "bytes a cycle and core", per(moved, r->cycles * cores), spec->l1_l2_bytes_per_cycle},
      {"L2", "bytes a cycle", per(moved, r->cycles), spec->l2_bytes_per_cycle},
      {"memory", "bytes a cycle", per((double)r->counters.dram_bytes, r->cycles), spec->dram_bytes_per_cycle},
      {"work-items on a core", "resident", resident_items(&kernel->observer), (double)spec->threads_per_core}};
  for (int i = 0; i < PEAKS; i++)
    peaks[i] = all[i];
}

static double share_of(const struct peak *peak) {
  return peak->most > 0 ? peak->used / peak->most : 0;
}

/* Returns what binds the kernel: the unit with the largest share, or what its engines wait for most. Residents bind
 * nothing by themselves. */
static const char *bound_of(const struct peak peaks[PEAKS], const struct sim_result *r) {
  double values[SIM_STACK_COUNT];
  int best = 0;
  size_t waits = STACK_pipe;
  for (int i = 1; i < PEAKS - 1; i++)
    best = share_of(&peaks[i]) > share_of(&peaks[best]) ? i : best;
  if (share_of(&peaks[best]) >= bound_share)
    return peaks[best].name;
  sim_stack_values(&r->stack, values);
  for (size_t c = STACK_pipe; c < SIM_STACK_COUNT; c++)
    waits = values[c] > values[waits] ? c : waits;
  return sim_stack_names[waits];
}

void peaks_show(const struct gpu_spec *spec, const struct replay_kernel *kernel, struct view *view) {
  static const struct view_column columns[] = {{.key = "name", .title = "share of the peak"},
                                               {.key = "used", .title = "used", .format = "%.3g"},
                                               {.key = "most", .title = "at most", .format = "%.4g"},
                                               {.key = "unit", .title = ""},
                                               {.key = "share", .title = "%", .format = "%.0f", .scale = 100}};
  struct peak peaks[PEAKS];
  struct view_list list;
  measure(spec, kernel, peaks);
  view_say(view, "\n");
  view_list_begin(view, "peaks", columns, sizeof columns / sizeof columns[0], &list);
  for (int i = 0; i < PEAKS; i++)
    VIEW_ROW(&list, view_text(peaks[i].name), view_real(peaks[i].used),
             peaks[i].most > 0 ? view_real(peaks[i].most) : view_null(), view_text(peaks[i].unit),
             peaks[i].most > 0 ? view_real(share_of(&peaks[i])) : view_null());
  view_list_end(&list);
  const char *bound = bound_of(peaks, &kernel->result);
  view_member(view, "bound", view_text(bound));
  view_say(view, "bound by: %s\n", bound);
}
