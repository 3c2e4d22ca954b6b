/* reassemble validate: predictions against the measurements of a board. */
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/ablation.h"
#include "cli/measured.h"
#include "cli/table.h"
#include "tuner/board.h"
#include "tuner/score.h"

static const char *board_name, *reference;
static bool ablate;
static struct replay_options own;

static const struct option_row rows[] = {
    {.name = "board",
     .letter = 'b',
     .argument = "BOARD",
     .type = OPTION_TEXT,
     .target = &board_name,
     .help = "board file, by name or path (required)"},
    REPLAY_OPTION_ROWS(own, "GPU description (the one that the board file names)"),
    {.name = "ablate",
     .type = OPTION_FLAG,
     .target = &ablate,
     .help = "also the scores with every mechanism off in turn, and with all added one by one"},
    {.name = "reference",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &reference,
     .help = "with --ablate: other people's MAPE per step, printed beside ours"},
    {.name = NULL},
};

struct validation {
  struct board *board;
  const struct gpu *gpu;                                         /* the replay's */
  double *measured, *predicted, *measured_rank, *predicted_rank; /* one allocation, board->count each */
  struct score score;
  struct ablation ablation; /* of no variants unless asked for */
  size_t *kernel;           /* [board->count]: of the replay */
};

static void collect(struct validation *v, const struct replay *replay, const struct measured_launches *launches) {
  const struct board *board = v->board;
  const bool nanoseconds = strcmp(board->unit, "ns") == 0;
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    const struct replay_kernel *kernel = measured_kernel(replay, board, launches, i);
    const struct sim_result *result = &kernel->result;
    v->kernel[i] = (size_t)(kernel - replay->kernels);
    v->measured[i] = m->value;
    v->predicted[i] = nanoseconds ? result->time_ns : result->cycles;
  }
  score_compute(v->measured, v->predicted, board->count, &v->score);
  score_ranks(v->measured, board->count, v->measured_rank);
  score_ranks(v->predicted, board->count, v->predicted_rank);
}

static double error_percent(const struct validation *v, size_t i) {
  return 100 * (v->predicted[i] - v->measured[i]) / v->measured[i];
}

/* A coefficient of fewer than two kernels, or of equal ones, is not defined. */
static const char *score_text(double value, int decimals, char text[32]) {
  if (isfinite(value))
    snprintf(text, 32, "%6.*f", decimals, value);
  else
    strcpy(text, "   n/a");
  return text;
}

/* JSON has no NaN: a coefficient that is not defined becomes null. */
static json_t *number_or_null(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *kernels_json(const struct validation *v) {
  json_t *array = json_array();
  for (size_t i = 0; i < v->board->count; i++) {
    json_t *kernel =
        json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f}", "name", v->board->measurements[i].name, "workload",
                  v->board->measurements[i].workload, "description", v->board->measurements[i].description, "measured",
                  v->measured[i], "predicted", v->predicted[i], "error_percent", error_percent(v, i), "measured_rank",
                  v->measured_rank[i], "predicted_rank", v->predicted_rank[i]);
    if (json_array_append_new(array, kernel) != 0) {
      json_decref(array);
      return NULL;
    }
  }
  return array;
}

static struct measured_values measured_values(const struct validation *v) {
  return (struct measured_values){v->board->count, v->measured, v->kernel, strcmp(v->board->unit, "ns") == 0};
}

static int print_json(const struct validation *v, struct error *error) {
  const struct score *s = &v->score;
  const struct measured_values values = measured_values(v);
  json_t *ablation = ablate ? ablation_scores_json(&v->ablation, &values, reference, error) : NULL;
  if (ablate && ablation == NULL)
    return -1;
  return command_print_json(json_pack("{s:s, s:s, s:s, s:s, s:{s:o, s:o, s:o, s:o, s:o, s:o}, s:o, s:o*}", "schema",
                                      "reassemble.validate/1", "gpu", v->gpu->name, "board", v->board->name, "unit",
                                      v->board->unit, "summary", "mape_percent", number_or_null(s->mape_percent),
                                      "mape_percent_without_largest", number_or_null(s->mape_percent_without_largest),
                                      "constant_baseline_mape_percent",
                                      number_or_null(s->constant_baseline_mape_percent), "pearson",
                                      number_or_null(s->pearson), "spearman", number_or_null(s->spearman), "kendall",
                                      number_or_null(s->kendall), "kernels", kernels_json(v), "ablation", ablation),
                            error);
}

