/* Timing-only replays of recorded outcomes beside exact ones, per workload, in one run on one core: how many times
 * faster, and how far off when latencies or cache sizes are others than the recorded. Processor time, best of several.
 * Usage: bench_timing_only [--gpu GPU] [WORKLOAD...]; without workloads, those of the sweep g72-search. */
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "model/retime/retime_record.h"
#include "model/simulate.h"
#include "shipped_traces.h"

enum { ROUNDS = 3, VARIANTS = 6 };

static const char *const changes[VARIANTS] = {"none",      "arith x0.5",   "hit x0.67, miss x0.8",
                                              "dram x0.5", "L1 x2, L2 x2", "rates of L2 and memory x0.3"};

static struct gpu_spec changed(const struct gpu_spec *base, int change) {
  struct gpu_spec spec = *base;
  spec.arith_cycles *= change == 1 ? 0.5 : 1;
  spec.l1_hit_cycles *= change == 2 ? 0.67 : 1;
  spec.l1_miss_cycles *= change == 2 ? 0.8 : 1;
  spec.l2_miss_cycles *= change == 3 ? 0.5 : 1;
  spec.l1_bytes *= change == 4 ? 2 : 1;
  spec.l2_bytes *= change == 4 ? 2 : 1;
  spec.l2_bytes_per_cycle *= change == 5 ? 0.3 : 1;
  spec.dram_bytes_per_cycle *= change == 5 ? 0.3 : 1;
  return spec;
}

struct sums {
  double exact, recording, timing, quick; /* seconds */
  double cycles[VARIANTS], timed[VARIANTS], quickly[VARIANTS];
  double events, bytes;
};

static double best(double a, double b) {
  return a < b ? a : b;
}

static double time_exact(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                         int rounds, double *cycles) {
  double least = INFINITY;
  for (int i = 0; i < rounds; i++) {
    struct error error = ERROR_INIT;
    struct sim_result result;
    const double begin = processor_seconds();
    must(simulate(trace, isa, spec, &result, &error), &error);
    least = best(least, processor_seconds() - begin);
    *cycles += i == 0 ? result.cycles : 0;
    sim_result_clear(&result);
  }
  return least;
}

/* Returns NAN, and sets *cycles to it, where the recording does not serve the GPU by itself. */
static double time_recorded(const struct retime_recording *recorded, const struct gpu_spec *spec, double *cycles) {
  double least = INFINITY;
  for (int i = 0; i < ROUNDS; i++) {
    struct sim_result result;
    const double begin = processor_seconds();
    if (!retime(recorded, spec, &result))
      return *cycles = NAN;
    least = best(least, processor_seconds() - begin);
    *cycles += i == 0 ? result.cycles : 0;
    sim_result_clear(&result);
  }
  return least;
}

static double between(struct random_state *random, double low, double high) {
  return low + (high - low) * (double)random_below(random, 1001) / 1000;
}

/* As one of many with other latencies, where one core may stand for all, and some designs for others. */
static double time_quickly(const struct retime_recording *recorded, const struct gpu_spec *spec, double *cycles) {
  enum { MANY = 96 };
  static struct gpu_spec specs[MANY];
  static struct sim_result results[MANY];
  bool done[MANY];
  struct random_state random = {1};
  for (int i = 0; i < MANY; i++) {
    specs[i] = *spec;
    specs[i].arith_cycles *= i > 0 ? between(&random, 0.5, 1.5) : 1;
    specs[i].l1_hit_cycles *= i > 0 ? between(&random, 0.5, 1.5) : 1;
    specs[i].l1_miss_cycles *= i > 0 ? between(&random, 0.5, 1.5) : 1;
    specs[i].l2_miss_cycles *= i > 0 ? between(&random, 0.5, 1.5) : 1;
  }
  const double begin = processor_seconds();
  retime_all(recorded, specs, MANY, results, done);
  const double seconds = processor_seconds() - begin;
  *cycles += done[0] ? results[0].cycles : NAN;
  return seconds / MANY;
}

static void measure(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *base,
                    struct sums *sums) {
  struct error error = ERROR_INIT;
  struct gpu_spec specs[2] = {*base, changed(base, 4)};
  struct retime_recording *recorded;
  struct sim_result result;
  const double begin = processor_seconds();
  must(retime_record(trace, isa, specs, 2, &recorded, &result, &error), &error);
  sums->recording += processor_seconds() - begin;
  sim_result_clear(&result);
  for (int c = 0; c < VARIANTS; c++) {
    const struct gpu_spec spec = changed(base, c);
    const double exact = time_exact(trace, isa, &spec, c == 0 ? ROUNDS : 1, &sums->cycles[c]);
    sums->exact += c == 0 ? exact : 0;
    if (!recorded) {
      sums->timed[c] = sums->quickly[c] = NAN;
      continue;
    }
    const double quick = time_quickly(recorded, &spec, &sums->quickly[c]);
    sums->quick += c == 0 ? quick : 0;
    const double timing = time_recorded(recorded, &spec, &sums->timed[c]);
    sums->timing += c == 0 ? timing : 0;
  }
  if (recorded) {
    sums->events += (double)retime_events(recorded);
    sums->bytes += (double)retime_bytes(recorded);
  }
  retime_destroy(recorded);
}

static void bench(const char *name, const struct isa_profile *isa, const struct gpu_spec *base) {
  struct shipped_traces traces;
  struct sums sums = {0};
  shipped_traces_load(&traces, name);
  for (size_t i = 0; i < traces.count; i++)
    measure(traces.traces[i], isa, base, &sums);
  printf("%-26s %9.0f %6.2f %8.1f %8.1f %7.2f %7.1f %7.1f ", name, sums.events, sums.bytes / sums.events,
         sums.events / sums.exact / 1e6, sums.events / sums.timing / 1e6, sums.recording / sums.exact,
         sums.exact / sums.timing, sums.exact / sums.quick);
  for (int c = 0; c < VARIANTS; c++)
    printf(" %+8.2f %+6.2f", 100 * (sums.timed[c] / sums.cycles[c] - 1), 100 * (sums.quickly[c] / sums.cycles[c] - 1));
  printf("\n");
  fflush(stdout);
  shipped_traces_clear(&traces);
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  const bool named = argc > 2 && strcmp(argv[1], "--gpu") == 0;
  const int first = named ? 3 : 1;
  must(gpu_load(named ? argv[2] : "mali-g71-mp8-thesis", &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  printf("%-26s %9s %6s %8s %8s %7s %7s %7s  error in percent, of one GPU and as one of many, with", "workload",
         "events", "bytes", "exact", "timing", "record", "faster", "of many");
  for (int c = 0; c < VARIANTS; c++)
    printf("%s %s", c ? "," : "", changes[c]);
  printf("\n%-26s %9s %6s %8s %8s %7s %7s %7s\n", "", "", "/event", "M/s", "M/s", "/exact", "times", "times");
  for (int i = first; i < argc; i++)
    bench(argv[i], isa, &gpu->spec);
  for (size_t i = 0; i < SMALL_WORKLOADS && first >= argc; i++)
    bench(small_workloads[i], isa, &gpu->spec);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
