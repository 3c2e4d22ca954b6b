/* Evaluations a second of a tuning on recorded replays, against whole ones in the same run, on one thread: five
 * latencies to synthetic measurements (what the shipped GPU predicts) by the thesis' method. Processor time. Usage:
 * bench_tune [EVALUATIONS of a search, default 500] [WORKLOAD...]; without workloads, the sweep g72-search's. */
#include <stdio.h>

#include "shipped_traces.h"
#include "tuner/tune.h"

enum { MOST_WORKLOADS = 100, COLD_EVALUATIONS = 50 };

struct bench {
  struct gpu *gpu;
  struct isa_profile *isa;
  struct shipped_traces traces[MOST_WORKLOADS];
  size_t count;
};

static double tune_rate(const struct bench *b, const struct predictor *predictor, const double *measured, bool exact,
                        size_t budget) {
  struct error error = ERROR_INIT;
  struct space space;
  struct objective objective;
  struct tune tune;
  struct gpu_spec start = b->gpu->spec;
  start.arith_cycles *= 1.6;
  start.l1_hit_cycles *= 0.7;
  start.l1_miss_cycles *= 1.4;
  must(space_parse("arith=0.1..2,store=0.2..8,l1_hit=1..30,l1_miss=5..150,l2_miss=20..400", &start, &space, &error),
       &error);
  must(objective_parse("mape", &objective, &error), &error);
  const struct tune_setup setup = {.spec = &start,
                                   .space = &space,
                                   .objective = &objective,
                                   .method = tune_method_find("binary", &error),
                                   .predictor = predictor,
                                   .measured = measured,
                                   .seed = 1,
                                   .budget = budget,
                                   .starts = 3,
                                   .tolerance = 0.01,
                                   .exact = exact};
  const double begin = processor_seconds();
  must(tune_init(&tune, &setup, &error) || tune_search(&tune, &error), &error);
  const double seconds = processor_seconds() - begin;
  const size_t evaluations = tune_evaluations(&tune);
  printf("  %s: %zu evaluations (%zu exact) in %.2f s, %.1f a second, MAPE %.2f %%\n",
         exact ? "whole replays" : "recorded", evaluations, tune.evaluator.asked, seconds,
         (double)evaluations / seconds, tune.score.mape_percent);
  tune_clear(&tune);
  return (double)evaluations / seconds;
}

static void bench_tune(const struct bench *b, size_t budget) {
  const struct trace *traces[MOST_WORKLOADS];
  size_t order[MOST_WORKLOADS];
  double measured[MOST_WORKLOADS];
  struct error error = ERROR_INIT, refusal = ERROR_INIT;
  for (size_t w = 0; w < b->count; w++) {
    traces[w] = b->traces[w].traces[0];
    order[w] = w;
  }
  struct simulated_kernels kernels = {.traces = traces, .count = b->count, .isa = b->isa, .jobs = 1, .order = order};
  struct predictor predictor = simulating_predictor;
  predictor.count = b->count;
  predictor.context = &kernels;
  must(predictor.predict(&kernels, &b->gpu->spec, 1, measured, &refusal, &error), &error);
  printf("tuning five latencies to %zu workloads\n", b->count);
  const double near = tune_rate(b, &predictor, measured, false, budget);
  const double cold = tune_rate(b, &predictor, measured, true, COLD_EVALUATIONS);
  printf("  ratio of evaluations a second %.1f\n", near / cold);
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct bench b = {0};
  const size_t budget = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
  const size_t count = argc > 2 ? (size_t)argc - 2 : SMALL_WORKLOADS;
  must(gpu_load("mali-g71-mp8-thesis", &b.gpu, &error), &error);
  must(isa_load(b.gpu->isa, &b.isa, &error), &error);
  for (; b.count < count && b.count < MOST_WORKLOADS; b.count++)
    shipped_traces_load(&b.traces[b.count], argc > 2 ? argv[2 + b.count] : small_workloads[b.count]);
  bench_tune(&b, budget);
  for (size_t w = 0; w < b.count; w++)
    shipped_traces_clear(&b.traces[w]);
  isa_destroy(b.isa);
  gpu_destroy(b.gpu);
  return 0;
}
