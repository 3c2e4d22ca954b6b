/* Measures the speed-up of one replay by a second, third ... thread: the same launches by one thread and by
 * several, alternately.
 *
 * Times are by the clock, the best of some rounds, reading not included; so the machine must have nothing else to
 * do, or the program must go first (chrt -f 1). Cycles must be the same. GPU: the Mali-G71 MP8 as shipped. Usage:
 * bench_replay_threads [THREADS, default 2] [ROUNDS, default 3] [WORKLOAD...] */
#include "model/simulate.h"
#include "shipped_traces.h"

static double clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct replays {
  double seconds, cycles;
  uint64_t events;
};

static struct replays replay(const struct shipped_traces *traces, const struct gpu *gpu, const struct isa_profile *isa,
                             uint32_t threads) {
  struct replays all = {0};
  const double start = clock_seconds();
  for (size_t i = 0; i < traces->count; i++) {
    struct error error = ERROR_INIT;
    struct sim_result result;
    must(simulate_with_threads(traces->traces[i], isa, &gpu->spec, threads, &result, &error), &error);
    all.cycles += result.cycles;
    all.events += result.warp_events;
    sim_result_clear(&result);
  }
  all.seconds = clock_seconds() - start;
  return all;
}

static void bench(const char *name, const struct gpu *gpu, const struct isa_profile *isa, uint32_t threads,
                  int rounds) {
  struct shipped_traces traces;
  struct replays one = {0}, several = {0};
  shipped_traces_load(&traces, name);
  for (int i = 0; i < rounds; i++) {
    const struct replays a = replay(&traces, gpu, isa, 1), b = replay(&traces, gpu, isa, threads);
    if (a.cycles != b.cycles || a.events != b.events) {
      fprintf(stderr, "%s: %u threads give %.17g cycles, one %.17g\n", name, threads, b.cycles, a.cycles);
      exit(1);
    }
    one = i == 0 || a.seconds < one.seconds ? a : one;
    several = i == 0 || b.seconds < several.seconds ? b : several;
  }
  const char *file = strrchr(name, '/');
  printf("%-24s %12.1f %12.4f %12.4f %8.2f\n", file ? file + 1 : name, (double)one.events / 1e6, one.seconds,
         several.seconds, one.seconds / several.seconds);
  shipped_traces_clear(&traces);
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"gemm-512", "stencil", BENCH_FOLDER "/bfs-65536.yaml",
                                      BENCH_FOLDER "/spmv-csr-262144.yaml", BENCH_FOLDER "/nbody-4096.yaml"};
  const uint32_t threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 2;
  const int rounds = argc > 2 ? atoi(argv[2]) : 3;
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  must(gpu_load("mali-g71-mp8-thesis", &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  printf("%-24s %12s %12s %10u %s %8s\n", "workload", "M events", "1 thread, s", threads, "t., s", "ratio");
  for (int i = 3; i < argc; i++)
    bench(argv[i], gpu, isa, threads, rounds);
  for (size_t i = 0; i < sizeof usual / sizeof usual[0] && argc < 4; i++)
    bench(usual[i], gpu, isa, threads, rounds);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
