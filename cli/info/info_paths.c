/* Finds the fewest and the most issue slots of a work-item from the code alone, as offline compilers do. */
#include "cli/info/info.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A way through the code: for each block the one behind it; TRACE_NO_BLOCK ends the work-item. Blocks stand in program
 * order, loops in one piece, so that every step of a way leads forward: from the end of a loop to a block behind it. */
struct way {
  double *slots; /* by block: from here to the end */
  uint32_t *next;
  bool longest;
};

struct path_table {
  const struct trace_code *code;
  double (*slots)[ISA_PIPE_COUNT]; /* by block */
  bool has_loop;
};

static double sum_of(const double by_pipe[ISA_PIPE_COUNT]) {
  double sum = 0;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    sum += by_pipe[i];
  return sum;
}

static int price(struct path_table *t, const struct isa_profile *isa, struct error *error) {
  for (uint32_t b = 0; b < t->code->block_count; b++) {
    const struct trace_block *block = &t->code->blocks[b];
    for (uint32_t i = block->first_op; i < block->first_op + block->op_count; i++) {
      double slots;
      unsigned rule;
      if (isa_op_slots(isa, t->code, &t->code->ops[i], &slots, &rule, error) != 0)
        return -1;
      t->slots[b][isa_rule_pipe(isa, rule)] += slots;
    }
  }
  return 0;
}

/* Takes the better of the blocks behind `last` to which the blocks from `first` to `last` lead. Returns whether there
 * is one. */
static bool go_on(const struct path_table *t, struct way *way, uint32_t at, uint32_t first, uint32_t last) {
  bool found = false;
  for (uint32_t b = first; b <= last; b++) {
    const struct trace_block *block = &t->code->blocks[b];
    for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++) {
      const uint32_t next = t->code->successors[s];
      if (next <= last || (found && (way->slots[next] > way->slots[way->next[at]]) != way->longest))
        continue;
      way->next[at] = next;
      found = true;
    }
  }
  return found;
}

/* Returns the first block of the outermost loop that a block leads back to; the block itself: none. */
static uint32_t loop_head(const struct path_table *t, uint32_t b) {
  const struct trace_block *block = &t->code->blocks[b];
  uint32_t head = b;
  for (uint32_t s = block->first_successor; s < block->first_successor + block->successor_count; s++)
    if (t->code->successors[s] < head)
      head = t->code->successors[s];
  return head;
}

static void find_way(const struct path_table *t, struct way *way) {
  for (uint32_t b = t->code->block_count; b-- > 0;) {
    way->next[b] = TRACE_NO_BLOCK;
    if (!go_on(t, way, b, b, b))
      go_on(t, way, b, loop_head(t, b), b);
    way->slots[b] = sum_of(t->slots[b]) + (way->next[b] != TRACE_NO_BLOCK ? way->slots[way->next[b]] : 0);
  }
}

static bool has_loop(const struct trace_code *code) {
  for (uint32_t b = 0; b < code->block_count; b++)
    for (uint32_t s = 0; s < code->blocks[b].successor_count; s++)
      if (code->successors[code->blocks[b].first_successor + s] <= b)
        return true;
  return false;
}

/* ---- the table ---- */

enum { FIRST_PIPE = 2, COLUMNS = FIRST_PIPE + ISA_PIPE_COUNT + 1 };

static void add_row(struct view_list *list, const char *name, const double by_pipe[ISA_PIPE_COUNT]) {
  struct view_value row[COLUMNS] = {view_text(name), view_real(sum_of(by_pipe))};
  int most = 0;
  for (int i = 0; i < ISA_PIPE_COUNT; i++) {
    row[FIRST_PIPE + i] = view_real(by_pipe[i]);
    most = by_pipe[i] > by_pipe[most] ? i : most;
  }
  row[COLUMNS - 1] = view_text(isa_pipe_name((enum isa_pipe)most));
  view_row(list, row, COLUMNS);
}

static void add_way(const struct path_table *t, const struct way *way, const char *name, struct view_list *list) {
  double by_pipe[ISA_PIPE_COUNT] = {0};
  for (uint32_t b = 0; b != TRACE_NO_BLOCK && b < t->code->block_count; b = way->next[b])
    for (int i = 0; i < ISA_PIPE_COUNT; i++)
      by_pipe[i] += t->slots[b][i];
  add_row(list, name, by_pipe);
}

static void add_all(const struct path_table *t, struct view_list *list) {
  double by_pipe[ISA_PIPE_COUNT] = {0};
  for (uint32_t b = 0; b < t->code->block_count; b++)
    for (int i = 0; i < ISA_PIPE_COUNT; i++)
      by_pipe[i] += t->slots[b][i];
  add_row(list, "all of the code", by_pipe);
}

static void show_table(const struct path_table *t, struct way *way, const struct isa_profile *isa, struct view *view) {
  struct view_column columns[COLUMNS] = {{.key = "path"}, {.key = "slots", .title = "slots", .format = "%.4g"}};
  struct view_list list;
  columns[0].title = "issue slots of a work-item";
  for (int i = 0; i < ISA_PIPE_COUNT; i++) {
    const char *pipe = isa_pipe_name((enum isa_pipe)i);
    columns[FIRST_PIPE + i] = (struct view_column){.key = pipe, .title = pipe, .format = "%.4g"};
  }
  columns[COLUMNS - 1] = (struct view_column){.key = "most_on", .title = "most on"};
  view_member(view, "isa", view_text(isa_name(isa)));
  view_list_begin(view, "paths", columns, COLUMNS, &list);
  add_all(t, &list);
  way->longest = false;
  find_way(t, way);
  add_way(t, way, "shortest path", &list);
  way->longest = true;
  find_way(t, way);
  add_way(t, way, t->has_loop ? "longest path, each loop once" : "longest path", &list);
  view_list_end(&list);
}

int info_paths_show(const struct trace_code *code, const struct isa_profile *isa, struct view *view,
                    struct error *error) {
  struct path_table t = {.code = code, .slots = calloc(code->block_count + 1u, sizeof *t.slots)};
  struct way way = {.slots = calloc(code->block_count + 1u, sizeof *way.slots),
                    .next = calloc(code->block_count + 1u, sizeof *way.next)};
  int status = t.slots && way.slots && way.next ? price(&t, isa, error) : error_no_memory(error);
  t.has_loop = has_loop(code);
  if (status == 0)
    show_table(&t, &way, isa, view);
  free(t.slots);
  free(way.slots);
  free(way.next);
  return status;
}
