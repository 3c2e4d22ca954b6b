#include "cli/simulate/detail.h"

#include <stdlib.h>

#include "cli/replay/view_remarks.h"
#include "model/result/cycle_stack.h"

enum { SHOWN_LINES = 10, SHOWN_CORES = 64 };

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* ---- source lines ---- */

struct line {
  uint32_t line;
  struct observed_op sum;
};

static int by_line(const void *a, const void *b) {
  const uint32_t x = ((const struct line *)a)->line, y = ((const struct line *)b)->line;
  return (x > y) - (x < y);
}

static int by_waited(const void *a, const void *b) {
  const uint64_t x = ((const struct line *)a)->sum.waited, y = ((const struct line *)b)->sum.waited;
  return x != y ? (x < y) - (x > y) : by_line(a, b);
}

static bool was_used(const struct observed_op *op) {
  return op->accesses || op->l2_accesses || op->waited;
}

static void add(struct observed_op *sum, const struct observed_op *op) {
  sum->accesses += op->accesses;
  sum->l1_misses += op->l1_misses;
  sum->l2_accesses += op->l2_accesses;
  sum->l2_misses += op->l2_misses;
  sum->waited += op->waited;
}

/* Lines with memory operations that ran, ascending; the caller frees. NULL: out of memory. */
static struct line *lines_of(const struct replay_kernel *kernel, size_t *count) {
  const struct trace_code *code = &kernel->trace->code;
  struct line *lines = calloc(code->op_count + 1u, sizeof *lines);
  size_t used = 0, kept = 0;
  for (uint32_t i = 0; i < code->op_count && lines != NULL; i++)
    if (was_used(&kernel->observer.ops[i]))
      lines[used++] = (struct line){code->ops[i].line, kernel->observer.ops[i]};
  if (lines != NULL)
    qsort(lines, used, sizeof *lines, by_line);
  for (size_t i = 0; i < used; i++) {
    if (kept > 0 && lines[kept - 1].line == lines[i].line)
      add(&lines[kept - 1].sum, &lines[i].sum);
    else
      lines[kept++] = lines[i];
  }
  *count = kept;
  return lines;
}

