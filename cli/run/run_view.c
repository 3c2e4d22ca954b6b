#include "cli/run/run_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const struct {
  const char *key, *label;
} states[HOST_STATES] = {
    [HOST_RUNS] = {"runs_ns", "its own code"},
    [HOST_CALLS] = {"calls_ns", "OpenCL calls"},
    [HOST_SLEEPS] = {"sleeps_ns", "sleeping"},
    [HOST_AWAITS_KERNEL] = {"awaits_kernels_ns", "waiting while the GPU computes"},
    [HOST_AWAITS_TRANSFER] = {"awaits_transfers_ns", "waiting while bytes move"},
    [HOST_AWAITS_GPU] = {"awaits_gpu_ns", "waiting for the GPU to begin or to report"},
};

static void show_host(struct view *view, const struct timed_program *p) {
  static const struct view_column columns[] = {
      {.title = "the host's time"}, {.title = "us", .format = "%.3f", .scale = 1e-3}, {.title = "%", .format = "%.1f"}};
  struct view_list list;
  view_object_begin(view, "host");
  for (size_t i = 0; i < HOST_STATES; i++)
    view_member(view, states[i].key, view_whole((uint64_t)p->state_ns[i]));
  view_object_end(view);
  view_list_begin(view, NULL, columns, 3, &list);
  for (size_t i = 0; i < HOST_STATES; i++)
    if (p->state_ns[i] > 0)
      VIEW_ROW(&list, view_text(states[i].label), view_real((double)p->state_ns[i]),
               view_real(100.0 * (double)p->state_ns[i] / (double)p->total_ns));
  VIEW_ROW(&list, view_text("sum"), view_real((double)p->total_ns), view_real(100));
  view_list_end(&list);
}

/* Commands of one name. */
struct run_group {
  const char *name;
  bool kernel;
  uint64_t count, bytes, unpredicted, sampled;
  int64_t sum_ns, least_ns, most_ns, awaited_ns;
};

struct run_groups {
  struct run_group *items;
  size_t count;
};

static struct run_group *find_group(struct run_groups *g, const struct timed_command *c) {
  const char *name = timed_command_name(c);
  for (size_t i = 0; i < g->count; i++)
    if (strcmp(g->items[i].name, name) == 0 && g->items[i].kernel == (c->kind == COMMAND_KERNEL))
      return &g->items[i];
  if (!array_room_for_one(&g->items, g->count, sizeof *g->items))
    return NULL;
  g->items[g->count] = (struct run_group){.name = name, .kernel = c->kind == COMMAND_KERNEL, .least_ns = INT64_MAX};
  return &g->items[g->count++];
}

static void add_command(struct run_group *g, const struct timed_command *c) {
  const int64_t ns = c->times.end - c->times.start;
  g->count++;
  g->bytes += c->bytes;
  g->unpredicted += g->kernel && ns == 0;
  g->sampled += c->prediction && c->prediction->sampled;
  g->sum_ns += ns;
  g->least_ns = ns < g->least_ns ? ns : g->least_ns;
  g->most_ns = ns > g->most_ns ? ns : g->most_ns;
}

/* Returns false when out of memory. */
static bool make_groups(const struct timed_program *p, struct run_groups *g) {
  for (size_t i = 0; i < p->command_count; i++) {
    struct run_group *group = find_group(g, &p->commands[i]);
    if (!group)
      return false;
    add_command(group, &p->commands[i]);
  }
  for (size_t i = 0; i < p->span_count; i++)
    if (p->spans[i].command != TIMELINE_NONE)
      find_group(g, &p->commands[p->spans[i].command])->awaited_ns += p->spans[i].to - p->spans[i].from;
  return true;
}

static int by_sum(const void *a, const void *b) {
  const struct run_group *first = a, *second = b;
  if (first->sum_ns != second->sum_ns)
    return first->sum_ns < second->sum_ns ? 1 : -1;
  return strcmp(first->name, second->name);
}

