/* Where the latencies of configs/gpus/mali-g71-mp8-thesis.yaml come from, and how far to believe them.
 *
 * Coordinate search for the least MAPE over the GEMM variants that the HiKey-960 board file holds, from the start
 * values below; then the same for each variant left out, which predicts the one that the fit has not seen.
 * l2_miss_cycles stays at its start value: the data do not determine it. Prints the fit, the in-sample and the
 * leave-one-out scores.
 *
 * Usage: fit_gemm_variants FOLDER [GPU]   with the traces of `reassemble trace gemm-variants -o FOLDER`; the board's
 *        GPU when none is named. Takes minutes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/params/gpu.h"
#include "model/simulate.h"
#include "trace/trace.h"
#include "tuner/board/board.h"
#include "tuner/objective/score.h"

enum { PARAMETERS = 5, MOST = 64 };

/* Start values: DESIGN findings of a prototype for all but the store, whose start is thesis table 5.9. */
static const char *const keys[PARAMETERS] = {"arith_cycles", "store_cycles", "l1_hit_cycles", "l1_miss_cycles",
                                             "barrier_cycles"};
static const double start[PARAMETERS] = {0.45, 1, 4, 29, 18};
static const double fixed_l2_miss_cycles = 100;
static const double penalty_percent = 1; /* of MAPE, for a latency e times its start value or a e-th of it */

/* The search multiplies or divides one parameter by 1 + step, halves the step when nothing helps and ends at the last
 * one. */
static const double first_step = 0.5, last_step = 0.02;

static struct board *board;
static struct isa_profile *isa;
static struct trace *traces[MOST];
static struct gpu *gpu;

static void must(int status, const struct error *error) {
  if (status == 0)
    return;
  error_print(error, stderr);
  exit(error_exit_code(error));
}

static void predict(const double *values, double *predicted) {
  struct gpu_spec spec = gpu->spec;
  struct error error = ERROR_INIT;
  for (int p = 0; p < PARAMETERS; p++)
    must(params_set_number(params_find(&gpu_params, keys[p]), &spec, values[p], &error), &error);
#pragma omp parallel for schedule(dynamic, 1)
  for (size_t i = 0; i < board->count; i++) {
    struct sim_result result;
    struct error own = ERROR_INIT;
    must(simulate(traces[i], isa, &spec, &result, &own), &own);
    predicted[i] = result.cycles;
    sim_result_clear(&result);
  }
}

/* Penalised MAPE without measurement `left_out` (board->count: all count). */
static double objective(const double *values, size_t left_out) {
  double predicted[MOST], sum = 0, penalty = 0;
  size_t count = 0;
  predict(values, predicted);
  for (size_t i = 0; i < board->count; i++) {
    if (i == left_out)
      continue;
    sum += fabs(predicted[i] - board->measurements[i].value) / board->measurements[i].value;
    count++;
  }
  for (int p = 0; p < PARAMETERS; p++)
    penalty += penalty_percent * pow(log(values[p] / start[p]), 2);
  return 100 * sum / (double)count + penalty;
}

static bool improve(double *values, int p, double factor, size_t left_out, double *best) {
  const double old = values[p];
  values[p] *= factor;
  const double now = objective(values, left_out);
  if (now < *best) {
    *best = now;
    return true;
  }
  values[p] = old;
  return false;
}

static void fit(double *values, size_t left_out) {
  memcpy(values, start, sizeof start);
  double best = objective(values, left_out);
  for (double step = first_step; step >= last_step;) {
    bool moved = false;
    for (int p = 0; p < PARAMETERS; p++)
      moved |= improve(values, p, 1 / (1 + step), left_out, &best) || improve(values, p, 1 + step, left_out, &best);
    if (!moved)
      step /= 2;
  }
}

static void print_fit(const char *label, const double *values) {
  printf("%-14s", label);
  for (int p = 0; p < PARAMETERS; p++)
    printf("  %s %.3f", keys[p], values[p]);
}

static void print_score(const char *label, const double *predicted) {
  double measured[MOST];
  for (size_t i = 0; i < board->count; i++)
    measured[i] = board->measurements[i].value;
  struct score score;
  score_compute(measured, predicted, board->count, &score);
  printf("%-14s MAPE %.2f %%, without the largest %.2f %%, constant guess %.2f %%, Pearson %.3f, Spearman %.3f, "
         "Kendall %.3f\n",
         label, score.mape_percent, score.mape_percent_without_largest, score.constant_baseline_mape_percent,
         score.pearson, score.spearman, score.kendall);
}

static void load(const char *folder, const char *gpu_name) {
  struct error error = ERROR_INIT;
  must(board_load("hikey960-gemm-variants", &board, &error), &error);
  must(gpu_load(gpu_name ? gpu_name : board->gpu, &gpu, &error), &error);
  must(isa_load(gpu->isa, &isa, &error), &error);
  must(params_set_number(params_find(&gpu_params, "l2_miss_cycles"), &gpu->spec, fixed_l2_miss_cycles, &error), &error);
  for (size_t i = 0; i < board->count && i < MOST; i++) {
    /* gemm-variants/a is traced as gemm-variants-a.rtrace */
    char *path = text_format("%s/%s.rtrace", folder, board->measurements[i].workload);
    *strrchr(path, '/') = '-';
    must(trace_load(path, &traces[i], &error), &error);
    free(path);
  }
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: %s FOLDER [GPU], with the traces of `reassemble trace gemm-variants -o FOLDER`\n", argv[0]);
    return 2;
  }
  load(argv[1], argv[2]);
  double values[PARAMETERS], in_sample[MOST], held_out[MOST], all[MOST];
  fit(values, board->count);
  print_fit("all", values);
  putchar('\n');
  predict(values, in_sample);
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    char label[64];
    fit(values, i);
    predict(values, all);
    held_out[i] = all[i];
    snprintf(label, sizeof label, "without %s", m->name);
    print_fit(label, values);
    printf("  predicts it %+.1f %%\n", 100 * (held_out[i] - m->value) / m->value);
    fflush(stdout);
  }
  print_score("in sample", in_sample);
  print_score("leave-one-out", held_out);
  return 0;
}
