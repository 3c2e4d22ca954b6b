/* Measures the time that kept stages of a replay save in sweeps, each against whole (cold) replays in the same run:
 *   caches   100 sizes of L1 and L2 against one replay
 *   points   a sweep of 1,000 points that differ in latencies, cache sizes and bandwidth, with everything that it
 *            reports confirmed, against one of its points alone, replayed whole (the mean of 15); the errors of
 *            these points' cycles before anything was confirmed
 *   jobs     the same sweep with two threads against one (time on the clock)
 * Processor time but for `jobs`. Usage: bench_sweep [--gpu GPU] [caches|points|jobs]... */
#include <math.h>
#include <stdio.h>

#include "dse/confirm.h"
#include "model/retime/retime_record.h"
#include "shipped_traces.h"

enum { ROUNDS = 3, SOME = 15 };

struct bench {
  const char *gpu_name;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct shipped_traces traces[SMALL_WORKLOADS];
  struct evaluation evaluation;
};

static void open_bench(struct bench *b) {
  struct error error = ERROR_INIT;
  must(gpu_load(b->gpu_name, &b->gpu, &error), &error);
  must(isa_load(b->gpu->isa, &b->isa, &error), &error);
  b->evaluation =
      (struct evaluation){calloc(SMALL_WORKLOADS, sizeof *b->evaluation.workloads), SMALL_WORKLOADS, b->isa};
  for (int w = 0; w < SMALL_WORKLOADS; w++) {
    shipped_traces_load(&b->traces[w], small_workloads[w]);
    b->evaluation.workloads[w] = (struct evaluation_workload){
        strdup(small_workloads[w]), (const struct trace **)b->traces[w].traces, b->traces[w].count, 0};
  }
}

static void close_bench(struct bench *b) {
  for (int w = 0; w < SMALL_WORKLOADS; w++) {
    shipped_traces_clear(&b->traces[w]);
    free(b->evaluation.workloads[w].name);
  }
  free(b->evaluation.workloads);
  isa_destroy(b->isa);
  gpu_destroy(b->gpu);
}

/* All launches of a workload, exactly; least of several. Sets *cycles. */
static double cold_seconds(const struct bench *b, int workload, const struct gpu_spec *spec, double *cycles) {
  double least = INFINITY, values[MOST_OUTCOME_VALUES];
  for (int i = 0; i < ROUNDS; i++) {
    struct error error = ERROR_INIT;
    const double begin = processor_seconds();
    must(evaluate(&b->evaluation, spec, (size_t)workload, values, &error), &error);
    least = fmin(least, processor_seconds() - begin);
    *cycles = values[outcome_value("cycles")];
  }
  return least;
}

/* ---- 100 cache sizes ---- */

/* Returns the largest error of every eleventh GPU, in percent of its cycles. */
static double largest_error(const struct bench *b, int workload, const struct gpu_spec *specs, int count,
                            const double *values) {
  const size_t width = outcome_value_count(), cycles = outcome_value("cycles");
  double largest = 0, exact[MOST_OUTCOME_VALUES];
  for (int i = 0; i < count; i += 11) {
    struct error error = ERROR_INIT;
    must(evaluate(&b->evaluation, &specs[i], (size_t)workload, exact, &error), &error);
    const double off = 100 * (values[(size_t)i * width + cycles] / exact[cycles] - 1);
    largest = fabs(off) > fabs(largest) ? off : largest;
  }
  return largest;
}