static int show_lines(const struct replay_kernel *kernel, struct view *view, struct error *error) {
  static const struct view_column columns[] = {
      {.key = "line", .title = "line", .format = "%d"},
      {.key = "l1_accesses", .title = "L1 accesses", .format = "%d"},
      {.key = "l1_misses", .title = "L1 misses", .format = "%d"},
      {.key = "l2_accesses", .title = "L2 accesses", .format = "%d"},
      {.key = "l2_misses", .title = "L2 misses", .format = "%d"},
      {.key = "waited_cycles", .title = "warps waited, cycles", .format = "%.0f"},
  };
  size_t count;
  struct view_list list;
  struct line *lines = lines_of(kernel, &count);
  if (lines == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  if (!view_is_json(view)) /* which has all of them, by line */
    qsort(lines, count, sizeof *lines, by_waited);
  view_say(view, "\n");
  view_list_begin(view, "lines", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = SHOWN_LINES;
  list.things = "lines";
  for (size_t i = 0; i < count; i++) {
    const struct observed_op *sum = &lines[i].sum;
    VIEW_ROW(&list, view_whole(lines[i].line), view_whole(sum->accesses), view_whole(sum->l1_misses),
             view_whole(sum->l2_accesses), view_whole(sum->l2_misses), view_real(ticks_to_cycles(sum->waited)));
  }
  view_list_end(&list);
  free(lines);
  return 0;
}

/* ---- engines and occupancy ---- */

static void show_engines(const struct replay_kernel *kernel, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "core", .title = "core", .format = "%d"},
      {.key = "engine", .title = "engine", .format = "%d"},
      {.key = "busy_cycles", .title = "busy, cycles", .format = "%.0f"},
      {.title = "busy %", .format = "%.1f"},
      {.key = "idle_cycles", .title = "idle, cycles", .format = "%.0f"},
      {.title = "work-items on the core", .format = "%.1f"},
  };
  const struct observer *o = &kernel->observer;
  struct view_list list;
  view_list_begin(view, "engines", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = (size_t)SHOWN_CORES * o->engine_count;
  list.things = "engines";
  for (uint32_t c = 0; c < o->core_count; c++) {
    const double items = o->ticks > 0 ? (double)o->cores[c].resident / (double)o->ticks : 0;
    for (uint32_t e = 0; e < o->engine_count; e++) {
      const double busy = ticks_to_cycles(o->cores[c].busy[e]);
      VIEW_ROW(&list, view_whole(c), view_whole(e), view_real(busy), view_real(percent(busy, kernel->result.cycles)),
               view_real(kernel->result.cycles - busy), e == 0 ? view_real(items) : view_absent());
    }
  }
  view_list_end(&list);
}

static void show_occupancy(const struct replay_kernel *kernel, struct view *view) {
  const struct observer *o = &kernel->observer;
  uint64_t bin_ticks = TICKS_PER_CYCLE;
  json_t *cores = json_array();
  for (uint32_t c = 0; c < o->core_count; c++) {
    double items[OBSERVER_BINS];
    const size_t count = observer_occupancy(o, c, items, &bin_ticks);
    json_t *bins = json_array();
    for (size_t i = 0; i < count; i++)
      json_array_append_new(bins, json_real(items[i]));
    json_array_append_new(cores, bins);
  }
  view_member(view, "occupancy.bin_cycles", view_real(ticks_to_cycles(bin_ticks)));
  view_member(view, "occupancy.cores", view_json(cores));
}

/* ---- levels and queues ---- */

static void show_level(struct view_list *list, const char *name, uint64_t accesses, uint64_t misses, uint64_t bytes) {
  VIEW_ROW(list, view_text(name), view_whole(accesses), view_whole(accesses - misses), view_whole(misses),
           view_whole(bytes));
}

static void show_levels(const struct replay *replay, const struct sim_result *r, struct view *view) {
  static const struct view_column columns[] = {{.title = "level"},
                                               {.title = "accesses", .format = "%d"},
                                               {.title = "hits", .format = "%d"},
                                               {.title = "misses", .format = "%d"},
                                               {.title = "KiB", .format = "%.1f", .scale = 1 / 1024.0}};
  const uint64_t l1_bytes =
      r->counters.l1_accesses * (uint64_t)replay->gpu->spec.line_bytes; /* warps get whole lines */
  const uint64_t l2_bytes = r->counters.l1_l2_read_bytes + r->counters.l1_l2_written_bytes;
  struct view_list list;
  view_say(view, "\n");
  view_list_begin(view, NULL, columns, sizeof columns / sizeof columns[0], &list);
  show_level(&list, "L1", r->counters.l1_accesses, r->counters.l1_misses, l1_bytes);
  show_level(&list, "L2", r->counters.l2_accesses, r->counters.l2_misses, l2_bytes);
  VIEW_ROW(&list, view_text("memory"), view_absent(), view_absent(), view_absent(), view_whole(r->counters.dram_bytes));
  view_list_end(&list);
  view_member(view, "bytes.l1", view_whole(l1_bytes));
  view_member(view, "bytes.l2", view_whole(l2_bytes));
  view_member(view, "bytes.dram", view_whole(r->counters.dram_bytes));
}

/* Nothing where nothing queues; JSON has the queues among the counters. */
static void show_queues(const struct sim_result *r, struct view *view) {
  static const struct view_column columns[] = {
      {.title = "queue"}, {.title = "waited, cycles", .format = "%.0f"}, {.title = ""}};
  struct view_list list;
  double sum = 0;
#define X(field, name, meaning) sum += r->queues.field;
  SIM_QUEUES(X)
#undef X
  if (sum <= 0)
    return;
  view_say(view, "\n");
  view_list_begin(view, NULL, columns, 3, &list);
#define X(field, name, meaning) VIEW_ROW(&list, view_text(name), view_real(r->queues.field), view_text(meaning));
  SIM_QUEUES(X)
#undef X
  view_list_end(&list);
}

static int show_remarks(const struct replay *replay, const struct replay_kernel *kernel, struct view *view,
                        struct error *error) {
  struct remarks remarks;
  if (remarks_make(kernel->trace, &replay->gpu->spec, &kernel->result, &remarks, error) != 0)
    return -1;
  view_say(view, remarks.count > 0 ? "\n" : "");
  view_remarks_say(view, kernel->name, &remarks, NULL);
  view_member(view, "remarks", view_remarks_items(view, &remarks));
  remarks_clear(&remarks);
  return 0;
}

int detail_show(const struct replay *replay, const struct replay_kernel *kernel, struct view *view,
                struct error *error) {
  view_say(view, "\n%s\n\n", kernel->name);
  view_object_begin(view, "detail");
  show_engines(kernel, view);
  show_occupancy(kernel, view);
  show_levels(replay, &kernel->result, view);
  show_queues(&kernel->result, view);
  int status = show_lines(kernel, view, error);
  if (status == 0)
    status = show_remarks(replay, kernel, view, error);
  view_object_end(view);
  return status;
}
