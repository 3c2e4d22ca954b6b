/* Measures the speed and the memory of replays in one run: a table over regular and irregular workloads.
 *
 * Each workload is emulated once; then all its launches' traces are read and replayed, one thread, in a process of its
 * own, again and again for a while; the best mean processor time counts, reading included. Memory: the most that
 * process held, less what one holds that reads nothing. On the Mali-G71 MP8, in four descriptions:
 *   as shipped            engines wait for memory;
 *   all limits            everything on the way to memory and in it that can be limited is; L1 writes through;
 *   all mechanisms        every row of model/params/ablation.c is on, which adds write-back caches with sets, a hash
 *                         and dirty lines, the instruction cache, the uniform port, scratchpads, bundles, atomics,
 *                         launch costs, registers, rows;
 *   ..., dependency       the same, but engines do not wait, with a limit of accesses in flight.
 * Not on together, because a GPU has one of each: the memory policies, the models of a cache, write policies, dispatch
 * orders and schedulers (any but the shipped first_available looks at all ready warps for each event and is slower).
 * The limits are round numbers: they are there to cost time. Usage: bench_replay_workloads [ROUNDS, default 5]
 * [WORKLOAD...] */
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/params/ablation.h"
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

/* mechanism_is_used of all; checked. */
static void turn_everything_on(struct gpu_spec *spec) {
  limit_everything(spec);
  spec->merge_misses = true;
  spec->l2_model = CACHE_EXACT_SETS;
  spec->l2_index_hash = true;
  spec->l1_write = L1_WRITE_BACK;
  spec->l1_write_allocate = true;
  spec->l2_write = L2_WRITE_BACK;
  spec->instruction_cache_bytes = 4096;
  spec->instruction_line_bytes = 64;
  spec->instruction_miss_cycles = 20;
  spec->local_memory = LOCAL_SCRATCHPAD;
  spec->scratchpad_banks = 16;
  spec->scratchpad_word_bytes = 4;
  spec->scratchpad_cycles = 4;
  spec->scratchpad_pass_cycles = 1;
  spec->uniform_loads = UNIFORM_ANY;
  spec->uniform_cache_bytes = 1024;
  spec->uniform_cycles = 6;
  spec->uniform_load_cycles = 1;
  spec->issue = ISSUE_BUNDLES;
  spec->l2_atomics_per_cycle = 1;
  spec->atomic_cycles = 4;
  spec->atomic_round_bytes = 16;
  spec->l2_atomic_units = 8;
  spec->merge_atomics = true;
  spec->scratchpad_counts = true;
  spec->warp_formation = WARPS_PER_ROW;
  spec->registers_per_core = 64 * spec->threads_per_core;
  spec->launch_cycles = 1000;
  spec->work_group_cycles = 20;
}

static bool is_among(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names) != 0)
    names++;
  return *names;
}

/* Left off are policies and mechanisms that shipped GPUs do not use, so that numbers stay comparable, and those that
 * need engines that do not wait. */
static bool may_be_off(const char *name, const struct gpu_spec *spec) {
  static const char *const any[] = {"scheduler",
                                    "replacement",
                                    "tlb",
                                    "lsu_tlb",
                                    "texture_cache",
                                    "depth_cache",
                                    "vertex_cache",
                                    "texture_unit",
                                    "fragment_rate",
                                    "pipes",
                                    "sectors",
                                    "partial_writes",
                                    "unified_l1",
                                    "access_units",
                                    "prices",
                                    "access_parts",
                                    "access_time",
                                    "access_pieces",
                                    "merged_loads",
                                    "merged_stores",
                                    "late_stores",
                                    "early_loads",
                                    "spilling",
                                    "late_loads",
                                    "dependency",
                                    "instruction_issue",
                                    "interleaved_private",
                                    "one_pipe",
                                    "overlapped_transactions",
                                    NULL};
  static const char *const blocking[] = {"latency_hiding", "dependency", "places_in_flight", NULL};
  return is_among(name, any) || (spec->memory == MEMORY_BLOCKING && is_among(name, blocking));
}

static void check_that_all_is_on(const struct gpu_spec *spec) {
  for (size_t i = 0; i < mechanism_count; i++)
    if (!mechanism_is_used(&mechanisms[i], spec) && !may_be_off(mechanisms[i].name, spec)) {
      fprintf(stderr, "mechanism '%s' is off\n", mechanisms[i].name);
      exit(1);
    }
}

