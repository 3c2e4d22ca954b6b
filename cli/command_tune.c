/* reassemble tune: fits parameters of a GPU to the measurements of a board. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/text.h"
#include "cli/measured.h"
#include "cli/tune_journal.h"
#include "cli/tune_report.h"
#include "tuner/baseline.h"
#include "tuner/bootstrap.h"
#include "tuner/cross_validate.h"
#include "tuner/identify.h"
#include "tuner/predictor.h"
#include "tuner/tune.h"
#include "tuner/tuned_gpu.h"

static const char *board_name, *output, *journal_path;
static struct replay_options own;
static const char *params_text = SPACE_DEFAULT, *objective_text = "mape", *method_name = "binary";
static int64_t evaluations, starts = 3;
static double tolerance = 0.01, penalty_percent;
static const char *cv_text;
static int64_t replicas;
static bool force;

static const struct option_row rows[] = {
    {.name = "board",
     .letter = 'b',
     .argument = "BOARD",
     .type = OPTION_TEXT,
     .target = &board_name,
     .help = "board file, by name or path (required)"},
    REPLAY_OPTION_ROWS(own, "GPU description (the one that the board file names)"),
    {.name = "params",
     .letter = 'p',
     .argument = "LIST",
     .type = OPTION_TEXT,
     .target = &params_text,
     .help = "what to tune: KEY[=LOW..HIGH][@START], ... (" SPACE_DEFAULT ")"},
    {.name = "objective",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &objective_text,
     .help = "mape, log, pearson, spearman, kendall or a sum: mape:0.7+spearman:0.3 (mape)"},
    {.name = "method",
     .letter = 'm',
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &method_name,
     .help = "binary, linear, simplex, coordinate, annealing or grid (binary)"},
    {.name = "evaluations",
     .argument = "N",
     .type = OPTION_INT,
     .target = &evaluations,
     .minimum = 1,
     .maximum = 1e7,
     .help = "points that a search may ask for (the method's default)"},
    {.name = "starts",
     .argument = "N",
     .type = OPTION_INT,
     .target = &starts,
     .minimum = 1,
     .maximum = 1000,
     .help = "places where simplex begins (3)"},
    {.name = "tolerance",
     .argument = "SHARE",
     .type = OPTION_REAL,
     .target = &tolerance,
     .minimum = 1e-4,
     .maximum = 0.5,
     .help = "where values count as equal, relative (0.01)"},
    {.name = "penalty",
     .argument = "PERCENT",
     .type = OPTION_REAL,
     .target = &penalty_percent,
     .minimum = 0,
     .maximum = 1e6,
     .help = "added to the objective per squared logarithm of a change from the start (0)"},
    {.name = "cv",
     .argument = "loo|kfold=K",
     .type = OPTION_TEXT,
     .target = &cv_text,
     .help = "predict each measurement (or K groups) by a tuning without it as well"},
    {.name = "bootstrap",
     .argument = "N",
     .type = OPTION_INT,
     .target = &replicas,
     .minimum = 20,
     .maximum = 1e6,
     .help = "intervals of parameters and predictions from N replicas (none)"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &output,
     .help = "write the tuned GPU there (YAML); keeps a journal beside it while it runs"},
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &journal_path,
     .help = "keep every evaluation there; the same command goes on where it was ended"},
    {.name = "force",
     .type = OPTION_FLAG,
     .target = &force,
     .help = "tune more parameters than there are measurements"},
    {.name = NULL},
};

/* Everything of one run of the command. */
struct run {
  const struct options *options;
  struct board *board;
  struct replay replay;
  struct measured_launches *launches;
  struct isa_profile *isa;
  const struct trace **traces; /* by measurement */
  size_t *order;
  double *measured, *instructions, *issue_slots, *baseline; /* one allocation, board->count each */
  struct space space;
  struct objective objective;
  char objective_text[256];
  struct simulated_kernels kernels;
  struct predictor predictor;
  struct progress progress;
  size_t folds; /* of --cv; 0: one for each measurement */
  struct identification identification;
  struct tune tune;
};

/* ---- preparation ---- */

