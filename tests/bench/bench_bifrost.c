/* Measures the speed of recorded jobs of Bifrost GPUs, alone and with a trace, on one thread: tuples of warps, tuples
 * of work-items, and work-item instructions (as the trace counts them) a second. Each job is run for at least half a
 * second; it is measured by the processor time of this process. The last columns are the instructions of a job, how
 * many microseconds of a traced job pass before its first and after its last work-group, and the speed between these.
 * Usage: bench_bifrost [GPU/RECORDING...] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/record/job_recording.h"
#include "tracegen/bifrost/trace/trace_dispatch.h"

#define LEAST_SECONDS 0.5

struct counts {
  uint64_t warp_tuples, item_tuples;
};

static void count(void *context, const struct bifrost_position *at) {
  struct counts *counts = context;
  unsigned tuples = at->shader->clauses[at->clause].tuple_count;
  counts->warp_tuples += tuples;
  counts->item_tuples += (uint64_t)tuples * (unsigned)__builtin_popcount(at->lanes);
}

static double processor_seconds(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static int run_plain(const struct bifrost_dispatch *dispatch, double *seconds, struct error *error) {
  double start = processor_seconds();
  unsigned runs = 0;
  for (; processor_seconds() - start < LEAST_SECONDS; runs++)
    if (bifrost_execute(dispatch, NULL, error))
      return -1;
  *seconds = (processor_seconds() - start) / runs;
  return 0;
}

struct traced {
  double seconds, around; /* of a job, and of them those around its work-groups */
  uint64_t instructions;
};

static int run_traced(const struct bifrost_dispatch *dispatch, struct traced *out, struct error *error) {
  const struct bifrost_launch launch = {
      .kernel = "k", .workload = "", .source_file = "", .source_digest = "", .options = "", .dimensions = 3};
  struct bifrost_outcome outcome;
  double start = processor_seconds();
  unsigned runs = 0;
  *out = (struct traced){0};
  for (; processor_seconds() - start < LEAST_SECONDS; runs++) {
    if (bifrost_trace_dispatch(dispatch, &launch, "bench_bifrost.rtrace", &outcome, error))
      return -1;
    out->around += outcome.around_cpu_s;
  }
  out->seconds = (processor_seconds() - start) / runs;
  out->around /= runs;
  out->instructions = outcome.work_item_instructions;
  return 0;
}

static int measure(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct counts counts = {0};
  const struct bifrost_listener listener = {.context = &counts, .clause = count};
  const struct bifrost_run_options options = {.listener = &listener};
  struct traced traced;
  double plain;
  if (bifrost_execute(dispatch, &options, error) || run_plain(dispatch, &plain, error) ||
      run_traced(dispatch, &traced, error))
    return -1;
  const double instructions = (double)traced.instructions;
  printf("%-20s %8.1f %8.1f %8.1f %8.1f %12.0f %8.0f %8.1f\n", (const char *)context,
         (double)counts.warp_tuples / plain * 1e-6, (double)counts.item_tuples / plain * 1e-6,
         instructions / plain * 1e-6, instructions / traced.seconds * 1e-6, instructions, traced.around * 1e6,
         instructions / (traced.seconds - traced.around) * 1e-6);
  return 0;
}

static int measure_recording(const char *name, struct error *error) {
  struct bifrost_recording *recording;
  char path[4096], label[64];
  snprintf(path, sizeof path, "%s/datasets/bifrost/recordings/%s.rbifrost", getenv("REASSEMBLE_DATA"), name);
  snprintf(label, sizeof label, "%s", name);
  if (bifrost_recording_read(path, &recording, error))
    return -1;
  const struct bifrost_job_handler handler = {.dispatch = measure, .context = label};
  int result = bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, error);
  bifrost_recording_destroy(recording);
  return result;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"g71/gemm",          "g52/gemm",           "g71/tiled-product",
                                      "g52/tiled-product", "g71/stencil",        "g71/collatz",
                                      "g52/elementary",    "g71/private-arrays", NULL};
  const char *const *list = argc > 1 ? (const char *const *)argv + 1 : names;
  struct error error = ERROR_INIT;
  if (!getenv("REASSEMBLE_DATA")) {
    fprintf(stderr, "set REASSEMBLE_DATA to the source tree\n");
    return 2;
  }
  printf("millions a second       warp     item    instructions\njob                   tuples   tuples    plain   "
         "traced instructions   around  between\n");
  for (; *list; list++)
    if (measure_recording(*list, &error)) {
      error_print(&error, stderr);
      return error_exit_code(&error);
    }
  remove("bench_bifrost.rtrace");
  return 0;
}