static int print_kernels(const struct validation *v, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"kernel", false},
                                                             {"measured", true},
                                                             {"predicted", true},
                                                             {"error %", true},
                                                             {"rank", true},
                                                             {"predicted rank", true},
                                                             {"description", false}},
                                     7);
  for (size_t i = 0; i < v->board->count; i++) {
    table_add(table, "%s", v->board->measurements[i].name);
    table_add(table, "%.0f", v->measured[i]);
    table_add(table, "%.0f", v->predicted[i]);
    table_add(table, "%+.1f", error_percent(v, i));
    table_add(table, "%g", v->measured_rank[i]);
    table_add(table, "%g", v->predicted_rank[i]);
    table_add(table, "%s", v->board->measurements[i].description);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static const char *name_of_largest(const struct validation *v) {
  size_t largest = 0;
  for (size_t i = 1; i < v->board->count; i++)
    if (v->measured[i] > v->measured[largest])
      largest = i;
  return v->board->measurements[largest].name;
}

static void print_head(const struct validation *v) {
  const char *const parts[] = {v->gpu->name, " on ", v->board->name, " (", v->board->statistic, ", ", v->board->unit,
                               ")",          NULL};
  for (const char *const *part = parts; *part != NULL; part++)
    table_print_text(*part, stdout);
  putchar('\n');
  table_print_text(v->board->source, stdout);
  fputs("\n\n", stdout);
}

static void print_scores(const struct validation *v) {
  const struct score *s = &v->score;
  char text[32], largest[128];
  printf("\nMAPE               %s %%\n  without ", score_text(s->mape_percent, 1, text));
  snprintf(largest, sizeof largest, "%-10s", name_of_largest(v));
  table_print_text(largest, stdout);
  printf(" %s %%\n", score_text(s->mape_percent_without_largest, 1, text));
  printf("  constant guess     %s %%\n", score_text(s->constant_baseline_mape_percent, 1, text));
  printf("Pearson            %s\n", score_text(s->pearson, 3, text));
  printf("Spearman           %s\n", score_text(s->spearman, 3, text));
  printf("Kendall            %s\n\n", score_text(s->kendall, 3, text));
}

static int print_text(const struct validation *v, struct error *error) {
  print_head(v);
  if (print_kernels(v, error) != 0)
    return -1;
  print_scores(v);
  printf("Latencies of this GPU (`reassemble params --gpu %s --sources` shows all):\n", v->gpu->name);
  for (size_t i = 0; i < gpu_params.count; i++) {
    char value[64];
    if (gpu_params.rows[i].flags & PARAM_TUNABLE)
      printf("  %-17s %6s  %s\n", gpu_params.rows[i].key,
             params_format(&gpu_params.rows[i], &v->gpu->spec, value, sizeof value), v->gpu->origins[i].source);
  }
  if (!ablate)
    return 0;
  const struct measured_values values = measured_values(v);
  putchar('\n');
  return ablation_print_scores(&v->ablation, &values, reference, error);
}

static int validate(struct validation *v, const struct options *options, struct error *error) {
  const size_t count = v->board->count;
  struct replay replay = {0};
  struct measured_launches *launches = NULL;
  double *numbers = calloc(4 * count, sizeof *numbers);
  v->kernel = calloc(count, sizeof *v->kernel);
  int status = numbers != NULL && v->kernel != NULL ? 0 : error_set(error, ERROR_WORK, "out of memory");
  if (status == 0) {
    v->measured = numbers;
    v->predicted = numbers + count;
    v->measured_rank = numbers + 2 * count;
    v->predicted_rank = numbers + 3 * count;
    status = measured_load_gpu(&replay, v->board, own.gpu, error);
    v->gpu = replay.gpu;
  }
  if (status == 0 && ablate)
    status = ablation_check_reference(&replay.gpu->spec, reference, error);
  if (status == 0)
    status = measured_load(&replay, v->board, own.timeout_s, options, &launches, error);
  if (status == 0)
    status = replay_simulate(&replay, options->jobs, options->quiet, error);
  if (status == 0 && ablate)
    status = ablation_run(&v->ablation, &replay, options->jobs, options->quiet, error);
  if (status == 0) {
    collect(v, &replay, launches);
    status = options->json ? print_json(v, error) : print_text(v, error);
  }
  ablation_clear(&v->ablation);
  replay_clear(&replay);
  free(launches);
  free(numbers);
  free(v->kernel);
  return status;
}

static int run(const struct options *options, struct error *error) {
  if (board_name == NULL)
    return error_set(error, ERROR_INPUT, "--board is missing; `reassemble list boards` names those that ship");
  if (reference != NULL && !ablate)
    return error_set(error, ERROR_INPUT, "--reference goes with --ablate");
  struct validation v = {0};
  int status = board_load(board_name, &v.board, error);
  if (status == 0)
    status = validate(&v, options, error);
  board_destroy(v.board);
  return status;
}

const struct command command_validate = {
    .word = "validate",
    .arguments = "",
    .help = "Compare predictions with the measurements of a board",
    .details =
        "Prints, per measured kernel, the error and both ranks, and the scores of the whole: MAPE (mean absolute\n"
        "percentage error), the same without the largest measurement and for the best constant guess, Pearson's,\n"
        "Spearman's and Kendall's correlation. Parameters that were fitted to the same board make these scores\n"
        "in-sample ones; the list of latencies says where each comes from.\n"
        "With --ablate two more tables hold the scores with each mechanism of the GPU off in turn, and with all added "
        "one\n"
        "by one; \"with one scale\" is the MAPE of the same predictions times the factor that suits the board best.\n"
        "\n"
        "Examples:\n"
        "  reassemble validate --board hikey960-gemm-variants\n"
        "  reassemble validate --gpu mali-g72-mp12 --board hikey960-gemm-variants --json\n"
        "  reassemble validate --board hikey960-gemm-variants --ablate --reference kaszyk-table-5.7\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 0,
    .run = run,
};