static int allocate(struct run *run, struct error *error) {
  const size_t count = run->board->count;
  run->traces = calloc(count, sizeof *run->traces);
  run->order = calloc(count, sizeof *run->order);
  run->measured = calloc(4 * count, sizeof *run->measured);
  if (run->traces == NULL || run->order == NULL || run->measured == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  run->instructions = run->measured + count;
  run->issue_slots = run->measured + 2 * count;
  run->baseline = run->measured + 3 * count;
  return 0;
}

/* What took long on the board takes long to simulate: it goes first. */
static void order_by_time(struct run *run) {
  for (size_t i = 0; i < run->board->count; i++) {
    size_t at = i;
    for (; at > 0 && run->measured[run->order[at - 1]] < run->measured[i]; at--)
      run->order[at] = run->order[at - 1];
    run->order[at] = i;
  }
}

static int load_kernels(struct run *run, struct error *error) {
  struct options as_measured = *run->options; /* --seed is the search's: data are those that were measured */
  as_measured.seed_given = false;
  if (measured_load(&run->replay, run->board, own.timeout_s, &as_measured, &run->launches, error) != 0 ||
      isa_load(run->replay.gpu->isa, &run->isa, error) != 0)
    return -1;
  for (size_t i = 0; i < run->board->count; i++) {
    run->traces[i] = measured_kernel(&run->replay, run->board, run->launches, i)->trace;
    run->measured[i] = run->board->measurements[i].value;
  }
  order_by_time(run);
  run->kernels = (struct simulated_kernels){.traces = run->traces,
                                            .count = run->board->count,
                                            .isa = run->isa,
                                            .nanoseconds = strcmp(run->board->unit, "ns") == 0,
                                            .jobs = run->options->jobs,
                                            .order = run->order};
  run->predictor = (struct predictor){run->board->count, &run->kernels, predict_by_simulation};
  return 0;
}

static int read_cv(size_t *folds, struct error *error) {
  char *end = NULL;
  *folds = 0;
  if (cv_text == NULL || strcmp(cv_text, "loo") == 0)
    return 0;
  if (strncmp(cv_text, "kfold=", 6) == 0 && cv_text[6] >= '1' && cv_text[6] <= '9')
    *folds = strtoul(cv_text + 6, &end, 10);
  if (end != NULL && *end == '\0')
    return 0;
  return error_set(error, ERROR_INPUT, "--cv: found \"%.60s\", expected loo or kfold=K, as in kfold=5", cv_text);
}

/* Options that say what to do are checked before anything is emulated. */
static int read_options(struct run *run, struct tune_setup *setup, struct error *error) {
  if (board_name == NULL)
    return error_set(error, ERROR_INPUT, "--board is missing; `reassemble list boards` names those that ship");
  setup->method = tune_method_find(method_name, error);
  if (setup->method == NULL || read_cv(&run->folds, error) != 0 ||
      objective_parse(objective_text, &run->objective, error) != 0 || board_load(board_name, &run->board, error) != 0 ||
      measured_load_gpu(&run->replay, run->board, own.gpu, error) != 0)
    return -1;
  objective_format(&run->objective, run->objective_text, sizeof run->objective_text);
  if (output != NULL && tuned_gpu_check_path(output, run->replay.gpu, error) != 0)
    return -1;
  return space_parse(params_text, &run->replay.gpu->spec, &run->space, error);
}

/* What is wrong with the measurements stands in the board file. */
static int name_board(const struct run *run, struct error *error) {
  if (error->file[0] == '\0' && error->kind == ERROR_INPUT)
    snprintf(error->file, sizeof error->file, "%s", run->board->path);
  return -1;
}

static int prepare(struct run *run, struct error *error) {
  struct tune_setup setup = {.seed = run->options->seed,
                             .budget = (size_t)evaluations,
                             .starts = (size_t)starts,
                             .tolerance = tolerance,
                             .penalty_percent = penalty_percent,
                             .force = force,
                             .space = &run->space,
                             .objective = &run->objective,
                             .predictor = &run->predictor};
  if (read_options(run, &setup, error) != 0 || allocate(run, error) != 0)
    return -1;
  setup.spec = &run->replay.gpu->spec;
  setup.measured = run->measured;
  run->predictor.count = run->board->count;
  for (size_t i = 0; i < run->board->count; i++)
    run->measured[i] = run->board->measurements[i].value;
  return tune_init(&run->tune, &setup, error) == 0 ? load_kernels(run, error) : name_board(run, error);
}

/* ---- results ---- */

static void score_baseline(const struct run *run, const double *work, bool hold_out, struct score *score) {
  baseline_of_work(run->measured, work, run->board->count, hold_out, run->baseline);
  score_compute(run->measured, run->baseline, run->board->count, score);
}

static int write_gpu(const struct run *run, const struct tune_report *r, struct error *error) {
  char *real =
      access(own.gpu != NULL ? own.gpu : run->board->gpu, F_OK) == 0 ? realpath(run->replay.gpu->path, NULL) : NULL;
  const struct tuned_gpu_facts facts = {.gpu = run->replay.gpu,
                                        .base = real != NULL      ? real
                                                : own.gpu != NULL ? own.gpu
                                                                  : run->board->gpu,
                                        .board = run->board,
                                        .objective = run->objective_text,
                                        .cv = r->cv,
                                        .tool_version = REASSEMBLE_VERSION};
  const int status = tuned_gpu_write(output, &run->tune, &facts, error);
  free(real);
  return status;
}

static int report(struct run *run, struct error *error) {
  struct tune_report r = {.tune = &run->tune,
                          .board = run->board,
                          .gpu = run->replay.gpu,
                          .objective = run->objective_text,
                          .cv = cv_text,
                          .identification = &run->identification};
  if (count_work(&run->kernels, &run->replay.gpu->spec, run->instructions, run->issue_slots, error) != 0)
    return -1;
  score_baseline(run, run->instructions, false, &r.work_items);
  score_baseline(run, run->issue_slots, false, &r.issue_slots);
  score_baseline(run, run->instructions, true, &r.work_items_held_out);
  score_baseline(run, run->issue_slots, true, &r.issue_slots_held_out);
  if (output != NULL && write_gpu(run, &r, error) != 0)
    return -1;
  return run->options->json ? tune_print_json(&r, error) : tune_print_text(&r, error);
}

/* ---- the run ---- */

static int search(struct run *run, struct error *error) {
  progress_start(&run->progress, run->tune.setup.method->name, "evaluations", 0, run->options->quiet);
  run->tune.evaluator.progress = &run->progress;
  int status = tune_search(&run->tune, error);
  if (status == 0 && cv_text != NULL)
    status = tune_cross_validate(&run->tune, run->folds, error);
  if (status == 0 && replicas > 0)
    status = tune_bootstrap(&run->tune, (size_t)replicas, run->options->jobs, error);
  if (status == 0)
    status = tune_identify(&run->tune, &run->identification, error);
  progress_end(&run->progress);
  return status == 0 ? 0 : name_board(run, error);
}

/* With -o a run keeps its journal beside the file until that is written. */
static int tune(struct run *run, struct error *error) {
  struct point_journal *journal = NULL;
  char *beside = journal_path == NULL && output != NULL ? text_format("%s.journal", output) : NULL;
  const char *path = beside != NULL ? beside : journal_path;
  int status = prepare(run, error);
  if (status == 0 && path != NULL)
    status = tune_journal_open(path, &run->tune, run->board, run->replay.gpu, run->objective_text, &journal, error);
  if (status == 0)
    status = search(run, error);
  if (point_journal_close(journal, status == 0 ? error : NULL) != 0)
    status = -1;
  run->tune.evaluator.journal = NULL;
  if (status == 0)
    status = report(run, error);
  if (status == 0 && beside != NULL)
    unlink(beside);
  free(beside);
  return status;
}

static int run_command(const struct options *options, struct error *error) {
  struct run run = {.options = options};
  const int status = tune(&run, error);
  tune_clear(&run.tune);
  isa_destroy(run.isa);
  replay_clear(&run.replay);
  board_destroy(run.board);
  free(run.launches);
  free(run.traces);
  free(run.order);
  free(run.measured);
  return status;
}

const struct command command_tune = {
    .word = "tune",
    .arguments = "",
    .help = "Fit parameters of a GPU to the measurements of a board",
    .details =
        "Simulates every measured kernel again and again with other values of the parameters, until the objective is\n"
        "least. Scores are printed beside those of the start values, of the best constant guess and of time\n"
        "proportional to the work, which a model has to beat. docs/tuner.md explains methods, objectives and output.\n"
        "\n"
        "Examples:\n"
        "  reassemble tune --board hikey960-gemm-variants --method linear\n"
        "  reassemble tune --gpu mali-g71-mp8 --board hikey960-gemm-variants --method coordinate --penalty 1 \\\n"
        "    --params arith,store,l1_hit=1..50,l1_miss=10..200@29,barrier\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 0,
    .run = run_command,
};
