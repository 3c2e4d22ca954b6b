#include "tracegen/run/work_group.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/spill.h"
#include "tracegen/run/collectives.h"
#include "tracegen/run/diagnose/group_calls.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/run/group/item_stacks.h"
#include "tracegen/run/run_simd.h"

/* Work-items that run one after the other are handed to the trace in chunks: memory that was written just before is
 * slow to read. A chunk stays in the nearest cache. */
#define CHUNK_ITEMS       64
#define CHUNK_BLOCKS      2048
#define CHUNK_ADDRESSES   2048
#define MAX_BARRIER_ITEMS 4096 /* each needs a stack and two buffers of its own */

static void on_fault(void *user, enum recording_end end, uint32_t slot, const void *next) {
  group_run_stopped(user, end, slot, next); /* the handler has a stack of its own */
}

static const struct kernel_argument *arguments(const struct group_run *run);

/* Barriers. */

/* Stacks of work-items lie in different pages, so that the first access to the next one would be slow. */
#define STACKS_AHEAD 2
#if STACK_BARRIER_IN_ASSEMBLY || defined(__aarch64__)
#define PREFETCH_STACK(context) __builtin_prefetch((context)->stack_pointer, 1)
#else
#define PREFETCH_STACK(context) ((void)(context))
#endif

/* The item of slot `id` waits or has ended. Returns what runs now: the next slot, after the last one the first or, when
 * all have ended, the caller. */
static struct stack_context *next_stack(struct group_run *run, uint32_t id, uint64_t state) {
  run->waiting[id] = state;
  const uint32_t next = run->collectives ? collectives_next(run, id) : id + 1;
  if (next < run->slots) {
    PREFETCH_STACK(&run->stacks[id + STACKS_AHEAD]);
    run->current = next;
    return &run->stacks[next];
  }
  group_run_check_round(run);
  if (run->collectives)
    collectives_finish_round(run);
  state = run->waiting[0];
  run->current = 0;
  return state == ITEM_FINISHED ? &run->main_stack : &run->stacks[0];
}

#if STACK_BARRIER_IN_ASSEMBLY
void *stack_barrier(struct item_context *item, uint64_t block, void *stack_pointer) {
  struct group_run *run = item->run;
  run->stacks[item->slot].stack_pointer = stack_pointer;
  return next_stack(run, item->slot, block)->stack_pointer;
}
#else
SWITCHES_STACKS void emulation_barrier(struct item_context *item, uint64_t block) {
  struct group_run *run = item->run;
  stack_switch(&run->stacks[item->slot], next_stack(run, item->slot, block));
}
#endif

static inline void run_item(struct group_run *run, struct item_context *item) {
  (run->in_simd ? run->program->simd->entry : run->program->entry)(item, arguments(run));
}

SWITCHES_STACKS static void run_on_stack(void *argument) {
  struct item_context *item = argument;
  run_item(item->run, item);
  stack_switch(&item->run->stacks[item->slot], next_stack(item->run, item->slot, ITEM_FINISHED));
  abort(); /* never switched to again */
}

/* Work-items. */

static void begin_group(struct group_run *run, uint32_t group) {
  run->group = group;
  for (int d = 0; d < 3; d++) {
    run->group_at[d] = group % run->groups[d];
    group /= (uint32_t)run->groups[d];
  }
}

static void start_item(struct group_run *run, struct item_context *item, uint32_t slot) {
  item->blocks = recording_blocks(&run->recording, slot);
  item->addresses = recording_addresses(&run->recording, slot);
  item->most_blocks = item->blocks + CHUNK_BLOCKS;
  item->most_addresses = item->addresses + CHUNK_ADDRESSES;
  item->ends = &run->ends[slot];
  item->items_left = 1;
  if (run->checked)
    shadow_begin_item(run, slot);
}

static const struct kernel_argument *arguments(const struct group_run *run) {
  return run->checked ? run->shadow.arguments : run->request->arguments;
}

/* Hands what `count` work-items recorded in the slot to the encoder or the writer, or counts it. */
static int record_items(struct group_run *run, uint32_t slot, uint32_t first, uint32_t count) {
  const struct trace_item_end *ends = &run->ends[slot];
  const struct trace_items items = {first, count, recording_blocks(&run->recording, slot),
                                    recording_addresses(&run->recording, slot), ends};
  spill_touched((size_t)((const char *)ends[count - 1].blocks - (const char *)items.blocks) +
                (size_t)((const char *)ends[count - 1].addresses - (const char *)items.addresses));
  if (run->encoder)
    return trace_encoder_items(run->encoder, &items, run->error);
  if (run->request->writer)
    return trace_writer_items(run->request->writer, &items, run->error);
  const uint32_t *ops = run->program->counted_ops;
  for (const uint16_t *block = items.blocks; block < ends[count - 1].blocks; block++)
    run->instructions += ops[*block];
  return 0;
}