static void bench_caches(const struct bench *b) {
  enum { SIZES = 10, COUNT = SIZES * SIZES };
  static struct gpu_spec specs[COUNT];
  static double values[COUNT * MOST_OUTCOME_VALUES];
  bool exact[COUNT];
  double all = 0, one = 0;
  for (int i = 0; i < COUNT; i++) {
    specs[i] = b->gpu->spec;
    specs[i].l1_model = CACHE_REUSE_DISTANCE;
    specs[i].l1_bytes = 4096 * (1 + i / SIZES);
    specs[i].l2_bytes = 65536 * (1 + i % SIZES);
  }
  printf("\n100 cache sizes (ten of L1, ten of L2), seconds of a processor; largest error of ten\n%-24s %10s %10s %8s "
         "%8s\n",
         "workload", "one replay", "all sizes", "ratio", "error %");
  for (int w = 0; w < SMALL_WORKLOADS; w++) {
    struct error error = ERROR_INIT;
    double cycles;
    const double cold = cold_seconds(b, w, &specs[0], &cycles), begin = processor_seconds();
    must(evaluate_family(&b->evaluation, specs, COUNT, (size_t)w, values, exact, &error), &error);
    const double seconds = processor_seconds() - begin;
    printf("%-24s %10.4f %10.4f %8.2f %+8.2f\n", small_workloads[w], cold, seconds, seconds / cold,
           largest_error(b, w, specs, COUNT, values));
    all += seconds;
    one += cold;
  }
  printf("%-24s %10.4f %10.4f %8.2f\n", "all", one, all, all / one);
}

/* ---- 1,000 points ---- */

static const char sweep_text[] = "schema: reassemble.sweep/1\nname: points\ngpu: %s\nworkloads: [saxpy]\naxes:\n"
                                 "  - arith_cycles: [x0.5, x0.75, x1, x1.5]\n  - l1_hit_cycles: [x0.67, x1]\n"
                                 "  - l1_miss_cycles: [x0.5, x0.8, x1]\n  - l2_miss_cycles: [x0.6, x0.8, x1, x1.3]\n"
                                 "  - l1_bytes: [8Ki, 16Ki, 32Ki]\n  - l2_bytes: [256Ki, 512Ki, 1Mi]\n"
                                 "  - dram_bytes_per_cycle: [0, 32, 8]\nsampling: {random: 1000}\ntargets: [1.2]\n";

static double clock_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct sweep *make_sweep(const struct bench *b) {
  struct error error = ERROR_INIT;
  char path[] = "/tmp/reassemble-bench-XXXXXX.yaml";
  struct sweep *sweep;
  FILE *file = fdopen(mkstemps(path, 5), "w");
  fprintf(file, sweep_text, b->gpu_name);
  fclose(file);
  must(sweep_load(path, &sweep, &error), &error);
  unlink(path);
  return sweep;
}

struct sweep_times {
  double processor, clock, exact_share;
  double confirming;             /* processor time of exact replays of designs that the answer names */
  double mean_error, most_error; /* of the cycles of some points, before */
};

/* Some designs, spread over all of the sweep, as they would cost alone. */
struct cold_points {
  double seconds; /* of one design, the mean */
  double cycles[SOME][SMALL_WORKLOADS];
};

static size_t cold_design(const struct points *points, size_t number) {
  return number * points->design_count / SOME;
}

/* Sets the errors of the outcomes of these designs. */
static void compare(const struct points *points, const struct outcomes *outcomes, const struct cold_points *cold,
                    struct sweep_times *times) {
  const size_t cycles = outcome_value("cycles");
  for (size_t i = 0; i < SOME; i++)
    for (size_t w = 0; w < SMALL_WORKLOADS; w++) {
      const double *values = outcomes_at(outcomes, cold_design(points, i), w);
      const double error = fabs(100 * (values[cycles] / cold->cycles[i][w] - 1));
      times->mean_error += error / (SOME * SMALL_WORKLOADS);
      times->most_error = fmax(times->most_error, error);
    }
}

