/* Emulation with tracing and bounds checks, on one job and on two, beside Oclgrind and PoCL on this machine, in one
 * run.
 *
 * Oclgrind runs a smaller size of the same kernel where there is one. All speeds are in work-item instructions as
 * traces count them, a second: what Oclgrind or PoCL execute for one of them is their affair. Launches only: programs
 * are built before, by a run that is not timed. Usage: bench_against_oclgrind */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shipped_workload.h"
#include "tracegen/emulate.h"

static const struct {
  const char *name, *small;
} rows[] = {{"gemm-512", "gemm-64"},
            {"gemm-tiled-256", "gemm-tiled-64"},
            {"spmv-csr-16384", "spmv-csr-16384"},
            {"bfs-16384", "bfs-16384"},
            {"nbody-1024", "nbody-1024"}};

/* What bench_opencl_launches, which lies beside this program, prints; 0: it failed. */
static double device_seconds(const char *before, const char *program, const char *name) {
  char command[8192];
  double seconds = 0;
  snprintf(command, sizeof command, "%s '%.*s/bench_opencl_launches' '%s'", before,
           (int)(strrchr(program, '/') - program), program, name);
  FILE *from = popen(command, "r");
  const int found = from ? fscanf(from, "%lf", &seconds) : 0;
  return from && pclose(from) == 0 && found == 1 ? seconds : 0;
}

static double emulated_seconds(const char *name, unsigned jobs, double *instructions) {
  struct error error = ERROR_INIT;
  struct workload *w = shipped_workload(name);
  char folder[] = "/tmp/reassemble-bench-XXXXXX";
  struct emulate_result result;
  double best = 0;
  if (mkdtemp(folder) == NULL)
    exit(1);
  const struct emulate_options options = {.trace_directory = folder, .jobs = jobs};
  for (int round = 0; round < 3; round++) {
    double seconds = 0;
    *instructions = 0;
    must(emulate_workload(w, &options, false, &result, &error), &error);
    for (size_t i = 0; i < result.launch_count; i++) {
      seconds += result.launches[i].run_s;
      *instructions += (double)result.launches[i].work_item_instructions;
      unlink(result.launches[i].trace_path);
    }
    emulate_result_clear(&result);
    best = round == 0 || seconds < best ? seconds : best;
  }
  rmdir(folder);
  workload_destroy(w);
  return best;
}

static void bench(const char *program, const char *name, const char *small) {
  double instructions, few;
  const double one = emulated_seconds(name, 1, &instructions), two = emulated_seconds(name, 2, &instructions);
  const double pocl = device_seconds("", program, name);
  emulated_seconds(small, 1, &few);
  const double oclgrind = device_seconds("oclgrind --num-threads 1", program, small);
  printf("%-16s %8.0f %8.0f %6.2f %9.0f %8.2f", name, instructions / one / 1e6, instructions / two / 1e6, one / two,
         instructions / pocl / 1e6, one / pocl);
  if (oclgrind > 0)
    printf(" %9.2f %8.0f\n", few / oclgrind / 1e6, instructions / one / (few / oclgrind));
  else
    printf("  oclgrind did not run (is it installed?)\n");
  fflush(stdout);
}

int main(void) {
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length < 0)
    return 1;
  program[length] = '\0';
  printf("M work-item instructions/s; ours with traces, best of 3; PoCL on all processors\n"
         "%-16s %8s %8s %6s %9s %8s %9s %8s\n",
         "", "1 job", "2 jobs", "ratio", "PoCL", "PoCL x", "Oclgrind", "ratio");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    bench(program, rows[i].name, rows[i].small);
  return 0;
}