/* Groups. */

/* Runs at most `count` work-items in one call, as long as they record little. Returns how many. */
static uint32_t run_chunk(struct group_run *run, struct item_context *item, uint32_t count) {
  const uint32_t *local = run->request->launch->local;
  const uint64_t of_row = local[0] - item->query[QUERY_LOCAL_ID][0];
  start_item(run, item, 0);
  item->items_left = count < of_row ? count : (uint32_t)of_row;
  if (item->items_left > CHUNK_ITEMS)
    item->items_left = CHUNK_ITEMS;
  if (run->checked && run->shadow.checks_items) /* each item's private memory starts unwritten */
    item->items_left = 1;
  run->program->entry(item, arguments(run));
  group_run_step_item(run, item, 1);
  return (uint32_t)(item->ends - run->ends);
}

/* Runs `count` work-items, all in the same slot. */
static int run_one_by_one(struct group_run *run, uint32_t first, uint32_t count) {
  struct item_context *item = &run->items[0];
  group_run_set_local_id(run, item, first);
  group_run_set_global_id(run, item);
  for (uint32_t ran; count > 0; count -= ran, first += ran) {
    ran = run_chunk(run, item, count);
    if (record_items(run, 0, first, ran))
      return -1;
  }
  return 0;
}

static int run_simd_group(struct group_run *run, struct item_context *lanes) {
  start_item(run, lanes, 0);
  lanes->diverged = 0;
  run->program->simd->entry(lanes, arguments(run));
  simd_count(run, lanes->diverged);
  return lanes->diverged ? run_one_by_one(run, lanes->local_id, SIMD_LANES) : simd_record(run, lanes);
}

static int run_simd_groups(struct group_run *run) {
  struct item_context *lanes = &run->simd[0];
  group_run_set_local_id(run, lanes, 0);
  group_run_set_global_id(run, lanes);
  for (uint32_t left = run->local_size; left > 0; left -= SIMD_LANES, group_run_step_item(run, lanes, SIMD_LANES))
    if (run_simd_group(run, lanes))
      return -1;
  return 0;
}

static int run_with_barriers(struct group_run *run);

/* Runs the work-items of the SIMD group (with barriers: of the work-group) one by one. Does not return. */
static void run_again(struct group_run *run) {
  const struct item_context *lanes = run->wrapped;
  run->in_simd = false;
  run->wrapped = NULL;
  run->slots = run->alive;
  if ((run->program->has_barrier ? run_with_barriers(run) : run_one_by_one(run, lanes->local_id, SIMD_LANES)) == 0)
    simd_wrapped(lanes, run->wrapped_access);
  run->request->fail(run->request->user, run->error);
}

void simd_run_again(struct item_context *lanes, uint32_t access) {
  struct group_run *run = lanes->run;
  struct stack_context abandoned;
  run->wrapped = lanes;
  run->wrapped_access = access;
  if (run->on_item_stack)
    stack_switch(&abandoned, &run->main_stack);
  else
    run_again(run);
}

static int run_with_barriers(struct group_run *run) {
  for (uint32_t id = 0; id < run->slots; id++) {
    group_run_set_global_id(run, group_run_context(run, id));
    start_item(run, group_run_context(run, id), id);
    stack_prepare(&run->stacks[id], item_stack(run->stack_memory, id), ITEM_STACK_BYTES - page_colour(id), run_on_stack,
                  group_run_context(run, id));
  }
  if (run->collectives)
    collectives_begin_round(run);
  run->on_item_stack = true;
  stack_switch(&run->main_stack, &run->stacks[0]);
  run->on_item_stack = false;
  if (run->mistake.kind != ERROR_NONE)
    group_run_fail(run, &run->mistake);
  if (run->wrapped)
    run_again(run);
  for (uint32_t id = 0; id < run->slots; id++)
    if (run->in_simd ? simd_record(run, &run->simd[id]) : record_items(run, id, run->items[id].local_id, 1))
      return -1;
  return 0;
}

