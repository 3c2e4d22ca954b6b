#include "cli/rank/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/source_text.h"
#include "model/result/cycle_stack.h"

enum { SHOWN_LINES = 15 };

/* Returns whether `full` is this name, or ends in it behind a dot: "columns" of "mine.columns". */
static bool is_called(const char *full, const char *name, size_t length) {
  const size_t all = strlen(full);
  return all >= length && strncmp(full + all - length, name, length) == 0 &&
         (all == length || full[all - length - 1] == '.');
}

/* Returns the variant of this name; NULL: there is none, or several end in it. */
static const struct replay_kernel *find(const struct replay *replay, const char *name, size_t length) {
  const struct replay_kernel *found = NULL;
  size_t count = 0;
  for (size_t i = 0; i < replay->count; i++) {
    const struct replay_kernel *kernel = &replay->kernels[i];
    if (kernel->refusal || !is_called(kernel->name, name, length))
      continue;
    if (strlen(kernel->name) == length)
      return kernel;
    found = kernel;
    count++;
  }
  return count == 1 ? found : NULL;
}

int explain_find(const struct replay *replay, const char *names, const struct replay_kernel *pair[2],
                 struct error *error) {
  const size_t first = strcspn(names, ",");
  if (names[first] == '\0')
    return error_set(error, ERROR_INPUT, "--explain: found \"%.200s\", expected two variants with a comma: A,B", names);
  pair[0] = find(replay, names, first);
  pair[1] = find(replay, names + first + 1, strlen(names + first + 1));
  const char *missing = !pair[0] ? names : names + first + 1;
  if (!pair[0] || !pair[1])
    return error_set(error, ERROR_INPUT,
                     "--explain: not one variant \"%.*s\" has a result; the ranking shows the names",
                     (int)strcspn(missing, ","), missing);
  return 0;
}

/* ---- lines ---- */

/* A source line in both variants; a line of another source file is a line of one of them alone. */
struct both {
  uint32_t line;
  int side; /* 0, 1: of this variant alone; 2: of both */
  double cycles[2], waited[2];
  double stacks[2][SIM_STACK_COUNT];
};

static double difference(const struct both *b) {
  return b->cycles[1] - b->cycles[0];
}

static int by_difference(const void *a, const void *b) {
  const double x = fabs(difference(a)), y = fabs(difference(b));
  const uint32_t m = ((const struct both *)a)->line, n = ((const struct both *)b)->line;
  return x != y ? (x < y) - (x > y) : (m > n) - (m < n);
}

static struct both *row_for(struct both *rows, size_t *count, uint32_t line, int side) {
  for (size_t i = 0; i < *count; i++)
    if (rows[i].line == line && rows[i].side == side)
      return &rows[i];
  rows[*count] = (struct both){.line = line, .side = side};
  return &rows[(*count)++];
}

/* The caller frees. NULL: out of memory. */
static struct both *lines_of(const struct replay_kernel *const pair[2], size_t *count) {
  const bool same = strcmp(pair[0]->trace->header.source_digest, pair[1]->trace->header.source_digest) == 0;
  struct both *rows = calloc(pair[0]->result.line_count + pair[1]->result.line_count + pair[0]->observer.op_count +
                                 pair[1]->observer.op_count + 1,
                             sizeof *rows);
  *count = 0;
  for (int side = 0; side < 2 && rows; side++)
    for (size_t i = 0; i < pair[side]->result.line_count; i++) {
      const struct sim_line *line = &pair[side]->result.lines[i];
      struct both *row = row_for(rows, count, line->line, same ? 2 : side);
      sim_stack_values(&line->stack, row->stacks[side]);
      for (size_t c = 0; c < SIM_STACK_COUNT; c++)
        row->cycles[side] += row->stacks[side][c];
    }
  for (int side = 0; side < 2 && rows; side++)
    for (uint32_t i = 0; i < pair[side]->observer.op_count; i++)
      if (pair[side]->observer.ops && pair[side]->observer.ops[i].waited > 0)
        row_for(rows, count, pair[side]->trace->code.ops[i].line, same ? 2 : side)->waited[side] +=
            ticks_to_cycles(pair[side]->observer.ops[i].waited);
  if (rows)
    qsort(rows, *count, sizeof *rows, by_difference);
  return rows;
}