/* `cold` is NULL where errors are not wanted. */
static struct sweep_times run_sweep(const struct bench *b, const struct sweep *sweep, int jobs,
                                    const struct cold_points *cold) {
  struct error error = ERROR_INIT;
  struct points points;
  struct families families;
  struct outcomes outcomes;
  double base;
  must(points_enumerate(sweep, false, &points, &error), &error);
  const double processor = processor_seconds(), clock = clock_seconds();
  must(families_find(&points, false, &families, &error), &error);
  must(outcomes_init(&outcomes, points.design_count, SMALL_WORKLOADS, &error), &error);
  const struct run run = {.points = &points,
                          .evaluation = &b->evaluation,
                          .families = &families,
                          .outcomes = &outcomes,
                          .shares = 1,
                          .jobs = jobs,
                          .quiet = true};
  must(run_base(&run, &base, &error) || run_rest(&run, &error), &error);
  struct sweep_times times = {0};
  if (cold)
    compare(&points, &outcomes, cold, &times);
  const double rest = processor_seconds();
  must(confirm_reported(&run, NULL, 0, &error), &error);
  size_t exact = 0;
  for (size_t d = 0; d < points.design_count; d++)
    exact += outcomes_all_exact(&outcomes, d);
  times.processor = processor_seconds() - processor;
  times.clock = clock_seconds() - clock;
  times.exact_share = (double)exact / (double)points.design_count;
  times.confirming = processor_seconds() - rest;
  outcomes_clear(&outcomes);
  families_clear(&families);
  points_clear(&points);
  return times;
}

static void measure_cold(const struct bench *b, const struct sweep *sweep, struct cold_points *cold) {
  struct error error = ERROR_INIT;
  struct points points;
  must(points_enumerate(sweep, false, &points, &error), &error);
  for (size_t i = 0; i < SOME; i++) {
    struct gpu_spec spec;
    must(points_spec(&points, points.first_points[cold_design(&points, i)], &spec, &error), &error);
    for (int w = 0; w < SMALL_WORKLOADS; w++)
      cold->seconds += cold_seconds(b, w, &spec, &cold->cycles[i][w]) / SOME;
  }
  points_clear(&points);
}

static void bench_points(const struct bench *b) {
  struct sweep *sweep = make_sweep(b);
  struct cold_points points = {0};
  measure_cold(b, sweep, &points);
  const double cold = points.seconds;
  const struct sweep_times times = run_sweep(b, sweep, 1, &points);
  printf(
      "\n1,000 points on %d workloads, seconds of a processor: one point alone %.4f, all %.3f, ratio %.1f, of which "
      "%.1f are exact replays of the %.1f %% of the designs that the answer names; cycles of %d designs %.2f %% off, "
      "at most %.1f %%\n",
      SMALL_WORKLOADS, cold, times.processor, times.processor / cold, times.confirming / cold, 100 * times.exact_share,
      SOME, times.mean_error, times.most_error);
  sweep_destroy(sweep);
}

static void bench_jobs(const struct bench *b) {
  struct sweep *sweep = make_sweep(b);
  double one = INFINITY, two = INFINITY;
  for (int i = 0; i < ROUNDS; i++) {
    one = fmin(one, run_sweep(b, sweep, 1, NULL).clock);
    two = fmin(two, run_sweep(b, sweep, 2, NULL).clock);
  }
  printf("\n1,000 points, seconds on the clock: one job %.3f, two jobs %.3f, ratio %.2f\n", one, two, one / two);
  sweep_destroy(sweep);
}

static bool wanted(int argc, char **argv, const char *part) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], part) == 0)
      return true;
  return argc < 2;
}

int main(int argc, char **argv) {
  const bool named = argc > 2 && strcmp(argv[1], "--gpu") == 0;
  struct bench b = {.gpu_name = named ? argv[2] : "mali-g71-mp8-thesis"};
  argc -= named ? 2 : 0;
  argv += named ? 2 : 0;
  open_bench(&b);
  if (wanted(argc, argv, "caches"))
    bench_caches(&b);
  if (wanted(argc, argv, "points"))
    bench_points(&b);
  if (wanted(argc, argv, "jobs"))
    bench_jobs(&b);
  close_bench(&b);
  return 0;
}
