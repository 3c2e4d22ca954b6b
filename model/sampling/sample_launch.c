#include "model/sampling/sample_launch.h"

#include <math.h>
#include <stdlib.h>

/* ---- paths ---- */

struct path_facts {
  double work, looped, iterations, executions; /* looped: work of the path's largest loop */
};

static double steps_work(const struct price_list *prices, const struct trace_step *steps, uint32_t count) {
  double work = 0;
  for (uint32_t i = 0; i < count; i += 1 + steps[i].body)
    work += steps[i].body > 0 ? steps[i].repeat * steps_work(prices, steps + i + 1, steps[i].body)
                              : (double)prices->blocks[steps[i].block].total;
  return work;
}

static struct path_facts path_look(const struct price_list *prices, const struct trace_path *path) {
  struct path_facts facts = {.iterations = 1};
  for (uint32_t i = 0; i < path->step_count; i += 1 + path->steps[i].body) {
    const struct trace_step *step = &path->steps[i];
    const double work = steps_work(prices, step, 1 + step->body);
    facts.work += work;
    if (step->body > 0 && work > facts.looped) {
      facts.looped = work;
      facts.iterations = step->repeat;
    }
  }
  for (uint32_t i = 0; i < path->site_count; i++)
    facts.executions = fmax(facts.executions, (double)trace_nest_of(path, i)->executions);
  return facts;
}

/* ---- shapes: the work of all work-groups of one shape ---- */

/* Adds the work of `groups` work-groups of the shape. Returns the work of one. */
static double add_shape(struct sample_launch *launch, const struct trace_shape *shape, double groups,
                        const struct path_facts *paths) {
  double group_work = 0;
  for (uint32_t i = 0; i < shape->cohort_count; i++) {
    const struct path_facts *path = &paths[shape->cohorts[i].path];
    const double items = shape->cohorts[i].item_count, work = groups * items * path->work;
    group_work += items * path->work;
    launch->longest = fmax(launch->longest, path->work);
    launch->looped += groups * items * path->looped;
    launch->iterations += work * path->iterations;
    launch->executions += work * path->executions;
  }
  launch->work += groups * group_work;
  launch->heaviest = fmax(launch->heaviest, group_work);
  return group_work;
}

static void add_shapes(struct sample_launch *launch, const struct gpu_replay *replay, const struct path_facts *paths,
                       double *shape_work) {
  const struct trace *trace = replay->trace;
  double *groups = shape_work; /* the array is overwritten below */
  for (uint32_t i = 0; i < trace->group_count; i++)
    groups[trace->groups[i].shape]++;
  for (uint32_t i = 0; i < trace->shape_count; i++)
    if (groups[i] > 0) {
      trace_shape_read(trace, i);
      shape_work[i] = add_shape(launch, trace->shapes[i], groups[i], paths);
    }
}

/* ---- cores ---- */

/* Divides the work among cores. If all work-groups fit at once, cores take them from one queue in turn. */
static bool divide_work(struct sample_launch *launch, const struct gpu_replay *replay, const double *shape_work) {
  const struct trace *trace = replay->trace;
  const struct dispatch_order_ops *order =
      launch->waves <= 1 && !replay->order->own ? dispatch_orders[DISPATCH_ROUND_ROBIN] : replay->order;
  if (!order->own)
    return true;
  launch->core_work = calloc(replay->core_count, sizeof *launch->core_work);
  for (uint32_t core = 0; core < replay->core_count && launch->core_work; core++) {
    struct dispatch_range range = order->own(core, replay->core_count, trace->group_count);
    while (range.next < range.end)
      launch->core_work[core] += shape_work[trace->groups[dispatch_take(&range)].shape];
  }
  return launch->core_work;
}

/* Returns the lines of all memory that the launch can use. Private and local memory is that of all resident
 * work-groups. */
static double all_lines(const struct gpu_replay *replay) {
  const struct trace_header *header = &replay->trace->header;
  const double group = (double)replay->local_stride + (double)replay->private_stride * trace_local_size(header);
  const double line = (double)replay->spec->line_bytes;
  double lines = group * replay->group_places * replay->core_count / line;
  for (uint32_t i = 0; i < header->buffer_count; i++)
    lines += ceil(header->buffers[i].bytes / line) + 1;
  return lines;
}

/* Turns sums into means. */
static void finish(struct sample_launch *launch, const struct gpu_replay *replay) {
  const double groups = replay->trace->group_count, items = groups * trace_local_size(&replay->trace->header);
  if (launch->work <= 0)
    return;
  launch->heaviest /= launch->work / groups;
  launch->longest /= launch->work / items;
  launch->looped /= launch->work;
  launch->iterations /= launch->work;
  launch->executions /= launch->work;
}

bool sample_launch_init(struct sample_launch *launch, const struct gpu_replay *replay) {
  const struct trace *trace = replay->trace;
  struct path_facts *paths = calloc(trace->path_count + 1u, sizeof *paths);
  double *shape_work = calloc(trace->shape_count + 1u, sizeof *shape_work);
  *launch = (struct sample_launch){.waves = trace->group_count / ((double)replay->group_places * replay->core_count)};
  bool done = paths && shape_work;
  for (uint32_t i = 0; i < trace->path_count && done; i++) {
    trace_path_read(trace, i);
    paths[i] = path_look(replay->context->prices, trace->paths[i]);
  }
  if (done)
    add_shapes(launch, replay, paths, shape_work);
  launch->lines = all_lines(replay);
  done = done && divide_work(launch, replay, shape_work);
  free(paths);
  free(shape_work);
  finish(launch, replay);
  return done;
}

void sample_launch_clear(struct sample_launch *launch) {
  free(launch->core_work);
  *launch = (struct sample_launch){0};
}