/* Returns the component in which the two differ most. */
static const char *main_component(const struct both *b) {
  size_t most = 0;
  for (size_t c = 1; c < SIM_STACK_COUNT; c++)
    if (fabs(b->stacks[1][c] - b->stacks[0][c]) > fabs(b->stacks[1][most] - b->stacks[0][most]))
      most = c;
  return sim_stack_names[most];
}

/* Returns how much longer warps waited for accesses and barriers of a line in the second variant. */
static struct view_value waited_longer(const struct replay_kernel *const pair[2], const struct both *b) {
  const bool observed = pair[0]->observer.ops && pair[1]->observer.ops;
  return observed ? view_real(b->waited[1] - b->waited[0]) : view_absent();
}

static int show_lines(const struct replay_kernel *const pair[2], struct view *view, struct error *error) {
  const struct view_column columns[] = {
      {.key = "line", .title = "line", .format = "%d"},
      {.key = "a_cycles", .title = pair[0]->name, .format = "%.0f"},
      {.key = "b_cycles", .title = pair[1]->name, .format = "%.0f"},
      {.key = "difference", .title = "difference", .format = "%+.0f"},
      {.key = "component", .title = "most of it"},
      {.key = "waited_difference", .title = "warps waited", .format = "%+.0f"},
      {.key = "text", .title = "source"},
  };
  size_t count;
  struct both *rows = lines_of(pair, &count);
  if (!rows)
    return error_no_memory(error);
  struct source_text texts[2];
  struct view_list list;
  for (int side = 0; side < 2; side++)
    source_text_load(pair[side]->source, &pair[side]->trace->header, &texts[side]);
  view_list_begin(view, "lines", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = SHOWN_LINES;
  list.things = "lines";
  for (size_t i = 0; i < count; i++) {
    const struct both *b = &rows[i];
    VIEW_ROW(&list, view_whole(b->line), b->side == 1 ? view_null() : view_real(b->cycles[0]),
             b->side == 0 ? view_null() : view_real(b->cycles[1]), view_real(difference(b)),
             view_text(main_component(b)), waited_longer(pair, b),
             view_text(source_text_line(&texts[b->side == 1], b->line)));
  }
  view_list_end(&list);
  source_text_clear(&texts[0]);
  source_text_clear(&texts[1]);
  free(rows);
  return 0;
}

/* ---- components ---- */

static void show_components(const struct replay_kernel *const pair[2], struct view *view) {
  const struct view_column columns[] = {
      {.key = "component", .title = "component"},
      {.key = "a_cycles", .title = pair[0]->name, .format = "%.0f"},
      {.key = "b_cycles", .title = pair[1]->name, .format = "%.0f"},
      {.key = "difference", .title = "difference", .format = "%+.0f"},
  };
  double a[SIM_STACK_COUNT], b[SIM_STACK_COUNT];
  struct view_list list;
  sim_stack_values(&pair[0]->result.stack, a);
  sim_stack_values(&pair[1]->result.stack, b);
  view_list_begin(view, "components", columns, sizeof columns / sizeof columns[0], &list);
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    if (a[c] != 0 || b[c] != 0)
      VIEW_ROW(&list, view_text(sim_stack_names[c]), view_real(a[c]), view_real(b[c]), view_real(b[c] - a[c]));
  VIEW_ROW(&list, view_text("all"), view_real(pair[0]->result.cycles), view_real(pair[1]->result.cycles),
           view_real(pair[1]->result.cycles - pair[0]->result.cycles));
  view_list_end(&list);
}

int explain_show(const struct replay_kernel *const pair[2], struct view *view, struct error *error) {
  view_object_begin(view, "explain");
  view_member(view, "a", view_text(pair[0]->name));
  view_member(view, "b", view_text(pair[1]->name));
  view_say(view, "\n");
  show_components(pair, view);
  view_say(view, "\n");
  const int status = show_lines(pair, view, error);
  view_object_end(view);
  return status;
}
