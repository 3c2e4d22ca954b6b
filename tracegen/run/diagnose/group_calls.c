#include "tracegen/run/diagnose/group_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/abi/group_call.h"
#include "tracegen/run/diagnose/mistakes.h"

#define MOST_CALLS 65536 /* between two barriers; later ones are not compared */

struct group_call_made {
  enum group_call kind;
  uint32_t line;
  uint64_t arguments[GROUP_CALL_ARGUMENTS];
};

/* Since the last barrier. */
struct group_calls {
  struct group_call_made *list; /* the first work-item's */
  uint32_t count;
  size_t capacity;
  uint32_t made[]; /* by slot: how many */
};

static void no_memory(struct group_run *run) {
  struct error error = ERROR_INIT;
  error_set(&error, ERROR_WORK, "kernel %s: out of memory for what a work-group copies", run->program->name);
  group_run_fail(run, &error);
}

static void keep(struct group_run *run, const struct group_call_made *made) {
  struct group_calls *calls = run->calls;
  if (calls->count == MOST_CALLS)
    return;
  if (!array_room(&calls->list, &calls->capacity, calls->count + 1u, sizeof *calls->list))
    no_memory(run);
  calls->list[calls->count++] = *made;
}

static void name_item(const struct group_run *run, uint32_t slot, char *text, size_t size) {
  const uint64_t *id = run->items[slot].query[QUERY_GLOBAL_ID];
  snprintf(text, size, "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", id[0], id[1], id[2]);
}

#define TOGETHER "all work-items of a work-group must make this call, with the same arguments"

/* The work-item of `slot` makes a call that the one of `other` does not make. */
static void not_together(struct group_run *run, uint32_t slot, uint32_t other, const struct group_call_made *made) {
  char who[80], what[300];
  name_item(run, other, who, sizeof who);
  snprintf(what, sizeof what, "calls %s, and work-item %s of its work-group does not; " TOGETHER,
           group_call_names[made->kind].function, who);
  group_run_mistake(&run->items[slot], made->line, what);
}

static void another_call(struct group_run *run, uint32_t slot, const struct group_call_made *made,
                         const struct group_call_made *first) {
  char who[80], what[400];
  name_item(run, 0, who, sizeof who);
  snprintf(what, sizeof what, "calls %s where work-item %s of its work-group calls %s in line %" PRIu32 "; " TOGETHER,
           group_call_names[made->kind].function, who, group_call_names[first->kind].function, first->line);
  group_run_mistake(&run->items[slot], made->line, what);
}

static void not_alike(struct group_run *run, uint32_t slot, const struct group_call_made *made, unsigned argument) {
  char who[80], what[300];
  name_item(run, 0, who, sizeof who);
  snprintf(what, sizeof what, "gives %s another %s than work-item %s of its work-group; " TOGETHER,
           group_call_names[made->kind].function, group_call_names[made->kind].arguments[argument], who);
  group_run_mistake(&run->items[slot], made->line, what);
}

static void compare(struct group_run *run, uint32_t slot, const struct group_call_made *made) {
  const uint32_t number = run->calls->made[slot];
  if (number >= MOST_CALLS)
    return;
  const struct group_call_made *first = number < run->calls->count ? &run->calls->list[number] : NULL;
  if (!first)
    not_together(run, slot, 0, made);
  if (first->kind != made->kind || first->line != made->line)
    another_call(run, slot, made, first);
  for (unsigned i = 0; i < group_call_names[made->kind].argument_count; i++)
    if (first->arguments[i] != made->arguments[i])
      not_alike(run, slot, made, i);
}

void emulation_group_call(struct item_context *item, uint64_t kind_and_line, uint64_t arguments) {
  struct group_run *run = item->run;
  const uint64_t kind = generated_index(item, kind_and_line >> 32, GROUP_CALL_KINDS, "kinds of calls");
  struct group_call_made made = {.kind = (enum group_call)kind, .line = (uint32_t)kind_and_line};
  memcpy(made.arguments, (const void *)(uintptr_t)arguments,
         group_call_names[made.kind].argument_count * sizeof *made.arguments);
  if (!run->calls && !(run->calls = calloc(1, sizeof *run->calls + run->alive * sizeof run->calls->made[0])))
    no_memory(run);
  if (item->slot == 0)
    keep(run, &made);
  else
    compare(run, item->slot, &made);
  run->calls->made[item->slot]++;
}

void group_calls_check_round(struct group_run *run) {
  struct group_calls *calls = run->calls;
  if (!calls)
    return;
  for (uint32_t slot = 1; slot < run->slots; slot++)
    if (calls->made[slot] < calls->count)
      not_together(run, 0, slot, &calls->list[calls->made[slot]]);
  memset(calls->made, 0, run->alive * sizeof *calls->made);
  calls->count = 0;
}

void group_calls_destroy(struct group_calls *calls) {
  if (calls)
    free(calls->list);
  free(calls);
}
