#include "tracegen/run/run_groups.h"

#include <inttypes.h>

#include "base/clock.h"
#include "trace/write/work_limit.h"
#include "tracegen/abi/phases.h"
#include "tracegen/run/run_simd.h"
#include "tracegen/run/run_threads.h"
#include "tracegen/run/watchdog.h"
#include "tracegen/run/work_group.h"

#define ONE_THREAD_S 0.0005 /* shorter launches are not worth starting threads, about 0.1 ms each (measured) */

/* Runs all work-groups, or those that start in the first `limit_s` seconds; at least one, because it tells whether SIMD
 * is worth it. *next becomes the first that did not run. */
static int run_on_one_thread(const struct run_request *request, uint64_t groups, double limit_s, uint64_t *next,
                             uint64_t *instructions, struct error *error) {
  const double start = clock_seconds();
  struct group_run run;
  if (group_run_prepare(&run, request, error)) {
    group_run_release(&run);
    return -1;
  }
  run.instructions_before = request->writer ? trace_writer_instructions(request->writer) : 0;
  recording_enter(&run.recording);
  int status = watchdog_start(request->deadline_s, error);
  *request->first_item_s = clock_seconds();
  for (*next = 0; !status && *next < groups && (*next == 0 || limit_s <= 0 || clock_seconds() - start < limit_s);
       ++*next) {
    const uint32_t group = run_request_group(request, *next);
    if (request->only_checked_groups && !shadow_checks_group(request, group))
      continue;
    status = simd_choose(&run, *next, groups) || group_run_group(&run, group) ||
                     work_limit_check(run.instructions, request->most_instructions, error)
                 ? -1
                 : 0;
    if (request->groups_done)
      *request->groups_done = *next + 1;
  }
  if (!status && *next < groups) /* on other threads */
    status = simd_choose(&run, *next, groups);
  if (request->simd_groups)
    *request->simd_groups = run.simd_groups;
  *instructions = run.instructions;
  watchdog_end();
  recording_leave(&run.recording);
  group_run_release(&run);
  return status;
}

/* The writer counts the instructions of what is recorded. */
static void count_recorded(const struct run_request *request, uint64_t before, uint64_t *instructions) {
  if (request->writer)
    *instructions = trace_writer_instructions(request->writer) - before;
}

bool run_groups_depend_on_order(const struct trace_code *code) {
  for (uint32_t i = 0; i < code->op_count; i++)
    if (code->ops[i].op_class == OP_ATOMIC && code->ops[i].space != SPACE_LOCAL)
      return true;
  return false;
}

int run_groups(const struct run_request *request, uint64_t *instructions, struct error *error) {
  const struct workload_launch *launch = request->launch;
  uint64_t groups = 1, next;
  for (int d = 0; d < 3; d++)
    groups *= launch->global[d] / launch->local[d];
  if (groups > UINT32_MAX)
    return error_set(error, ERROR_INPUT, "kernel %s: %" PRIu64 " work-groups; at most 2^32 - 1 are supported",
                     request->program->name, groups);
  if (request->groups)
    groups = request->group_count;
  const bool alone =
      request->jobs < 2 || request->program->print_count > 0 || run_groups_depend_on_order(&request->program->code);
  const uint64_t before = request->writer ? trace_writer_instructions(request->writer) : 0;
  phase_mark(NULL);
  int status = run_on_one_thread(request, groups, alone ? 0 : ONE_THREAD_S, &next, instructions, error);
  phase_mark("running on one thread");
  if (!status && next < groups)
    status = run_on_threads(request, next, groups, instructions, error);
  count_recorded(request, before, instructions);
  return status;
}