static void show_kernels(struct view *view, const struct run_groups *g) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "kernel"},
      {.key = "launches", .title = "launches", .format = "%d"},
      {.key = "sampled", .title = "sampled", .format = "%d"},
      {.key = "unpredicted", .title = "unpredicted", .format = "%d"},
      {.key = "least_ns", .title = "least, us", .format = "%.3f", .scale = 1e-3},
      {.key = "most_ns", .title = "most, us", .format = "%.3f", .scale = 1e-3},
      {.key = "sum_ns", .title = "in all, us", .format = "%.3f", .scale = 1e-3},
      {.key = "awaited_ns", .title = "the host waited, us", .format = "%.3f", .scale = 1e-3},
  };
  struct view_list list;
  view_list_begin(view, "kernels", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < g->count; i++) {
    const struct run_group *k = &g->items[i];
    if (k->kernel)
      VIEW_ROW(&list, view_text(k->name), view_whole(k->count), view_whole(k->sampled), view_whole(k->unpredicted),
               view_real((double)k->least_ns), view_real((double)k->most_ns), view_real((double)k->sum_ns),
               view_real((double)k->awaited_ns));
  }
  view_list_end(&list);
}

/* Launches without a time. */

static bool any_is_missing(const struct predictor *predictor, size_t gpu) {
  for (size_t i = 0; i < predictor->count; i++)
    if (prediction_is_missing(&predictor->predictions[i], gpu))
      return true;
  return false;
}

static uint64_t count_refusals(const struct timed_program *p, const struct prediction *of) {
  for (size_t i = 0; i < p->refusal_count; i++)
    if (p->refusals[i].launch == (uint64_t)of->index)
      return p->refusals[i].count;
  return 0;
}

/* Returns how many commands count as 0 ns because this prediction is missing. */
static uint64_t count_commands(const struct timed_program *p, const struct prediction *of) {
  uint64_t count = 0;
  for (size_t i = 0; i < p->command_count; i++)
    count += p->commands[i].prediction == of;
  return count;
}

static void show_missing(struct view *view, const struct predictor *predictor, size_t gpu,
                         const struct timed_program *p) {
  static const struct view_column columns[] = {
      {.key = "launch", .title = "launch", .format = "%d"},
      {.key = "kernel", .title = "kernel"},
      {.key = "refused", .title = "refused", .format = "%d"},
      {.key = "counted_as_0_ns", .title = "counted as 0 ns", .format = "%d"},
      {.key = "reason", .title = "why it has no time", .last = true},
  };
  struct view_list list;
  if (!any_is_missing(predictor, gpu))
    return;
  view_list_begin(view, "without_time", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < predictor->count; i++) {
    const struct prediction *of = &predictor->predictions[i];
    const char *reason = prediction_is_missing(of, gpu);
    if (reason)
      VIEW_ROW(&list, view_whole((uint64_t)of->index), view_text(of->kernel), view_whole(count_refusals(p, of)),
               view_whole(count_commands(p, of)), view_text(reason));
  }
  view_list_end(&list);
  view_say(view, "\n");
}

static void show_moves(struct view *view, const struct run_groups *g) {
  static const struct view_column columns[] = {
      {.key = "kind", .title = "other commands"},
      {.key = "count", .title = "count", .format = "%d"},
      {.key = "bytes", .title = "bytes", .format = "%d"},
      {.key = "sum_ns", .title = "in all, us", .format = "%.3f", .scale = 1e-3},
      {.key = "awaited_ns", .title = "the host waited, us", .format = "%.3f", .scale = 1e-3},
  };
  struct view_list list;
  view_list_begin(view, "moves", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < g->count; i++) {
    const struct run_group *m = &g->items[i];
    if (!m->kernel)
      VIEW_ROW(&list, view_text(m->name), view_whole(m->count), view_whole(m->bytes), view_real((double)m->sum_ns),
               view_real((double)m->awaited_ns));
  }
  view_list_end(&list);
}

void run_view(struct view *view, const char *name, const struct predictor *predictor, size_t gpu,
              const struct timed_program *p) {
  struct run_groups groups = {0};
  const bool complete = !any_is_missing(predictor, gpu);
  view_member(view, "gpu", view_text(name));
  view_member(view, "total_ns", view_whole((uint64_t)p->total_ns));
  view_member(view, "complete", view_truth(complete));
  view_say(view, "%s: %.3f ms%s\n\n", name, 1e-6 * (double)p->total_ns,
           complete ? "" : ", without the launches that have no time");
  show_host(view, p);
  view->failed = !make_groups(p, &groups) || view->failed;
  qsort(groups.items, groups.count, sizeof *groups.items, by_sum);
  view_say(view, "\n");
  show_kernels(view, &groups);
  view_say(view, "\n");
  show_missing(view, predictor, gpu, p);
  show_moves(view, &groups);
  free(groups.items);
}
