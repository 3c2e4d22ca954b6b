/* Speed of emulation: million work-item instructions per second, with and without a trace, for shipped workloads (or
 * those named on the command line), on one core. Prints one line a launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tracegen/emulate.h"

static void die(const struct error *error) {
  error_print(error, stderr);
  exit(1);
}

static struct emulate_result run(const struct workload *workload, const char *directory) {
  struct error error = ERROR_INIT;
  struct emulate_result result;
  const struct emulate_options options = {.trace_directory = directory};
  if (emulate_workload(workload, &options, false, &result, &error))
    die(&error);
  return result;
}

static double rate(const struct emulate_launch *launch) {
  return (double)launch->work_item_instructions / launch->run_s / 1e6;
}

static void bench_one(const char *path) {
  struct error error = ERROR_INIT;
  struct workload *workload;
  if (workload_load(path, &workload, &error))
    die(&error);
  struct emulate_result plain = run(workload, NULL), traced = run(workload, "bench-traces");
  for (size_t i = 0; i < traced.launch_count; i++) {
    const struct emulate_launch *t = &traced.launches[i];
    printf("%-20s %-20s %14.0f instructions  emulated %6.0f M/s  traced %6.0f M/s  build %5.3f s  %.6f "
           "bytes/instruction\n",
           workload->name, t->kernel, (double)t->work_item_instructions, rate(&plain.launches[i]), rate(t), t->build_s,
           (double)t->trace_bytes / (double)t->work_item_instructions);
  }
  emulate_result_clear(&plain);
  emulate_result_clear(&traced);
  workload_destroy(workload);
}

static void bench(const char *name) {
  struct error error = ERROR_INIT;
  char **paths;
  size_t count;
  if (workload_expand(name, &paths, &count, &error))
    die(&error);
  for (size_t i = 0; i < count; i++)
    bench_one(paths[i]);
  data_list_free(paths, count);
}

int main(int argc, char **argv) {
  static const char *const shipped[] = {"gemm-512", "gemm-256", "gemm-tiled-64",
                                        "collatz",  "spmv-ell", "gemm-variants"};
  for (int i = 1; i < argc; i++)
    bench(argv[i]);
  for (size_t i = 0; argc == 1 && i < sizeof shipped / sizeof *shipped; i++)
    bench(shipped[i]);
  return 0;
}
