#include "model/sampling/sampled_launch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/policy/dispatch.h"
#include "model/replay/one_core.h"
#include "model/replay/simulation.h"
#include "model/sampling/group_pattern.h"
#include "model/warp/occupancy.h"

/* More work-groups than needed are replayed up to this many instructions of work-items, and of warps. Both bounds are
 * less than about a second: a replay costs by warps, which have many work-items or one. */
#define WORK_REPLAYED      3e8
#define WARP_WORK_REPLAYED 1e7

#define LEAST_BOUND  0.08
#define LATE_CORE    0.25
#define OTHER_GROUPS 0.25
#define MISSES       3
#define CLEARLY      1.02
#define UNEVEN_WAVES 3 /* a common queue divides a launch of fewer full waves unevenly */

/* The data of one call. */
struct sampled_launch {
  const struct trace *trace;
  const struct gpu_spec *spec;
  struct group_pattern pattern;
  struct one_core_launch core;
  uint32_t launch_groups, places;                 /* work-groups of the launch; places for work-groups on a core */
  uint64_t instructions;                          /* instructions of all work-items of the launch */
  uint64_t class_work[GROUP_PATTERN_CLASSES + 1]; /* instructions of warps in a work-group, by class */
  bool uneven;                                    /* a common queue may give a core more than its even share */
  struct trace part;                              /* the trace with the replayed work-groups of one core */
  uint32_t *numbers;                              /* numbers of all these work-groups */
  int32_t (*step)[3];
};

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a sampled launch");
}

/* ---- the launch ---- */

static uint64_t group_instructions(const struct trace *trace, uint32_t shape) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < trace->shapes[shape]->cohort_count; i++) {
    const struct trace_cohort *cohort = &trace->shapes[shape]->cohorts[i];
    sum += cohort->item_count * trace->paths[cohort->path]->op_executions;
  }
  return sum;
}

/* Writes the instructions of warps in a work-group of the shape to *sum: each warp executes the path of each of its
 * cohorts. */
static int warp_instructions(const struct sampled_launch *s, uint32_t index, uint64_t *sum, struct error *error) {
  const struct trace_shape *shape = s->trace->shapes[index];
  uint32_t *warp_of = calloc(shape->cohort_count, sizeof *warp_of);
  if (!warp_of)
    return no_memory(error);
  *sum = 0;
  for (uint32_t item = 0; item < trace_local_size(&s->trace->header); item++) {
    const uint32_t cohort = shape->cohort_of_item[item], warp = item / (uint32_t)s->spec->warp_size + 1;
    if (warp_of[cohort] != warp)
      *sum += s->trace->paths[shape->cohorts[cohort].path]->op_executions;
    warp_of[cohort] = warp;
  }
  free(warp_of);
  return 0;
}

static int count_instructions(struct sampled_launch *s, struct error *error) {
  uint64_t counts[GROUP_PATTERN_CLASSES + 1];
  group_pattern_count(&s->pattern, counts);
  for (unsigned i = 0; i <= GROUP_PATTERN_CLASSES; i++)
    if (s->pattern.classes[i].known) {
      s->instructions += counts[i] * group_instructions(s->trace, s->pattern.classes[i].shape);
      if (warp_instructions(s, s->pattern.classes[i].shape, &s->class_work[i], error))
        return -1;
    }
  return 0;
}

/* Sets the steps of a class's operations that no earlier class has set. */
static void set_steps(struct sampled_launch *s, const struct group_class *class, bool *set) {
  const struct trace_shape *shape = s->trace->shapes[class->shape];
  for (uint32_t i = 0; i < shape->cohort_count; i++) {
    const struct trace_cohort *cohort = &shape->cohorts[i];
    const struct trace_path *path = s->trace->paths[cohort->path];
    for (uint32_t site = 0; site < path->site_count; site++) {
      const uint32_t op = path->sites[site].op, stream = cohort->first_stream + site;
      const bool affine = trace_stream_of(s->trace, cohort, site).kind == STREAM_AFFINE;
      const uint64_t number = affine ? stream : class->stream_count + class->numbers[stream];
      for (int d = 0; d < 3 && !set[op]; d++)
        s->step[op][d] = (int32_t) class->step[number][d];
      set[op] = true;
    }
  }
}

/* Sets the steps of operations. The classes with most work-groups come first: the inside of the range, then its faces,
 * edges and corners. */
