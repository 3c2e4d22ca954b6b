#include "cli/simulate/detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/source_text.h"
#include "cli/replay/view_remarks.h"
#include "cli/simulate/peaks.h"
#include "model/result/cycle_stack.h"

enum { SHOWN_LINES = 10, SHOWN_CORES = 16, SHOWN_OF_MANY = 4, SHOWN_COMPONENTS = 3 };
#define LEAST_SHOWN 0.0005 /* of the kernel's cycles, of a line without accesses */
#define WORTH_SHARE 0.01   /* of the kernel's cycles: less is not shown */

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

static double sum_of(const double values[SIM_STACK_COUNT]) {
  double sum = 0;
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    sum += values[c];
  return sum;
}

/* ---- source lines ---- */

struct line {
  uint32_t line;
  double cycles; /* of all components */
  struct observed_op sum;
};

static int by_line(const void *a, const void *b) {
  const uint32_t x = ((const struct line *)a)->line, y = ((const struct line *)b)->line;
  return (x > y) - (x < y);
}

static int by_cost(const void *a, const void *b) {
  const double x = ((const struct line *)a)->cycles, y = ((const struct line *)b)->cycles;
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

/* Appends the lines of memory operations that ran and those that cost cycles. Returns their number. */
static size_t collect_lines(const struct replay_kernel *kernel, struct line *lines) {
  const struct trace_code *code = &kernel->trace->code;
  const struct sim_result *r = &kernel->result;
  size_t used = 0;
  for (uint32_t i = 0; i < code->op_count; i++)
    if (was_used(&kernel->observer.ops[i]))
      lines[used++] = (struct line){.line = code->ops[i].line, .sum = kernel->observer.ops[i]};
  for (size_t i = 0; i < r->line_count; i++) {
    double values[SIM_STACK_COUNT];
    sim_stack_values(&r->lines[i].stack, values);
    lines[used++] = (struct line){.line = r->lines[i].line, .cycles = sum_of(values)};
  }
  return used;
}

/* One entry for each source line, ascending; the caller frees. NULL: out of memory. */
static struct line *lines_of(const struct replay_kernel *kernel, size_t *count) {
  struct line *lines = calloc(kernel->trace->code.op_count + kernel->result.line_count + 1u, sizeof *lines);
  size_t used = 0, kept = 0;
  if (lines) {
    used = collect_lines(kernel, lines);
    qsort(lines, used, sizeof *lines, by_line);
  }
  for (size_t i = 0; i < used; i++) {
    if (kept > 0 && lines[kept - 1].line == lines[i].line) {
      add(&lines[kept - 1].sum, &lines[i].sum);
      lines[kept - 1].cycles += lines[i].cycles;
    } else {
      lines[kept++] = lines[i];
    }
  }
  *count = kept;
  return lines;
}

/* The stack of a source line; NULL: it costs nothing. */
static const struct sim_stack *stack_of(const struct sim_result *r, uint32_t line) {
  for (size_t i = 0; i < r->line_count; i++)
    if (r->lines[i].line == line)
      return &r->lines[i].stack;
  return NULL;
}

/* "l1 52 %, issue 20 %": the components that take most of the line's cycles, largest first. */
static void put_components(const double values[SIM_STACK_COUNT], double cycles, char *text, size_t size) {
  double left[SIM_STACK_COUNT];
  size_t used = 0;
  memcpy(left, values, sizeof left);
  text[0] = '\0';
  for (int shown = 0; shown < SHOWN_COMPONENTS && used < size; shown++) {
    size_t most = 0;
    for (size_t c = 1; c < SIM_STACK_COUNT; c++)
      most = left[c] > left[most] ? c : most;
    if (left[most] < WORTH_SHARE * cycles)
      return;
    used += (size_t)snprintf(text + used, size - used, "%s%s %.0f %%", used > 0 ? ", " : "", sim_stack_names[most],
                             percent(left[most], cycles));
    left[most] = 0;
  }
}

static json_t *components_json(const double values[SIM_STACK_COUNT]) {
  json_t *stack = json_object();
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    if (values[c] != 0)
      json_object_set_new(stack, sim_stack_names[c], json_real(values[c]));
  return stack;
}

static void show_line(const struct sim_result *r, const struct line *line, const struct source_text *source,
                      struct view_list *list) {
  const struct sim_stack *stack = stack_of(r, line->line);
  const struct observed_op *sum = &line->sum;
  double values[SIM_STACK_COUNT] = {0};
  char components[200];
  if (stack)
    sim_stack_values(stack, values);
  put_components(values, r->cycles, components, sizeof components);
  VIEW_ROW(list, view_whole(line->line), view_real(sum_of(values)), view_real(percent(sum_of(values), r->cycles)),
           view_text(components), view_whole(sum->accesses), view_whole(sum->l1_misses), view_whole(sum->l2_accesses),
           view_whole(sum->l2_misses), view_real(ticks_to_cycles(sum->waited)),
           view_is_json(list->view) ? view_json(components_json(values)) : view_absent(),
           view_text(source_text_line(source, line->line)));
}

static void show_line_list(const struct replay_kernel *kernel, const struct line *lines, size_t count,
                           struct view *view) {
  static const struct view_column columns[] = {
      {.key = "line", .title = "line", .format = "%d"},
      {.key = "cycles"},
      {.title = "cycles %", .format = "%.1f"},
      {.title = "for"},
      {.key = "l1_accesses", .title = "L1 accesses", .format = "%d"},
      {.key = "l1_misses", .title = "L1 misses", .format = "%d"},
      {.key = "l2_accesses"},
      {.key = "l2_misses", .title = "L2 misses", .format = "%d"},
      {.key = "waited_cycles", .title = "warps waited, cycles", .format = "%.0f"},
      {.key = "cycle_stack"},
      {.key = "text", .title = "source"},
  };
  struct source_text source;
  struct view_list list;
  view->failed |= !source_text_load(kernel->source, &kernel->trace->header, &source);
  view_say(view, "\n");
  view_list_begin(view, "lines", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = SHOWN_LINES;
  list.things = "lines";
  for (size_t i = 0; i < count; i++)
    if (view_is_json(view) || lines[i].cycles >= LEAST_SHOWN * kernel->result.cycles || was_used(&lines[i].sum))
      show_line(&kernel->result, &lines[i], &source, &list);
  view_list_end(&list);
  source_text_clear(&source);
}

static int show_lines(const struct replay_kernel *kernel, struct view *view, struct error *error) {
  size_t count;
  struct line *lines = lines_of(kernel, &count);
  if (!lines)
    return error_no_memory(error);
  if (!view_is_json(view)) /* which has all of them, by line */
    qsort(lines, count, sizeof *lines, by_cost);
  show_line_list(kernel, lines, count, view);
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
  list.shown = (size_t)(o->core_count > SHOWN_CORES ? SHOWN_OF_MANY : o->core_count) * o->engine_count;
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
  if (remarks_make(kernel->trace, &replay->gpu->spec, &kernel->result, &kernel->observer, &remarks, error) != 0)
    return -1;
  view_say(view, remarks.count > 0 ? "\nRemarks: share of the time, place, what was found and what to try\n" : "");
  view_remarks_say(view, kernel, &remarks, NULL);
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
  peaks_show(&replay->gpu->spec, kernel, view);
  int status = show_lines(kernel, view, error);
  if (status == 0)
    status = show_remarks(replay, kernel, view, error);
  view_object_end(view);
  return status;
}