/* The report of a child about one pass over all launches. */
struct told {
  uint64_t instructions, events;
  double seconds;
};

static double user_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* All launches, one after another. */
static void replay_once(const struct replay *replay, struct told *told) {
  *told = (struct told){0};
  for (size_t i = 0; i < replay->traces->launch_count && replay->spec; i++) {
    struct error error = ERROR_INIT;
    struct trace *trace;
    struct sim_result result;
    must(trace_load(replay->traces->launches[i].trace_path, &trace, &error), &error);
    must(simulate(trace, replay->isa, replay->spec, &result, &error), &error);
    told->instructions += result.work_item_instructions;
    told->events += result.warp_events;
    sim_result_clear(&result);
    trace_destroy(trace);
  }
}

/* Often enough for the clock, which counts in hundredths of a second. */
static void replay_all(const struct replay *replay, struct told *told) {
  const double begin = user_seconds(), least = 0.5;
  double seconds = 0;
  unsigned passes = 0;
  do {
    replay_once(replay, told);
    seconds = user_seconds() - begin;
    passes++;
  } while (replay->spec && seconds < least);
  told->seconds = seconds / passes;
}

static struct cost cost_of(const struct replay *replay) {
  struct rusage usage;
  struct told told = {0};
  int status, ends[2];
  if (pipe(ends))
    exit(1);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    replay_all(replay, &told);
    _exit(write(ends[1], &told, sizeof told) == (ssize_t)sizeof told ? 0 : 1);
  }
  close(ends[1]);
  const bool heard = child > 0 && read(ends[0], &told, sizeof told) == (ssize_t)sizeof told;
  close(ends[0]);
  if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0 || !heard) {
    fprintf(stderr, "a replay failed\n");
    exit(1);
  }
  return (struct cost){.seconds = told.seconds,
                       .bytes = 1024.0 * (double)usage.ru_maxrss,
                       .instructions = told.instructions,
                       .events = told.events};
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
  printf("%-16s %-26s %11.1f %11.1f %11.1f %11.4f\n", name, gpu, (double)best.instructions / 1e6,
         (double)best.instructions / best.seconds / 1e6, (double)best.events / best.seconds / 1e6,
         (best.bytes - idle.bytes) / (double)best.instructions);
}

static void bench(const char *name, const struct gpu *gpu, const struct isa_profile *isa, int rounds) {
  struct error error = ERROR_INIT;
  struct emulate_result traces;
  struct workload *workload = shipped_workload(name);
  char folder[] = "/tmp/reassemble-bench-XXXXXX";
  if (!mkdtemp(folder))
    exit(1);
  const struct emulate_options options = {.trace_directory = folder, .quiet = true};
  must(emulate_workload(workload, &options, false, &traces, &error), &error);
  struct gpu_spec limited = gpu->spec, everything = gpu->spec, overlapping;
  limit_everything(&limited);
  turn_everything_on(&everything);
  check_that_all_is_on(&everything);
  overlapping = everything;
  overlapping.memory = MEMORY_DEPENDENCY;
  overlapping.core_accesses_in_flight = 64;
  check_that_all_is_on(&overlapping);
  print_row(workload->name, "as shipped", &(struct replay){&traces, &gpu->spec, isa}, rounds);
  print_row(workload->name, "all limits", &(struct replay){&traces, &limited, isa}, rounds);
  print_row(workload->name, "all mechanisms", &(struct replay){&traces, &everything, isa}, rounds);
  print_row(workload->name, "all mechanisms, dependency", &(struct replay){&traces, &overlapping, isa}, rounds);
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
  must(gpu_load("mali-g71-mp8-thesis", &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  printf("%-16s %-26s %11s %11s %11s %11s\n", "workload", "Mali-G71 MP8", "M instr.", "M instr./s", "M events/s",
         "bytes/instr.");
  for (int i = 2; i < argc; i++)
    bench(argv[i], gpu, isa, rounds);
  for (size_t i = 0; i < sizeof usual / sizeof usual[0] && argc < 3; i++)
    bench(usual[i], gpu, isa, rounds);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