int group_run_group(struct group_run *run, uint32_t group) {
  struct trace_writer *writer = run->encoder ? NULL : run->request->writer;
  begin_group(run, group);
  if (run->encoder)
    trace_encoder_begin(run->encoder, run->group);
  if (writer && trace_writer_group_begin(writer, run->group))
    return error_set(run->error, ERROR_WORK, "the trace writer refused work-group %" PRIu32, run->group);
  run->checked = shadow_begin_group(run);
  run->in_simd = run->simd && run->program->simd->entry && !run->simd_is_wasteful &&
                 (!run->checked || run->program->simd->shadowed);
  run->simd_groups += run->in_simd;
  run->slots = run->in_simd && run->alive > 1 ? run->alive / SIMD_LANES : run->alive;
  if (run->program->has_barrier ? run_with_barriers(run)
      : run->in_simd            ? run_simd_groups(run)
                                : run_one_by_one(run, 0, run->local_size))
    return -1;
  if (run->request->print)
    printed_flush(&run->printed, run->request->print);
  recording_trim(&run->recording);
  return writer ? trace_writer_group_end(writer, run->error) : 0;
}

static int create_stacks(struct group_run *run) {
  run->stacks = calloc((size_t)run->alive + STACKS_AHEAD, sizeof *run->stacks);
  run->waiting = calloc(run->alive, sizeof *run->waiting);
  if (!run->stacks || !run->waiting)
    return error_no_memory(run->error);
  run->stack_memory = item_stacks_take(run->alive, run->error);
  return run->stack_memory ? 0 : -1;
}

static int no_private_memory(const struct group_run *run) {
  const struct kernel_program *program = run->program;
  const struct kernel_variable *largest = NULL;
  for (uint32_t i = 0; i < program->privates.count; i++)
    if (!largest || program->privates.list[i].bytes > largest->bytes)
      largest = &program->privates.list[i];
  return error_at(run->error, ERROR_WORK, program->source, largest ? largest->line : 0, 0, NULL,
                  "kernel %s: no memory for %" PRIu32 " bytes of private memory in each of %" PRIu32
                  " work-items (%s%s%s); a higher --memory allows more",
                  program->name, program->private_bytes, run->alive, largest ? "the largest variable is \"" : "",
                  largest ? largest->name : "it has no variables", largest ? "\"" : "");
}

static int prepare(struct group_run *run) {
  const struct run_request *request = run->request;
  run->alive = run->program->has_barrier ? run->local_size : 1;
  if (run->alive > MAX_BARRIER_ITEMS)
    return error_set(run->error, ERROR_INPUT,
                     "kernel %s has barriers and %u work-items in a work-group; at most %d are "
                     "supported",
                     run->program->name, run->local_size, MAX_BARRIER_ITEMS);
  const size_t private_bytes = (size_t)run->alive * run->program->private_bytes + PRIVATE_ALIGNMENT;
  if (private_bytes > request->memory_limit)
    return no_private_memory(run);
  run->items = calloc(run->alive, sizeof *run->items);
  run->ends = calloc(run->alive + CHUNK_ITEMS, sizeof *run->ends);
  run->private_memory = aligned_alloc(PRIVATE_ALIGNMENT, private_bytes);
  if (!run->items || !run->ends || !run->private_memory)
    return no_private_memory(run);
  for (uint32_t i = 0; i < run->alive; i++) {
    group_run_set_sizes(run, &run->items[i], i);
    group_run_set_local_id(run, &run->items[i], i);
  }
  if (simd_prepare(run) || (run->program->has_barrier && create_stacks(run)) ||
      (run->program->uses_collectives && collectives_create(run)) || shadow_create(run))
    return -1;
  return recording_create(&run->recording, run->alive, request->recording_limit, on_fault, run, run->error);
}

void group_run_release(struct group_run *run) {
  recording_destroy(&run->recording);
  if (run->stack_memory)
    item_stacks_give_back(run->stack_memory, run->alive);
  shadow_destroy(&run->shadow);
  printed_clear(&run->printed);
  group_calls_destroy(run->calls);
  collectives_destroy(run->collectives);
  free(run->stacks);
  free(run->waiting);
  free(run->items);
  free(run->ends);
  free(run->simd);
  free(run->private_memory);
}

int group_run_prepare(struct group_run *run, const struct run_request *request, struct error *error) {
  *run = (struct group_run){.request = request,
                            .program = request->program,
                            .local_size = 1,
                            .sub_group = request->sub_group ? request->sub_group : SUB_GROUP_SIZE,
                            .error = error};
  for (int d = 0; d < 3; d++) {
    const struct workload_launch *launch = request->launch;
    run->local_size *= launch->local[d];
    run->groups[d] = launch->global[d] / launch->local[d];
    run->global_stride[d] = d == 0 ? 1 : run->global_stride[d - 1] * launch->global[d - 1];
  }
  return prepare(run);
}
