#ifdef REASSEMBLE_GRAPHICS

#include "cli/frame/frame_lines.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/core/source_text.h"
#include "model/result/cycle_stack.h"

enum { SHOWN_LINES = 10 };

struct line {
  const struct frame_shader_name *shader;
  uint32_t number;
  double cycles;
};

struct lines {
  struct line *list;
  size_t count, room;
};

static double sum_of(const struct sim_stack *stack) {
  double values[SIM_STACK_COUNT], sum = 0;
  sim_stack_values(stack, values);
  for (int c = 0; c < SIM_STACK_COUNT; c++)
    sum += values[c];
  return sum;
}

/* Line 0 are operations that the replay has added: reads of vertices, ends of work-items. */
static bool add_launch(struct lines *l, const struct frame_shader_name *shader, const struct sim_result *result) {
  for (size_t i = 0; i < result->line_count; i++) {
    if (result->lines[i].line == 0)
      continue;
    if (!array_room(&l->list, &l->room, l->count + 1, sizeof *l->list))
      return false;
    l->list[l->count++] = (struct line){shader, result->lines[i].line, sum_of(&result->lines[i].stack)};
  }
  return true;
}

static int by_place(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  const int names = strcmp(x->shader->file, y->shader->file);
  return names ? names : (x->number > y->number) - (x->number < y->number);
}

static int by_cost(const void *a, const void *b) {
  const struct line *x = a, *y = b;
  return x->cycles != y->cycles ? (x->cycles < y->cycles) - (x->cycles > y->cycles) : by_place(a, b);
}

/* Lines of one place become one. */
static void merge(struct lines *l) {
  size_t kept = 0;
  if (l->count > 0)
    qsort(l->list, l->count, sizeof *l->list, by_place);
  for (size_t i = 0; i < l->count; i++)
    if (kept > 0 && by_place(&l->list[kept - 1], &l->list[i]) == 0)
      l->list[kept - 1].cycles += l->list[i].cycles;
    else
      l->list[kept++] = l->list[i];
  l->count = kept;
  if (kept > 0)
    qsort(l->list, kept, sizeof *l->list, by_cost);
}

static void show_line(const struct line *line, double alone, const char *folder, struct view_list *list) {
  char path[PATH_MAX], file[sizeof line->shader->file], digest[sizeof line->shader->digest];
  struct source_text source;
  memcpy(file, line->shader->file, sizeof file);
  memcpy(digest, line->shader->digest, sizeof digest);
  snprintf(path, sizeof path, "%s/%s", folder, file);
  const struct trace_header header = {.source_file = file, .source_digest = digest};
  list->view->failed |= !source_text_load(path, &header, &source);
  VIEW_ROW(list, view_text(file), view_whole(line->number), view_real(line->cycles),
           view_real(alone > 0 ? line->cycles / alone : 0), view_text(source_text_line(&source, line->number)));
  source_text_clear(&source);
}

static void show(const struct lines *l, double alone, const char *folder, struct view *view) {
  static const struct view_column columns[] = {{"shader", "shader", NULL, 0, false},
                                               {"line", "line", "%d", 0, false},
                                               {"cycles", "cycles", "%.0f", 0, false},
                                               {"share", "cycles %", "%.1f", 100, false},
                                               {"text", "source", NULL, 0, false}};
  struct view_list list;
  view_list_begin(view, "lines", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = SHOWN_LINES;
  list.things = "lines";
  for (size_t i = 0; i < l->count; i++)
    show_line(&l->list[i], alone, folder, &list);
  view_list_end(&list);
}

int frame_lines_show(const struct frame_draws *draws, const struct sim_result *results, double alone,
                     const char *folder, struct view *view, struct error *error) {
  struct lines lines = {0};
  bool done = true;
  for (size_t i = 0; done && i < draws->count; i++) {
    const struct frame_draw_launches *d = &draws->list[i];
    done = (d->vertex == NO_LAUNCH || add_launch(&lines, &d->vertex_shader, &results[d->vertex])) &&
           (d->fragment == NO_LAUNCH || add_launch(&lines, &d->fragment_shader, &results[d->fragment]));
  }
  if (done) {
    merge(&lines);
    show(&lines, alone, folder, view);
  }
  free(lines.list);
  return done ? 0 : error_no_memory(error);
}

#else
typedef int without_graphics; /* a file has to declare something */
#endif
