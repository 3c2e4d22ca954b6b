/* The speed of the main path on one core, in one run: emulate the workload gemm-512 (or another one) with a trace, then
 * replay the trace on the Mali-G71 MP8. Prints work-item instructions per second of both and the trace's bytes per
 * instruction; every round of each is shown as a minimum, a median and a maximum, because machines are noisy. Usage:
 * bench_gemm_512 [WORKLOAD] */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "model/simulate.h"
#include "stop_watch.h"
#include "trace/trace.h"
#include "tracegen/emulate.h"

enum { ROUNDS = 5, REPLAYS = 3 };

static void must(int status, const struct error *error) {
  if (status == 0)
    return;
  error_print(error, stderr);
  exit(1);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_rates(const char *what, double *seconds, int count, double instructions) {
  qsort(seconds, (size_t)count, sizeof *seconds, ascending);
  printf("%-10s M work-item instructions/s: minimum %6.0f, median %6.0f, maximum %6.0f of %d rounds\n", what,
         instructions / seconds[count - 1] / 1e6, instructions / seconds[count / 2] / 1e6,
         instructions / seconds[0] / 1e6, count);
}

static void bench_replay(const char *path, double *seconds) {
  struct error error = ERROR_INIT;
  struct trace *trace;
  struct gpu *gpu;
  struct isa_profile *isa;
  must(trace_load(path, &trace, &error), &error);
  must(gpu_load("mali-g71-mp8-thesis", &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  for (int i = 0; i < REPLAYS; i++) {
    struct sim_result result;
    const double begin = now();
    must(simulate(trace, isa, &gpu->spec, &result, &error), &error);
    seconds[i] = now() - begin;
    sim_result_clear(&result);
  }
  isa_destroy(isa);
  gpu_destroy(gpu);
  trace_destroy(trace);
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  char *path, folder[] = "/tmp/reassemble-bench-XXXXXX";
  struct workload *workload;
  must(data_find(DATA_WORKLOAD, argc > 1 ? argv[1] : "gemm-512", &path, &error), &error);
  must(workload_load(path, &workload, &error), &error);
  if (!mkdtemp(folder))
    return 1;

  double emulation[ROUNDS], replay[REPLAYS], instructions = 0, bytes = 0;
  const struct emulate_options options = {.trace_directory = folder};
  for (int i = 0; i < ROUNDS; i++) {
    struct emulate_result result;
    must(emulate_workload(workload, &options, false, &result, &error), &error);
    emulation[i] = result.launches[0].run_s;
    instructions = (double)result.launches[0].work_item_instructions;
    bytes = (double)result.launches[0].trace_bytes;
    if (i == ROUNDS - 1)
      bench_replay(result.launches[0].trace_path, replay);
    for (size_t l = 0; l < result.launch_count; l++)
      unlink(result.launches[l].trace_path);
    emulate_result_clear(&result);
  }
  rmdir(folder);
  printf("%s: %.0f work-item instructions, trace %.0f bytes, %.3g bytes per instruction\n", workload->name,
         instructions, bytes, bytes / instructions);
  print_rates("emulation", emulation, ROUNDS, instructions);
  print_rates("replay", replay, REPLAYS, instructions);
  workload_destroy(workload);
  free(path);
  return 0;
}
