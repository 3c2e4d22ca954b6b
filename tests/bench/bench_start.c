/* From a kernel's source to its first work-item, by the clock, in milliseconds, the best of some rounds: one line a
 * kernel.
 *
 * "start": from when clang gets the source until the kernel runs: compiling, optimising, native code, buffers. clang
 * has been loaded and waits, as it does for what a command emulates second. Required: 20 ms. "first": the first kernel
 * of a process, from the process's start on: its loading and clang's, the workload's file, and all of the above.
 * Built-in functions are kept (docs/emulator.md): a round before those that count takes them out of PoCL's library. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shipped_workload.h"
#include "stop_watch.h"
#include "tracegen/emulate.h"

enum { ROUNDS = 9, LOADING_US = 100000 };

/* The kernels of bench_against_oclgrind, with small inputs: filling buffers is not what this is about. */
static const char *const names[] = {"gemm-64",  "gemm-tiled-64",  "nbody-1024",
                                    "spmv-ell", "spmv-csr-16384", "bfs-16384"};

/* From source to first work-item; *at: when that was. */
static double start_once(const struct workload *w, double *at) {
  const struct emulate_options options = {0};
  struct error error = ERROR_INIT;
  struct emulate_result result;
  must(emulate_workload(w, &options, false, &result, &error), &error);
  const double start = result.launches[0].first_item_s;
  *at = result.launches[0].source_at_s + start;
  emulate_result_clear(&result);
  return start;
}

static double start_of_loaded(const char *name) {
  struct workload *w = shipped_workload(name);
  double best = 1e9, at;
  start_once(w, &at);
  for (int round = 0; round < ROUNDS; round++) {
    emulate_expect(NULL);
    usleep(LOADING_US);
    best = less(best, start_once(w, &at));
  }
  workload_destroy(w);
  return best;
}

/* In the process that first_of starts. */
static int print_first(const char *name) {
  double at;
  emulate_expect(NULL);
  struct workload *w = shipped_workload(name);
  start_once(w, &at);
  workload_destroy(w);
  printf("%.6f\n", at);
  return 0;
}

static double first_of(const char *program, const char *name) {
  char command[8192];
  double best = 1e9, at;
  snprintf(command, sizeof command, "exec '%s' --first '%s'", program, name);
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = now();
    FILE *from = popen(command, "r");
    const int found = from ? fscanf(from, "%lf", &at) : 0;
    if (from && pclose(from) == 0 && found == 1)
      best = less(best, at - begin);
  }
  return best;
}

int main(int argc, char **argv) {
  const struct program_path program = program_path();
  if (argc == 3 && strcmp(argv[1], "--first") == 0)
    return print_first(argv[2]);
  printf("%-16s %12s %8s\n", "ms", "start (< 20)", "first");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const double start = start_of_loaded(names[i]);
    printf("%-16s %12.1f %8.1f\n", names[i], 1e3 * start, 1e3 * first_of(program.text, names[i]));
    fflush(stdout);
  }
  return 0;
}
