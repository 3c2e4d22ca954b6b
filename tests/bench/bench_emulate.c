/* Speed of emulation: million work-item instructions per second of processor time (others may use the machine), with
 * and without a trace, for shipped workloads (or those named on the command line), on one core. One line a launch. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tracegen/emulate.h"

static void die(const struct error *error) {
  error_print(error, stderr);
  exit(1);
}

#define ROUNDS 5

static struct emulate_result run(const struct workload *workload, const char *directory) {
  struct error error = ERROR_INIT;
  struct emulate_result result;
  const struct emulate_options options = {.trace_directory = directory};
  if (emulate_workload(workload, &options, false, &result, &error))
    die(&error);
  return result;
}

/* The best times of each launch in several rounds. */
static struct emulate_result best_run(const struct workload *workload, const char *directory) {
  struct emulate_result best = run(workload, directory);
  for (int round = 1; round < ROUNDS; round++) {
    struct emulate_result next = run(workload, directory);
    for (size_t i = 0; i < best.launch_count; i++) {
      struct emulate_launch *b = &best.launches[i], *n = &next.launches[i];
      b->cpu_s = n->cpu_s < b->cpu_s ? n->cpu_s : b->cpu_s;
      b->build_s = n->build_s < b->build_s ? n->build_s : b->build_s;
    }
    emulate_result_clear(&next);
  }
  return best;
}

static double rate(double instructions, double seconds) {
  return instructions / seconds / 1e6;
}

/* The traces are removed; their sizes are in the result. */
static struct emulate_result best_traced_run(const struct workload *workload) {
  char folder[PATH_MAX];
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/reassemble-bench-XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(1);
  }
  struct emulate_result traced = best_run(workload, folder);
  for (size_t i = 0; i < traced.launch_count; i++)
    unlink(traced.launches[i].trace_path);
  rmdir(folder);
  return traced;
}

static void bench_one(const char *path) {
  struct error error = ERROR_INIT;
  struct workload *workload;
  if (workload_load(path, &workload, &error))
    die(&error);
  struct emulate_result plain = best_run(workload, NULL), traced = best_traced_run(workload);
  double instructions = 0, plain_s = 0, traced_s = 0, bytes = 0;
  for (size_t i = 0; i < traced.launch_count; i++) {
    const struct emulate_launch *t = &traced.launches[i];
    const double count = (double)t->work_item_instructions;
    printf("%-20s %-20s %14.0f instructions  emulated %6.0f M/s  traced %6.0f M/s  build %5.3f s  %.6f "
           "bytes/instruction\n",
           workload->name, t->kernel, count, rate(count, plain.launches[i].cpu_s), rate(count, t->cpu_s), t->build_s,
           (double)t->trace_bytes / count);
    instructions += count;
    plain_s += plain.launches[i].cpu_s;
    traced_s += t->cpu_s;
    bytes += (double)t->trace_bytes;
  }
  if (traced.launch_count > 1)
    printf("%-20s %-20s %14.0f instructions  emulated %6.0f M/s  traced %6.0f M/s  %.6f bytes/instruction\n",
           workload->name, "(all launches)", instructions, rate(instructions, plain_s), rate(instructions, traced_s),
           bytes / instructions);
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
