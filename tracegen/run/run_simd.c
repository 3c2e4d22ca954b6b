#include "tracegen/run/run_simd.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/run/shadow_accesses.h"

/* Compiling takes 5 to 15 ms, in which work-items run about as many million instructions. */
#define WORTH_INSTRUCTIONS 20e6

#define LEAST_SIMD_GROUPS 256 /* that have to run before their divergence is judged */

/* Returns "never", "always" or "": a wish of tests and of people who work on the emulator. */
static const char *wish(void) {
  const char *value = getenv("REASSEMBLE_SIMD");
  return value ? value : "";
}

int simd_prepare(struct group_run *run) {
  const struct kernel_program *program = run->program;
  const struct workload_launch *launch = run->request->launch;
  if (!program->simd || launch->local[0] % SIMD_LANES != 0 || strcmp(wish(), "never") == 0)
    return 0;
  const uint32_t count = run->alive > 1 ? run->alive / SIMD_LANES : 1;
  run->simd = calloc(count, sizeof *run->simd);
  if (!run->simd)
    return error_no_memory(run->error);
  for (uint32_t i = 0; i < count; i++) {
    group_run_set_sizes(run, &run->simd[i], i);
    group_run_set_local_id(run, &run->simd[i], i * SIMD_LANES);
  }
  return 0;
}

static uint64_t instructions_so_far(const struct group_run *run) {
  return run->request->writer ? trace_writer_instructions(run->request->writer) - run->instructions_before
                              : run->instructions;
}

/* Estimates the work that is left by the work-groups that have run. */
int simd_choose(struct group_run *run, uint64_t done, uint64_t groups) {
  if (!run->simd || run->program->simd->entry)
    return 0;
  const bool always = strcmp(wish(), "always") == 0;
  const double a_group = done ? (double)instructions_so_far(run) / (double)done : 0;
  if (!always && a_group * (double)(groups - done) < WORTH_INSTRUCTIONS)
    return 0;
  return kernel_simd_compile(run->program->simd, run->error);
}

/* The work of a SIMD group that diverges is lost: where more than three in eight do, the others save too little. */
void simd_count(struct group_run *run, bool diverged) {
  run->simd_diverged_count += diverged;
  run->simd_is_wasteful =
      ++run->simd_run_count >= LEAST_SIMD_GROUPS && run->simd_diverged_count > run->simd_run_count / SIMD_LANES * 3;
}

int simd_record(struct group_run *run, const struct item_context *lanes) {
  const uint16_t *blocks = recording_blocks(&run->recording, lanes->slot);
  const uint32_t *addresses = recording_addresses(&run->recording, lanes->slot);
  const struct trace_affine_items recorded = {.first_item = lanes->local_id,
                                              .item_count = SIMD_LANES,
                                              .blocks = blocks,
                                              .addresses = addresses,
                                              .block_count = (size_t)(lanes->blocks - blocks),
                                              .address_count = (size_t)(lanes->addresses - addresses),
                                              .steps = run->program->simd->steps};
  if (run->encoder)
    return trace_encoder_affine(run->encoder, &recorded, run->error);
  if (run->request->writer)
    return trace_writer_affine(run->request->writer, &recorded, run->error);
  for (size_t i = 0; i < recorded.block_count; i++)
    run->instructions += SIMD_LANES * (uint64_t)run->program->counted_ops[blocks[i]];
  return 0;
}

static struct item_context item_of_lane(const struct item_context *lanes, uint64_t lane) {
  struct item_context item = *lanes;
  item.local_id += (uint32_t)lane;
  item.query[QUERY_LOCAL_ID][0] += lane;
  item.query[QUERY_GLOBAL_ID][0] += lane;
  return item;
}

static void check_lane(const struct item_context *lanes, uint32_t index, uint64_t lane, uint64_t address) {
  const struct kernel_access *access = &lanes->run->program->accesses[index];
  uint64_t bytes;
  const uint64_t offset = address - group_run_region(lanes, access, &bytes);
  if (offset <= bytes && access->bytes <= bytes - offset)
    return;
  struct item_context item = item_of_lane(lanes, lane);
  emulation_bad_access(&item, index, address);
}

void emulation_check_simd(struct item_context *lanes, uint64_t access_and_wrap, uint64_t address) {
  const struct kernel_program *program = lanes->run->program;
  const uint32_t index = (uint32_t)access_and_wrap;
  const struct kernel_access *access = generated_access(lanes, index);
  const int64_t step = program->simd->steps[access->op];
  if (access_and_wrap >> 32)
    simd_run_again(lanes, index);
  for (uint64_t lane = 0; lane < SIMD_LANES; lane++)
    check_lane(lanes, index, lane, address + lane * (uint64_t)step);
  if (!lanes->run->checked || !access->shadowed || shadow_lanes_are_defined(lanes, access, address, step))
    return;
  for (uint64_t lane = 0; lane < SIMD_LANES; lane++) {
    struct item_context item = item_of_lane(lanes, lane);
    shadow_access(&item, index, address + lane * (uint64_t)step);
  }
}

void simd_wrapped(const struct item_context *lanes, uint32_t index) {
  const struct kernel_program *program = lanes->run->program;
  group_run_mistake(lanes, program->code.ops[program->accesses[index].op].line,
                    "an index of 32 bits wraps around between this work-item and its neighbours, and yet none of them "
                    "reaches out of bounds");
}
