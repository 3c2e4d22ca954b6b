/* The speed of emulation beside those of Oclgrind and PoCL on this machine, in one run: one line for each kernel,
 * with the required values in the line of column heads.
 *
 * Ours: with traces and all checks. All speeds are in work-item instructions as traces count them, a second; what
 * Oclgrind (on a smaller size of the same kernel) or PoCL (one thread) execute for one of them is their affair.
 * Launches only, the best of some rounds. All of one thread in processor time, which others on the machine disturb
 * less.
 *
 * Two jobs run larger inputs, of which one job emulates half a second or more: the launches above take some ten
 * milliseconds, of which the start of threads and code for rows, which one thread compiles, are a part. "two jobs":
 * how many times faster by the clock than one, on an idle machine; "cpu": their processor time over that of one,
 * also on a busy machine; "whole": the same by the clock with all that comes before and after the launches
 * (compilation, filling buffers); "PoCL": how many times faster PoCL is with two threads than with one, on the
 * smaller inputs. Traces go to $TMPDIR (or /tmp) and are synced there: in a folder in memory (/dev/shm) the clock
 * does not tell of disks. How long it takes from source to first work-item: bench_start. Usage:
 * bench_against_oclgrind [PART OF A KERNEL'S NAME] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_seconds.h"
#include "shipped_workload.h"
#include "stop_watch.h"
#include "tracegen/emulate.h"

enum { ROUNDS = 7, LARGE_ROUNDS = 5, DEVICE_ROUNDS = 5 };

/* Large inputs for us, so that what a launch costs at all does not count; .yaml: beside this file. */
static const struct {
  const char *name, *small, *large; /* for Oclgrind, for two jobs */
  int faster, slower;               /* than Oclgrind at least, than PoCL at most: regular and irregular kernels */
} rows[] = {{"gemm-512", "gemm-64", BENCH_FOLDER "/gemm-1024.yaml", 200, 3},
            {"gemm-tiled-256", "gemm-tiled-64", BENCH_FOLDER "/gemm-tiled-2048.yaml", 200, 3},
            {BENCH_FOLDER "/nbody-4096.yaml", "nbody-1024", BENCH_FOLDER "/nbody-16384.yaml", 200, 3},
            {BENCH_FOLDER "/spmv-ell-262144.yaml", "spmv-ell", BENCH_FOLDER "/spmv-ell-1048576.yaml", 40, 15},
            {BENCH_FOLDER "/spmv-csr-262144.yaml", "spmv-csr-16384", BENCH_FOLDER "/spmv-csr-1048576.yaml", 40, 15},
            {BENCH_FOLDER "/bfs-65536.yaml", "bfs-16384", BENCH_FOLDER "/bfs-1048576.yaml", 40, 15}};

struct measured {
  double instructions, bytes, seconds, cpu, whole;
};

static struct measured emulate_once(const struct workload *w, const char *folder, unsigned jobs) {
  const struct emulate_options options = {.trace_directory = folder, .more_follow = true, .jobs = jobs};
  struct error error = ERROR_INIT;
  struct emulate_result result;
  struct measured m = {0};
  const double start = now();
  must(emulate_workload(w, &options, false, &result, &error), &error);
  m.whole = now() - start;
  for (size_t i = 0; i < result.launch_count; i++) {
    const struct emulate_launch *l = &result.launches[i];
    m.seconds += l->run_s;
    m.cpu += l->cpu_s;
    m.instructions += (double)l->work_item_instructions;
    m.bytes += (double)l->trace_bytes;
    unlink(l->trace_path);
  }
  emulate_result_clear(&result);
  return m;
}

/* best[0]: one job, best[1]: two, in turns; up to `most` jobs. */
static void emulate(const char *name, int rounds, unsigned most, struct measured best[2]) {
  struct workload *w = shipped_workload(name);
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/reassemble-bench-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  if (!mkdtemp(folder))
    exit(1);
  for (int round = 0; round < rounds; round++)
    for (unsigned jobs = 1; jobs <= most; jobs++) {
      const struct measured m = emulate_once(w, folder, jobs);
      struct measured *b = &best[jobs - 1];
      *b = round == 0 ? m
                      : (struct measured){m.instructions, m.bytes, less(b->seconds, m.seconds), less(b->cpu, m.cpu),
                                          less(b->whole, m.whole)};
    }
  rmdir(folder);
  workload_destroy(w);
}

static void print_head(void) {
  printf("%-16s %9s %9s %8s %12s %8s %12s %9s %6s %6s %6s %9s\n", "M instructions/s", "one job", "Oclgrind", "faster",
         "(required)", "PoCL", "slower (max)", "two jobs", "cpu", "whole", "PoCL", "bytes");
  printf("%-16s %9s %9s %8s %12s %8s %12s %9s %6s %6s %6s %9s\n", "", "", "", "times", "", "1 thread", "times",
         ">= 1.8", "", "", "", "/instr.");
}

static void bench(const char *program, size_t row) {
  const char *name = strrchr(rows[row].name, '/') ? strrchr(rows[row].name, '/') + 1 : rows[row].name;
  struct measured ours[2], few[2], many[2];
  emulate(rows[row].name, ROUNDS, 1, ours);
  emulate(rows[row].small, 1, 1, few);
  emulate(rows[row].large, LARGE_ROUNDS, 2, many);
  const struct device_times one = device_seconds("POCL_MAX_PTHREAD_COUNT=1", program, rows[row].name, DEVICE_ROUNDS),
                            two = device_seconds("POCL_MAX_PTHREAD_COUNT=2", program, rows[row].name, DEVICE_ROUNDS);
  const double pocl = one.cpu, oclgrind = device_seconds("oclgrind --num-threads 1", program, rows[row].small, 1).cpu;
  const double speed = ours[0].instructions / ours[0].cpu, theirs = oclgrind > 0 ? few[0].instructions / oclgrind : 0;
  printf("%-16.*s %9.0f %9.2f %8.0f %12d %8.0f %9.2f %2d %9.2f %6.3f %6.2f %6.2f %9.6f\n", (int)strcspn(name, "."),
         name, speed / 1e6, theirs / 1e6, theirs > 0 ? speed / theirs : 0, rows[row].faster,
         pocl > 0 ? ours[0].instructions / pocl / 1e6 : 0, pocl > 0 ? ours[0].cpu / pocl : 0, rows[row].slower,
         many[0].seconds / many[1].seconds, many[1].cpu / many[0].cpu, many[0].whole / many[1].whole,
         two.clock > 0 ? one.clock / two.clock : 0, ours[0].bytes / ours[0].instructions);
  fflush(stdout);
}

int main(int argc, char **argv) {
  const struct program_path program = program_path();
  print_head();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (argc < 2 || strstr(rows[i].name, argv[1]))
      bench(program.text, i);
  return 0;
}
