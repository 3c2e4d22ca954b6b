/* The message about a barrier that some work-items of a work-group do not reach: which wait, and where the others
 * are. */
#include "tracegen/run/diagnose/group_calls.h"
#include "tracegen/run/diagnose/mistakes.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_NAMED 8 /* work-items of each kind, by their ids */

static unsigned barrier_line(const struct group_run *run, uint64_t state) {
  const struct trace_block *block = &run->program->code.blocks[state];
  unsigned line = 0;
  for (uint32_t i = 0; i < block->op_count; i++)
    if (run->program->code.ops[block->first_op + i].op_class == OP_BARRIER)
      line = run->program->code.ops[block->first_op + i].line;
  return line;
}

/* Writes "(4, 0, 0) (5, 0, 0) and 3 more": the items in `state`. */
static void name_items(const struct group_run *run, uint64_t state, char *text, size_t size) {
  uint32_t count = 0;
  size_t used = 0;
  for (uint32_t i = 0; i < run->local_size; i++) {
    const uint64_t *id = run->items[i].query[QUERY_GLOBAL_ID];
    if (run->waiting[i] == state && count++ < MAX_NAMED)
      used += (size_t)snprintf(text + used, size - used, "%s(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")",
                               count > 1 ? " " : "", id[0], id[1], id[2]);
  }
  if (count > MAX_NAMED)
    snprintf(text + used, size - used, " and %" PRIu32 " more", count - MAX_NAMED);
}

/* `other`: a work-item that is in another state than the first. */
static void fail(struct group_run *run, uint32_t other) {
  uint32_t waiter = 0;
  while (run->waiting[waiter] == ITEM_FINISHED)
    waiter++;
  if (run->waiting[other] == run->waiting[waiter])
    other = 0;
  char waiting[800], others[800], where[60] = "finished";
  struct error error = ERROR_INIT;
  name_items(run, run->waiting[waiter], waiting, sizeof waiting);
  name_items(run, run->waiting[other], others, sizeof others);
  if (run->waiting[other] != ITEM_FINISHED)
    snprintf(where, sizeof where, "at the barrier in line %u", barrier_line(run, run->waiting[other]));
  const uint64_t *id = run->items[waiter].query[QUERY_GLOBAL_ID];
  error_at(&error, ERROR_WORK, run->program->source, barrier_line(run, run->waiting[waiter]), 0, NULL,
           "kernel %s, work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 "): waits for ever at this barrier, which all "
           "work-items of the work-group must reach; waiting: %s; %s: %s",
           run->program->name, id[0], id[1], id[2], waiting, where, others);
  group_run_fail(run, &error);
}

/* Gives each work-item the state of its SIMD group. */
static void spread_states(struct group_run *run) {
  for (uint32_t i = run->local_size; i-- > 0;) {
    run->waiting[i] = run->waiting[i / SIMD_LANES];
    group_run_set_global_id(run, &run->items[i]);
  }
}

void group_run_check_round(struct group_run *run) {
  uint32_t i = 1;
  group_calls_check_round(run);
  while (i < run->slots && run->waiting[i] == run->waiting[0])
    i++;
  if (i >= run->slots)
    return;
  if (run->in_simd)
    spread_states(run);
  fail(run, run->in_simd ? i * SIMD_LANES : i);
}
