/* The message about a barrier, or a call of a whole group, that some work-items do not reach: which wait, and where the
 * others are. */
#include "tracegen/run/diagnose/group_calls.h"
#include "tracegen/run/diagnose/mistakes.h"

#include <inttypes.h>
#include <stdio.h>

#include "tracegen/abi/collective.h"

#define MAX_NAMED 8 /* work-items of each kind, by their ids */

/* The work-items that have to meet. */
struct meeting {
  uint32_t first, end;
  const char *group; /* "work-group" */
};

/* Returns the operation at which a work-item waits. */
static const struct trace_op *place_of(const struct group_run *run, uint64_t state) {
  const struct trace_code *code = &run->program->code;
  if (state & COLLECTIVE_STATE)
    return &code->ops[collective_op(state)];
  const struct trace_block *block = &code->blocks[state];
  const struct trace_op *found = &code->ops[block->first_op];
  for (uint32_t i = 0; i < block->op_count; i++)
    if (code->ops[block->first_op + i].op_class == OP_BARRIER)
      found = &code->ops[block->first_op + i];
  return found;
}

/* Returns "barrier" or the name of a function. */
static const char *name_of(const struct group_run *run, uint64_t state) {
  const struct trace_op *op = place_of(run, state);
  return state & COLLECTIVE_STATE && op->name != TRACE_NO_NAME ? run->program->code.names[op->name] : "barrier";
}

/* Writes "(4, 0, 0) (5, 0, 0) and 3 more": the items in `state`. */
static void name_items(const struct group_run *run, const struct meeting *m, uint64_t state, char *text, size_t size) {
  uint32_t count = 0;
  size_t used = 0;
  for (uint32_t i = m->first; i < m->end; i++) {
    const uint64_t *id = run->items[i].query[QUERY_GLOBAL_ID];
    if (run->waiting[i] == state && count++ < MAX_NAMED)
      used += (size_t)snprintf(text + used, size - used, "%s(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")",
                               count > 1 ? " " : "", id[0], id[1], id[2]);
  }
  if (count > MAX_NAMED)
    snprintf(text + used, size - used, " and %" PRIu32 " more", count - MAX_NAMED);
}

/* Ends the run: `waiter` waits for `other`, which is in another state. */
static void fail(struct group_run *run, const struct meeting *m, uint32_t waiter, uint32_t other) {
  const uint64_t state = run->waiting[waiter], others_state = run->waiting[other];
  char waiting[800], others[800], where[160] = "finished";
  struct error error = ERROR_INIT;
  const bool call = state & COLLECTIVE_STATE;
  name_items(run, m, state, waiting, sizeof waiting);
  name_items(run, m, others_state, others, sizeof others);
  if (others_state != ITEM_FINISHED)
    snprintf(where, sizeof where, "at %s%.60s in line %u", others_state & COLLECTIVE_STATE ? "" : "the ",
             name_of(run, others_state), (unsigned)place_of(run, others_state)->line);
  const uint64_t *id = run->items[waiter].query[QUERY_GLOBAL_ID];
  error_at(&error, ERROR_WORK, run->program->source, (unsigned)place_of(run, state)->line, 0, NULL,
           "kernel %s, work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 "): waits for ever at %s%s, which all "
           "work-items of the %s must reach; waiting: %s; %s: %s",
           run->program->name, id[0], id[1], id[2], call ? "" : "this ", name_of(run, state), m->group, waiting, where,
           others);
  group_run_fail(run, &error);
}

void mistake_missing_at_call(struct group_run *run, uint32_t first, uint32_t end, uint64_t state, uint32_t missing) {
  const struct meeting m = {first, end, "sub-group"};
  uint32_t waiter = first;
  while (run->waiting[waiter] != state)
    waiter++;
  fail(run, &m, waiter, missing);
}

/* `other`: a work-item that is in another state than the first. */
static void fail_round(struct group_run *run, uint32_t other) {
  const struct meeting m = {0, run->local_size, "work-group"};
  uint32_t waiter = 0;
  while (run->waiting[waiter] == ITEM_FINISHED)
    waiter++;
  fail(run, &m, waiter, run->waiting[other] == run->waiting[waiter] ? 0 : other);
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
  fail_round(run, run->in_simd ? i * SIMD_LANES : i);
}
