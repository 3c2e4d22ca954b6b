/* Runs work-groups in rows (kernel_simd.h): when it is worth compiling the kernel for that, and what is recorded. */
#include "tracegen/run/generated_numbers.h"
#include "tracegen/run/group_run.h"

#include <stdlib.h>
#include <string.h>

/* Compiling takes 5 to 15 ms, in which work-items run about as many million instructions. */
#define WORTH_INSTRUCTIONS 20e6

#define LEAST_ROWS 256 /* tell how many diverge */

static const char *wish(void) {
  const char *value = getenv("REASSEMBLE_SIMD"); /* "never", "always": for tests, and people who work on tracegen */
  return value ? value : "";
}

int rows_prepare(struct group_run *run) {
  const struct kernel_program *program = run->program;
  const struct workload_launch *launch = run->request->launch;
  if (!program->simd || launch->local[0] % SIMD_LANES != 0 || strcmp(wish(), "never") == 0)
    return 0;
  const uint32_t count = run->alive > 1 ? run->alive / SIMD_LANES : 1;
  run->rows = calloc(count, sizeof *run->rows);
  if (!run->rows)
    return error_set(run->error, ERROR_WORK, "out of memory");
  for (uint32_t i = 0; i < count; i++) {
    group_run_set_sizes(run, &run->rows[i], i);
    group_run_set_local_id(run, &run->rows[i], i * SIMD_LANES);
  }
  return 0;
}

static uint64_t instructions_so_far(const struct group_run *run) {
  return run->request->writer ? trace_writer_instructions(run->request->writer) - run->instructions_before
                              : run->instructions;
}

/* The groups that have run tell how much the others will be. */
int rows_choose(struct group_run *run, uint64_t done, uint64_t groups) {
  if (!run->rows || run->program->simd->entry)
    return 0;
  const bool always = strcmp(wish(), "always") == 0;
  const double a_group = done ? (double)instructions_so_far(run) / (double)done : 0;
  if (!always && a_group * (double)(groups - done) < WORTH_INSTRUCTIONS)
    return 0;
  return kernel_simd_compile(run->program->simd, run->error);
}

/* A row that diverges has run in vain: where more than three in eight do, the others save too little. */
void rows_count(struct group_run *run, bool diverged) {
  run->diverged_count += diverged;
  run->rows_part = ++run->row_count >= LEAST_ROWS && run->diverged_count > run->row_count / SIMD_LANES * 3;
}

int rows_hand_over(struct group_run *run, const struct item_context *row) {
  const uint16_t *blocks = recording_blocks(&run->recording, row->slot);
  const uint32_t *addresses = recording_addresses(&run->recording, row->slot);
  const struct trace_row recorded = {.first_item = row->local_id,
                                     .item_count = SIMD_LANES,
                                     .blocks = blocks,
                                     .addresses = addresses,
                                     .block_count = (size_t)(row->blocks - blocks),
                                     .address_count = (size_t)(row->addresses - addresses),
                                     .steps = run->program->simd->steps};
  if (run->recorder)
    return trace_recorder_row(run->recorder, &recorded, run->error);
  if (run->request->writer)
    return trace_writer_row(run->request->writer, &recorded, run->error);
  for (size_t i = 0; i < recorded.block_count; i++)
    run->instructions += SIMD_LANES * (uint64_t)run->program->counted_ops[blocks[i]];
  return 0;
}

static struct item_context item_of_row(const struct item_context *row, uint64_t lane) {
  struct item_context item = *row;
  item.local_id += (uint32_t)lane;
  item.query[QUERY_LOCAL_ID][0] += lane;
  item.query[QUERY_GLOBAL_ID][0] += lane;
  return item;
}

static void check_lane(const struct item_context *row, uint32_t index, uint64_t lane, uint64_t address) {
  const struct kernel_access *access = &row->run->program->accesses[index];
  uint64_t bytes;
  const uint64_t offset = address - group_run_region(row, access, &bytes);
  if (offset <= bytes && access->bytes <= bytes - offset)
    return;
  struct item_context item = item_of_row(row, lane);
  emulation_bad_access(&item, index, address);
}

void emulation_check_simd(struct item_context *row, uint64_t access_and_wrap, uint64_t address) {
  const struct kernel_program *program = row->run->program;
  const uint32_t index = (uint32_t)access_and_wrap;
  const struct kernel_access *access = generated_access(row, index);
  const int64_t step = program->simd->steps[access->op];
  if (access_and_wrap >> 32)
    group_run_wrapped(row, index);
  for (uint64_t lane = 0; lane < SIMD_LANES; lane++)
    check_lane(row, index, lane, address + lane * (uint64_t)step);
  if (!row->run->checked || !access->shadowed || shadow_row_is_defined(row, access, address, step))
    return;
  for (uint64_t lane = 0; lane < SIMD_LANES; lane++) {
    struct item_context item = item_of_row(row, lane);
    shadow_access(&item, index, address + lane * (uint64_t)step);
  }
}

void rows_wrapped(const struct item_context *row, uint32_t index) {
  const struct kernel_program *program = row->run->program;
  group_run_mistake(row, program->code.ops[program->accesses[index].op].line,
                    "an index of 32 bits wraps around between this work-item and its neighbours, and yet none of them "
                    "reaches out of bounds");
}

void rows_spread(struct group_run *run) {
  for (uint32_t i = run->local_size; i-- > 0;) {
    run->waiting[i] = run->waiting[i / SIMD_LANES];
    group_run_set_global_id(run, &run->items[i]);
  }
}