static int learn_steps(struct sampled_launch *s, struct error *error) {
  uint64_t counts[GROUP_PATTERN_CLASSES + 1];
  bool *set = calloc(s->trace->code.op_count + 1u, sizeof *set), used[GROUP_PATTERN_CLASSES + 1] = {false};
  s->step = calloc(s->trace->code.op_count + 1u, sizeof *s->step);
  if (!set || !s->step) {
    free(set);
    return no_memory(error);
  }
  group_pattern_count(&s->pattern, counts);
  for (;;) {
    int most = -1;
    for (int i = 0; i <= GROUP_PATTERN_CLASSES; i++)
      if (s->pattern.classes[i].known && !used[i] && (most < 0 || counts[i] > counts[most]))
        most = i;
    if (most < 0)
      break;
    used[most] = true;
    set_steps(s, &s->pattern.classes[most], set);
  }
  free(set);
  return 0;
}

/* ---- the work-groups of one core ---- */

static uint32_t rounded_up(uint32_t groups, uint32_t cores) {
  return (uint32_t)((groups + (uint64_t)cores - 1) / cores);
}

/* Returns the id of a work-group of a core. The ids of work-groups that it takes in place of other cores begin again at
 * the first. */
static uint32_t id_of(const struct sampled_launch *s, uint32_t core, uint32_t index) {
  const bool chunked = s->spec->dispatch == DISPATCH_CHUNKED;
  const uint64_t id =
      chunked ? (uint64_t)core * s->core.stride + index : core + (uint64_t)index * (uint64_t)s->spec->cores;
  return (uint32_t)(id % s->launch_groups);
}

/* Returns the instructions of warps in the first `count` work-groups of a core, or 0 if it runs fewer, or they are not
 * known. */
static uint64_t core_work(const struct sampled_launch *s, uint32_t core, uint32_t count) {
  uint64_t sum = 0;
  if (s->spec->dispatch == DISPATCH_CHUNKED ? (uint64_t)core * s->core.stride + count > s->launch_groups
                                            : core + (count - 1) * (uint64_t)s->spec->cores >= s->launch_groups)
    return 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct group_class *class = group_pattern_class(&s->pattern, id_of(s, core, i));
    sum += class ? s->class_work[class - s->pattern.classes] : 0;
  }
  return sum;
}

/* Returns the core that has most to do, which ends last. Of several that are about as busy, it is one in the middle,
 * because the lines of the first and the last core have often been fetched by the others. */
static uint32_t busiest_core(const struct sampled_launch *s, uint32_t count) {
  const uint32_t cores = (uint32_t)s->spec->cores;
  uint64_t most = 0;
  uint32_t busiest = 0;
  for (uint32_t i = 0; i < cores; i++) {
    const uint32_t core = (cores / 2 + i) % cores;
    const uint64_t work = core_work(s, core, count);
    if ((double)work > CLEARLY * (double)most) {
      most = work;
      busiest = core;
    }
  }
  return busiest;
}

/* Returns the least number of the core's work-groups from which the time of all follows: all, or as many as fill its
 * places more than twice and leave as many of them empty at the end as the launch does. */
static uint32_t least_groups(const struct sampled_launch *s) {
  const uint32_t all = s->core.core_groups, places = s->places;
  const uint64_t least = 2 * (uint64_t)places + (all - 1) % places + 1;
  return least < all ? (uint32_t)least : all;
}

/* Returns how many of the core's work-groups are replayed. */
static uint32_t replayed_groups(const struct sampled_launch *s) {
  const uint32_t all = s->core.core_groups, places = s->places;
  const double most = fmin(WORK_REPLAYED, WARP_WORK_REPLAYED * (double)s->spec->warp_size);
  const double work = (double)s->instructions / s->launch_groups;
  uint32_t count = least_groups(s);
  if (s->core.answers)
    return count;
  while (count < all && (count + places) * work <= most)
    count += places;
  return count < all ? count : all;
}

static int not_alike(const struct sampled_launch *s, uint32_t id, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "kernel '%s': from the %u work-groups of the trace does not follow what work-group %u of %u does: "
                   "they are not alike, or too few; trace the launch with --groups auto, or whole",
                   s->trace->header.kernel, s->trace->group_count, id, s->launch_groups);
}

static int make_part(struct sampled_launch *s, struct error *error) {
  const uint32_t count = replayed_groups(s);
  uint64_t room = 0, at = 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct group_class *class = group_pattern_class(&s->pattern, id_of(s, s->core.core, i));
    if (!class)
      return not_alike(s, id_of(s, s->core.core, i), error);
    room += class->stream_count + class->value_count;
  }
  s->part.groups = calloc(count, sizeof *s->part.groups);
  s->numbers = malloc((room + 1) * sizeof *s->numbers);
  if (!s->part.groups || !s->numbers)
    return no_memory(error);
  for (uint32_t i = 0; i < count; i++) {
    const struct group_class *class = group_pattern_class(&s->pattern, id_of(s, s->core.core, i));
    group_pattern_fill(&s->pattern, class, id_of(s, s->core.core, i), s->numbers + at, &s->part.groups[i]);
    at += class->stream_count + class->value_count;
  }
  s->part.group_count = count;
  s->part.work_item_instructions = s->instructions;
  return 0;
}

