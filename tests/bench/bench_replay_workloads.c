/* How fast traces are replayed, and in how much memory, in one run: a table over regular and irregular workloads.
 *
 * Each workload is emulated once; then all its launches' traces are read and replayed, one thread, in a process of its
 * own, several times; the best processor time counts, reading included. Memory: the most that process held, less what
 * one holds that reads nothing. GPUs: the Mali-G71 MP8 as shipped (engines wait for memory), and with everything that
 * can be limited limited, engines waiting and not. The limits are round numbers: they are there to cost time.
 * Usage: bench_replay_workloads [ROUNDS, default 5] [WORKLOAD...] */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/simulate.h"
#include "shipped_workload.h"
#include "trace/trace.h"
#include "tracegen/emulate.h"

struct replay {
  struct emulate_result *traces;
  const struct gpu_spec *spec; /* NULL: only what there is before a trace is read */
  const struct isa_profile *isa;
};

struct cost {
  double seconds, bytes;
  uint64_t instructions, events;
};

static void limit_everything(struct gpu_spec *spec) {
  spec->lsu_transactions_per_cycle = 1;
  spec->l1_l2_bytes_per_cycle = 64;
  spec->l1_mshrs = 16;
  spec->l2_slices = 4;
  spec->l2_bytes_per_cycle = 256;
  spec->l2_mshrs = 32;
  spec->dram_bytes_per_cycle = 28;
  spec->dram_banks = 8;
  spec->dram_row_bytes = 2048;
  spec->dram_row_miss_cycles = 20;
  spec->l1_index_hash = true;
}

/* In the child: all launches, one after another. */
static void replay_all(const struct replay *replay, uint64_t sums[2]) {
  for (size_t i = 0; i < replay->traces->launch_count && replay->spec; i++) {
    struct error error = ERROR_INIT;
    struct trace *trace;
    struct sim_result result;
    must(trace_load(replay->traces->launches[i].trace_path, &trace, &error), &error);
    must(simulate(trace, replay->isa, replay->spec, &result, &error), &error);
    sums[0] += result.work_item_instructions;
    sums[1] += result.warp_events;
    sim_result_clear(&result);
    trace_destroy(trace);
  }
}

static struct cost cost_of(const struct replay *replay) {
  struct rusage usage;
  uint64_t sums[2] = {0, 0};
  int status, ends[2];
  if (pipe(ends))
    exit(1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    replay_all(replay, sums);
    _exit(write(ends[1], sums, sizeof sums) == (ssize_t)sizeof sums ? 0 : 1);
  }
  close(ends[1]);
  const bool told = child > 0 && read(ends[0], sums, sizeof sums) == (ssize_t)sizeof sums;
  close(ends[0]);
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0 || !told) {
    fprintf(stderr, "a replay failed\n");
    exit(1);
  }
  return (struct cost){.seconds = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec,
                       .bytes = 1024.0 * (double)usage.ru_maxrss,
                       .instructions = sums[0],
                       .events = sums[1]};
}

static void print_row(const char *name, const char *gpu, const struct replay *replay, int rounds) {
  const struct replay nothing = {.traces = replay->traces};
  const struct cost idle = cost_of(&nothing);
  struct cost best = cost_of(replay);
  for (int i = 1; i < rounds; i++) {
    const struct cost cost = cost_of(replay);
    if (cost.seconds < best.seconds)
      best.seconds = cost.seconds;
  }
  printf("%-16s %-24s %11.1f %11.1f %11.1f %11.4f\n", name, gpu, (double)best.instructions / 1e6,
         (double)best.instructions / best.seconds / 1e6, (double)best.events / best.seconds / 1e6,
         (best.bytes - idle.bytes) / (double)best.instructions);
}

static void bench(const char *name, const struct gpu *gpu, const struct isa_profile *isa, int rounds) {
  struct error error = ERROR_INIT;
  struct emulate_result traces;
  struct workload *workload = shipped_workload(name);
  char folder[] = "/tmp/reassemble-bench-XXXXXX";
  if (mkdtemp(folder) == NULL)
    exit(1);
  const struct emulate_options options = {.trace_directory = folder, .quiet = true};
  must(emulate_workload(workload, &options, false, &traces, &error), &error);
  struct gpu_spec limited = gpu->spec, overlapping;
  limit_everything(&limited);
  overlapping = limited;
  overlapping.memory = MEMORY_DEPENDENCY;
  overlapping.core_accesses_in_flight = 64;
  print_row(workload->name, "as shipped", &(struct replay){&traces, &gpu->spec, isa}, rounds);
  print_row(workload->name, "all limits", &(struct replay){&traces, &limited, isa}, rounds);
  print_row(workload->name, "all limits, dependency", &(struct replay){&traces, &overlapping, isa}, rounds);
  for (size_t i = 0; i < traces.launch_count; i++)
    unlink(traces.launches[i].trace_path);
  rmdir(folder);
  emulate_result_clear(&traces);
  workload_destroy(workload);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"gemm-512", "stencil", BENCH_FOLDER "/bfs-65536.yaml",
                                      BENCH_FOLDER "/spmv-csr-262144.yaml", BENCH_FOLDER "/nbody-4096.yaml"};
  const int rounds = argc > 1 ? atoi(argv[1]) : 5;
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  must(gpu_load("mali-g71-mp8", &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  printf("%-16s %-24s %11s %11s %11s %11s\n", "workload", "Mali-G71 MP8", "M instr.", "M instr./s", "M events/s",
         "bytes/instr.");
  for (int i = 2; i < argc; i++)
    bench(argv[i], gpu, isa, rounds);
  for (size_t i = 0; i < sizeof usual / sizeof usual[0] && argc < 3; i++)
    bench(usual[i], gpu, isa, rounds);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
