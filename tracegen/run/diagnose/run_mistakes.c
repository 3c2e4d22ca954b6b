/* Ends a run: on mistakes of a kernel that concern no access, and where work-items are stopped. */
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/item_name.h"
#include "tracegen/run/diagnose/mistakes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* An item that has a stack of its own goes back to the caller's stack first: there is room, and sanitizers, which know
 * one stack, are not misled. */
void group_run_fail(struct group_run *run, const struct error *error) {
  struct stack_context abandoned;
  if (run->request->print)
    printed_flush(&run->printed, run->request->print);
  if (!run->on_item_stack)
    run->request->fail(run->request->user, error);
  run->mistake = *error;
  stack_switch(&abandoned, &run->main_stack);
}

void mark_dry_run_finding(const struct item_context *item) {
  if (item->run->request->dry_run_finding)
    *item->run->request->dry_run_finding = true;
}

void group_run_mistake(const struct item_context *item, unsigned line, const char *what) {
  struct error error = ERROR_INIT;
  char who[80];
  error_at(&error, ERROR_WORK, item->run->program->source, line, 0, NULL, "kernel %s, work-item %s: %s",
           item->run->program->name, item_name(item, who, sizeof who), what);
  group_run_fail(item->run, &error);
}

void emulation_undefined_variable(struct item_context *item, uint64_t line, uint64_t variable) {
  char what[320], place[80] = "";
  mark_dry_run_finding(item);
  const struct kernel_variables *parts = &item->run->program->undefined;
  const struct kernel_variable *part = &parts->list[generated_index(item, variable, parts->count, "variables")];
  const char *let_pass = part->is_certain ? "" : "; " LET_PASS;
  if (part->bytes)
    snprintf(place, sizeof place, "%" PRIu64 " bytes at byte offset %" PRIu32 " of ", part->bytes, part->offset);
  if (strcmp(part->name, KERNEL_RESULT) == 0)
    snprintf(what, sizeof what, "uses what a function gave that ended without returning a value: it is undefined%s",
             let_pass);
  else
    snprintf(what, sizeof what,
             "reads %sprivate variable \"%.100s\", which it has not written: the value is undefined%s", place,
             part->name, let_pass);
  group_run_mistake(item, (unsigned)line, what);
}

/* Says what emulation_bad_access says about accesses that are still there. */
void emulation_elided_access(struct item_context *item, uint64_t trap_and_line, uint64_t offset) {
  const struct kernel_variables *sites = &item->run->program->elided_accesses;
  const struct kernel_variable *v = &sites->list[generated_index(item, trap_and_line >> 32, sites->count, "accesses")];
  const unsigned bytes = v->alignment;
  const char *verb = v->is_stored ? "store" : "load";
  char what[320];
  mark_dry_run_finding(item);
  if (*v->name)
    snprintf(what, sizeof what,
             "%s of %u bytes at byte offset %" PRId64 " of private variable \"%.100s\", which holds %" PRIu64 " bytes",
             verb, bytes, (int64_t)offset, v->name, v->bytes);
  else if (v->bytes == KERNEL_FAR_ACCESS)
    snprintf(what, sizeof what, "%s of %u bytes by the index %" PRId64 ", which is beyond any memory", verb, bytes,
             (int64_t)offset);
  else if (bytes)
    snprintf(what, sizeof what, "%s of %u bytes of private memory through a null pointer", verb, bytes);
  else
    snprintf(what, sizeof what, "element %" PRId64 " of a vector that has %" PRIu64, (int64_t)offset, v->bytes);
  group_run_mistake(item, (uint32_t)trap_and_line, what);
}

void emulation_divided_by_zero(struct item_context *item, uint64_t line) {
  mark_dry_run_finding(item);
  group_run_mistake(item, (unsigned)line, "integer division by zero");
}

void emulation_unreachable(struct item_context *item, uint64_t line) {
  group_run_mistake(item, (unsigned)line,
                    "reached code that has undefined behaviour (such as a division by a constant zero or an endless "
                    "loop without effect)");
}

static bool leads_to(const struct trace_code *code, const struct trace_block *block, uint32_t id) {
  for (uint32_t i = 0; i < block->successor_count; i++)
    if (code->successors[block->first_successor + i] == id)
      return true;
  return false;
}

/* Returns the first line of the block's operations; where they have none (an empty loop), that of a branch to it. */
static unsigned block_line(const struct trace_code *code, uint32_t id) {
  unsigned line = code->blocks[id].line;
  for (uint32_t i = 0; i < code->block_count && !line; i++)
    if (i != id && leads_to(code, &code->blocks[i], id))
      line = code->ops[code->blocks[i].first_op + code->blocks[i].op_count - 1].line;
  return line;
}

/* Returns the line of the block that the slot runs. Code that does not record stores all ids at one place. */
static unsigned running_line(const struct group_run *run, uint32_t slot, const uint16_t *next) {
  const uint16_t *first = group_run_context(run, slot)->blocks; /* where it started: cursors are stored at the end */
  const uint16_t *last = run->program->records ? next - 1 : first;
  return next && last >= first && *last < run->program->code.block_count ? block_line(&run->program->code, *last) : 0;
}

/* Each stack of a work-item has a page in front that cannot be accessed. */
static bool on_a_guard_page(const struct group_run *run, const void *address) {
  const uint64_t offset = (uint64_t)((const char *)address - run->stack_memory);
  const uint64_t stride = ITEM_STACK_BYTES + ARENA_PAGE;
  return run->stack_memory && offset < run->alive * stride && offset % stride < ARENA_PAGE;
}

void group_run_stopped(struct group_run *run, enum recording_end end, uint32_t slot, const void *next) {
  struct error error = ERROR_INIT;
  char who[80];
  const char *name = run->program->name;
  const char *item = item_name(group_run_context(run, end == RECORDING_GOES_ON ? run->current : slot), who, sizeof who);
  if (end == RECORDING_GOES_ON)
    error_at(&error, ERROR_WORK, run->program->source, run->program->line, 0, NULL, "kernel %s, work-item %s: %s", name,
             item,
             on_a_guard_page(run, next) ? "stack overflow" : "crashed (a built-in function that reads out of bounds?)");
  else if (end == RECORDING_FULL)
    error_at(&error, ERROR_WORK, run->program->source, running_line(run, slot, next), 0, NULL,
             "kernel %s, work-item %s: what this work-group has done so far takes more than %" PRIu64
             " bytes to record; use a smaller problem or a higher --memory (or does this loop never end? One that "
             "waits for a later work-group does not)",
             name, item, run->recording.limit);
  else
    error_at(&error, ERROR_WORK, run->program->source, running_line(run, slot, next), 0, NULL,
             "kernel %s, work-item %s: was stopped here, because the launch took more than %g s; a higher --timeout "
             "allows more (or does this loop never end? One that waits for a later work-group does not)",
             name, item, run->request->limit_s);
  run->request->fail(run->request->user, &error);
}