/* Sets the number of work-groups of the core that runs most of them. Cores that take from one queue may free several
 * places at about the same time: in a launch of few waves some core takes one more than its even share. */
static void set_most_groups(struct sampled_launch *s) {
  const uint32_t even = s->core.core_groups;
  const uint64_t wave = (uint64_t)s->spec->cores * s->places;
  const bool one_queue = !dispatch_orders[s->spec->dispatch]->own;
  s->uneven = one_queue && s->launch_groups > wave && s->launch_groups < UNEVEN_WAVES * wave && even % s->places != 0;
  s->core.core = busiest_core(s, even);
  s->core.core_groups = even + s->uneven;
}

static uint64_t most_of_a_class(const struct sampled_launch *s) {
  uint64_t counts[GROUP_PATTERN_CLASSES + 1], most = 0;
  group_pattern_count(&s->pattern, counts);
  for (unsigned i = 0; i <= GROUP_PATTERN_CLASSES; i++)
    most = s->pattern.classes[i].known && counts[i] > most ? counts[i] : most;
  return most;
}

/* Sets the bound, which held for launches that were also replayed whole (docs/sampling.md). It grows with these
 * differences: a core that has more to do than the others comes later, and finds in L2 the lines that they have
 * fetched; another work-group on the core; work-groups at the borders of the range, of which each core has others, and
 * odd ones; the misses of a short launch, which fall on few cores. */
static void set_bound(struct sampled_launch *s) {
  const double groups = s->launch_groups, cores = (double)s->spec->cores;
  s->core.bound = LEAST_BOUND + LATE_CORE * (cores * ceil(groups / cores) / groups - 1) +
                  OTHER_GROUPS * (1 - (double)most_of_a_class(s) / groups) + group_pattern_odd_share(&s->pattern) +
                  (s->uneven ? 1.0 / s->core.core_groups : 0);
  s->core.bound_ticks = (uint64_t)((s->spec->l1_miss_cycles + s->spec->l2_miss_cycles) * MISSES * TICKS_PER_CYCLE);
}

static void set_launch(struct sampled_launch *s) {
  const bool chunked = s->spec->dispatch == DISPATCH_CHUNKED;
  const uint32_t cores = (uint32_t)s->spec->cores;
  s->launch_groups = trace_launch_groups(&s->trace->header);
  s->core.core_groups = rounded_up(s->launch_groups, cores);
  s->core.stride = chunked ? s->core.core_groups : 1;
  s->core.step = (const int32_t(*)[3])s->step;
  for (int d = 0; d < 3; d++)
    s->core.groups[d] = (uint32_t)s->pattern.groups[d];
  struct trace whole = *s->trace;
  whole.group_count = s->core.core_groups;
  s->places = occupancy_groups(&whole, s->spec);
  set_most_groups(s);
  s->core.recorded_groups = s->places > 0 ? least_groups(s) : 0;
  set_bound(s);
}

/* ---- the replay ---- */

static int run(struct sampled_launch *s, const struct isa_profile *isa, struct sim_result *out, struct error *error) {
  const struct replay_options options = {.one_core = &s->core};
  if (gpu_spec_check(s->spec, error) || group_pattern_learn(&s->pattern, s->trace, error) || learn_steps(s, error) ||
      count_instructions(s, error))
    return -1;
  set_launch(s);
  if (s->places > 0 && make_part(s, error))
    return -1;
  if (simulation_run(s->places > 0 ? &s->part : s->trace, isa, s->spec, &options, out, error))
    return -1;
  out->sampled_groups = s->trace->group_count;
  out->launch_groups = s->launch_groups;
  return 0;
}

/* Simulates the launch. `record` and `answers` are as in struct one_core_launch. */
static int simulate_launch(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                           struct l2_answers *record, const struct l2_answers *answers, struct sim_result *out,
                           struct error *error) {
  struct sampled_launch s = {
      .trace = trace, .spec = spec, .part = *trace, .core.record = record, .core.answers = answers};
  s.part.groups = NULL;
  const int status = run(&s, isa, out, error);
  group_pattern_clear(&s.pattern);
  free(s.part.groups);
  free(s.numbers);
  free(s.step);
  return status;
}

int sampled_launch_simulate(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                            struct sim_result *out, struct error *error) {
  return simulate_launch(trace, isa, spec, NULL, NULL, out, error);
}

int sampled_launch_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct l2_answers *answers, struct sim_result *out, struct error *error) {
  return simulate_launch(trace, isa, spec, answers, NULL, out, error);
}

int sampled_launch_again(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                         const struct l2_answers *answers, struct sim_result *out, struct error *error) {
  return simulate_launch(trace, isa, spec, NULL, answers, out, error);
}
