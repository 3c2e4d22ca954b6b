#include "tracegen/run/collectives.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/run/group/collective_values.h"

struct collectives {
  struct collective_operands **operands; /* [alive]: of the call at which the slot waits */
  struct collective_operands **members;  /* [alive]: of those that take part in a call; else NULL */
  bool ready[];                          /* by slot: it may run */
};

int collectives_create(struct group_run *run) {
  struct collectives *c = calloc(1, sizeof *c + run->alive * sizeof c->ready[0]);
  run->collectives = c;
  if (!c)
    return error_no_memory(run->error);
  c->operands = calloc(run->alive, sizeof *c->operands);
  c->members = calloc(run->alive, sizeof *c->members);
  return c->operands && c->members ? 0 : error_no_memory(run->error);
}

void collectives_destroy(struct collectives *c) {
  if (c) {
    free(c->operands);
    free(c->members);
  }
  free(c);
}

void emulation_collective(struct item_context *item, uint64_t state, uint64_t operands) {
  struct group_run *run = item->run;
  struct collective_operands *o = (struct collective_operands *)(uintptr_t)operands;
  const uint32_t *local = run->request->launch->local;
  const struct collective c = collective_unpack(state);
  generated_index(item, run->collectives ? 0 : 1, 1, "calls of whole groups");
  if (c.whole_group && c.kind == COLLECTIVE_BROADCAST) /* which names a work-item by its local ids */
    o->numbers[0] += local[0] * (o->numbers[1] + local[1] * o->numbers[2]);
  run->collectives->operands[item->slot] = o;
}

/* The first slot is the one that the caller runs. */
void collectives_begin_round(struct group_run *run) {
  memset(run->collectives->ready, true, run->alive * sizeof run->collectives->ready[0]);
  run->collectives->ready[0] = false;
}

/* Returns the first slot of [first, end) that may run, and takes it; `end`: none may. */
static uint32_t take_ready(struct collectives *c, uint32_t first, uint32_t end) {
  while (first < end && !c->ready[first])
    first++;
  if (first < end)
    c->ready[first] = false;
  return first;
}

static bool waits_in_sub_group(uint64_t state) {
  return state != ITEM_FINISHED && (state & COLLECTIVE_STATE) && !collective_unpack(state).whole_group;
}

/* Returns the call of [first, end) that stands first in the kernel; ITEM_FINISHED: there is none. */
static uint64_t first_call(const struct group_run *run, uint32_t first, uint32_t end) {
  uint64_t found = ITEM_FINISHED;
  for (uint32_t i = first; i < end; i++)
    if (waits_in_sub_group(run->waiting[i]) && run->waiting[i] < found)
      found = run->waiting[i];
  return found;
}

/* Lets the work-items of [first, end) that wait at one call exchange their values. Returns whether there are any. */
static bool exchange(struct group_run *run, uint32_t first, uint32_t end) {
  struct collectives *c = run->collectives;
  const uint64_t state = first_call(run, first, end);
  if (state == ITEM_FINISHED)
    return false;
  const struct collective call = collective_unpack(state);
  for (uint32_t i = first; i < end; i++) {
    const bool takes_part = run->waiting[i] == state;
    if (!takes_part && call.uniform)
      mistake_missing_at_call(run, first, end, state, i);
    c->members[i] = takes_part ? c->operands[i] : NULL;
    c->ready[i] = takes_part;
  }
  collective_compute(&call, c->members + first, end - first);
  return true;
}

uint32_t collectives_next(struct group_run *run, uint32_t slot) {
  struct collectives *c = run->collectives;
  const uint32_t size = run->sub_group, first = slot / size * size;
  const uint32_t end = first + size < run->slots ? first + size : run->slots;
  uint32_t next = take_ready(c, slot + 1, end);
  if (next < end)
    return next;
  if (exchange(run, first, end))
    return take_ready(c, first, end);
  return take_ready(c, end, run->slots);
}

void collectives_finish_round(struct group_run *run) {
  const uint64_t state = run->waiting[0];
  if (state != ITEM_FINISHED && (state & COLLECTIVE_STATE)) {
    const struct collective call = collective_unpack(state);
    collective_compute(&call, run->collectives->operands, run->slots);
  }
  collectives_begin_round(run);
}
