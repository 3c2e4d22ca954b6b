/* Measures the speed of emulated machine code of a Bifrost GPU, beside the default front end and Oclgrind, in one run:
 * M work-item instructions a second of processor time, as each front end's traces count them, with traces, on one
 * thread. A tuple has two of them, its slots. Oclgrind's are the default front end's instructions in Oclgrind's time.
 * Launches only, without the driver's compiler. Needs tools/bifrost-setup and Oclgrind (docs/bifrost.md).
 * Usage: bench_machine_code [WORKLOAD...] */
#include <stdlib.h>
#include <unistd.h>

#include "device_seconds.h"
#include "shipped_workload.h"
#include "stop_watch.h"
#include "tracegen/emulate.h"

enum { ROUNDS = 3 };

static const char *const names[] = {"gemm-64", "gemm-tiled-64", "spmv-csr-16384", "stencil", "mandelbrot-256", NULL};

struct measured {
  double instructions, seconds;
};

static const struct front_end *find_machine_code(void) {
  size_t i = 0;
  while (front_ends[i] && !front_ends[i]->emulate)
    i++;
  return front_ends[i];
}

static struct measured emulate_once(const struct workload *w, const struct front_end *front_end, const char *folder) {
  const struct emulate_options options = {.front_end = front_end, .trace_directory = folder, .quiet = true};
  struct error error = ERROR_INIT;
  struct emulate_result result;
  struct measured m = {0};
  must(emulate_workload(w, &options, false, &result, &error), &error);
  for (size_t i = 0; i < result.launch_count; i++) {
    m.seconds += result.launches[i].cpu_s;
    m.instructions += (double)result.launches[i].work_item_instructions;
    unlink(result.launches[i].trace_path);
  }
  emulate_result_clear(&result);
  return m;
}

static struct measured best_of(const struct workload *w, const struct front_end *front_end, const char *folder) {
  struct measured best = emulate_once(w, front_end, folder);
  for (int round = 1; round < ROUNDS; round++)
    best.seconds = less(best.seconds, emulate_once(w, front_end, folder).seconds);
  return best;
}

static void bench(const char *program, const char *name, const char *folder) {
  struct workload *w = shipped_workload(name);
  const struct measured machine = best_of(w, find_machine_code(), folder), ours = best_of(w, NULL, folder);
  const double oclgrind = device_seconds("oclgrind --num-threads 1", program, name, 1).cpu;
  printf("%-16s %12.1f %12.1f %12.1f %12.2f\n", name, machine.instructions / machine.seconds / 2e6,
         machine.instructions / machine.seconds / 1e6, ours.instructions / ours.seconds / 1e6,
         oclgrind > 0 ? ours.instructions / oclgrind / 1e6 : 0);
  fflush(stdout);
  workload_destroy(w);
}

int main(int argc, char **argv) {
  const struct program_path program = program_path();
  const char *const *list = argc > 1 ? (const char *const *)argv + 1 : names;
  char folder[] = "/tmp/reassemble-bench-XXXXXX";
  if (!mkdtemp(folder))
    return 1;
  printf("%-16s %12s %12s %12s %12s\n", "M a second", "tuples", "machine code", "default", "Oclgrind");
  for (; *list; list++)
    bench(program.text, *list, folder);
  rmdir(folder);
  return 0;
}
