/* reassemble baseline: how well a board's times are learned from functional statistics alone. */
#include "cli/core/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "cli/baseline/baseline_view.h"
#include "cli/replay/measured.h"
#include "tuner/objective/baseline.h"
#include "tuner/cross_validate.h"
#include "tuner/folds.h"
#include "tuner/learner/learned.h"
#include "tuner/tune.h"

static const char *board_name, *cv_text, *params_text, *other_name;
static const char *gpu_name;
static bool no_traces;

static const struct option_row rows[] = {
    BOARD_ROW(board_name, "board file, by name or path (required)"),
    GPU_ROW(gpu_name, "GPU of the model's rows (the one that the board file names)"),
    CROSS_VALIDATION_ROW(
        cv_text, "how measurements are held out: each alone, in K groups, or in those of the board file (loo; kfold=10 "
                 "for more than 40)"),
    {.name = "order-of",
     .argument = "BOARD",
     .type = OPTION_TEXT,
     .target = &other_name,
     .help = "predict by what another board measured at points of the same names"},
    {.name = "no-traces",
     .type = OPTION_FLAG,
     .target = &no_traces,
     .help = "leave out what needs traces of the kernels: their statistics, work and the model"},
    TUNED_PARAMS_ROW(params_text, "tune these parameters of the model to the same folds as well, as `tune` does"),
    {.name = NULL},
};

enum { MOST_LEFT_OUT_ALONE = 40 };

struct run {
  const struct options *options;
  struct measured_board data;
  struct replay replay; /* owns the traces */
  struct folds folds;
  double *predicted, *work[3]; /* one allocation, [count] each */
  struct board *other;         /* of --order-of */
  struct baseline_report report;
};

static struct baseline_row *add_row(struct run *run, const char *predictor, const char *inputs, const char *selection) {
  struct baseline_row *row = &run->report.rows[run->report.count++];
  *row = (struct baseline_row){.predictor = predictor, .inputs = inputs, .selection = selection};
  return row;
}

static void score_row(const struct run *run, bool held_out, struct baseline_row *row) {
  score_compute(run->data.measured, run->predicted, run->data.board->count,
                held_out ? &row->held_out : &row->in_sample);
  *(held_out ? &row->has_held_out : &row->has_in_sample) = true;
}

/* ---- predictors ---- */

/* Time proportional to `work`; the same for all kernels where that is NULL. Each measurement is held out alone: such a
 * scale hardly depends on the folds. */
static void proportional(struct run *run, const char *name, const double *work) {
  struct baseline_row *row = add_row(run, name, NULL, NULL);
  for (int held_out = 0; held_out < 2; held_out++) {
    baseline_of_work(run->data.measured, work, run->data.board->count, held_out != 0, run->predicted);
    score_row(run, held_out != 0, row);
  }
}

static void constant_row(struct run *run) {
  for (size_t i = 0; i < run->data.board->count; i++)
    run->work[0][i] = 1;
  proportional(run, "constant", run->work[0]);
}

static int work_rows(struct run *run, struct error *error) {
  struct kernel_work work = {run->work[0], run->work[1], run->work[2]};
  if (count_work(&run->data.kernels, &run->data.gpu->spec, &work, error) != 0)
    return -1;
  proportional(run, "work-item instructions", run->work[0]);
  proportional(run, "issue slots", run->work[1]);
  proportional(run, "roofline", run->work[2]);
  return 0;
}

static const struct board_measurement *find_point(const struct board *board, const char *name) {
  for (size_t i = 0; i < board->count; i++)
    if (strcmp(board->measurements[i].name, name) == 0)
      return &board->measurements[i];
  return NULL;
}

/* Adds the row that predicts each point by the time of another board there, times one scale. */
static int other_row(struct run *run, struct error *error) {
  for (size_t i = 0; i < run->data.board->count; i++) {
    const char *name = run->data.board->measurements[i].name;
    const struct board_measurement *m = find_point(run->other, name);
    if (!m)
      return error_at(error, ERROR_INPUT, run->other->path, 0, 0, "--order-of", "found no measurement \"%.60s\"", name);
    run->work[0][i] = m->value;
  }
  proportional(run, run->other->name, run->work[0]);
  return 0;
}

static int learned_row(struct run *run, const struct learned_setup *setup, struct error *error) {
  struct baseline_row *row =
      add_row(run, setup->learner->name, feature_view_names[setup->view], projection_names[setup->projection]);
  for (int held_out = 0; held_out < 2; held_out++) {
    if (learned_predict(setup, run->data.measured, run->folds.of, held_out != 0 ? run->folds.count : 0, run->predicted,
                        error) != 0)
      return -1;
    score_row(run, held_out != 0, row);
  }
  return 0;
}

/* Rows of one view: those of every learner that is installed, for the first `projections` kinds. */
static int view_rows(struct run *run, const struct features *view, enum feature_view kind, int projections,
                     struct error *error) {
  int status = 0;
  for (const struct learner *const *l = learners; *l && view->columns > 0; l++)
    for (int p = 0; p < projections && status == 0 && (!(*l)->is_there || (*l)->is_there()); p++)
      status = learned_row(run,
                           &(struct learned_setup){.features = view,
                                                   .view = kind,
                                                   .projection = (enum projection_kind)p,
                                                   .learner = *l,
                                                   .seed = run->options->seed},
                           error);
  return status;
}

static int statistics_rows(struct run *run, struct error *error) {
  const struct gpu_spec *spec = &run->data.gpu->spec;
  struct features counts, view = {0};
  if (features_count(run->data.leading, run->data.board->count, (uint32_t)spec->warp_size, &counts, error) != 0)
    return -1;
  int status = 0;
  for (int v = 0; v < FEATURE_VIEWS && status == 0; v++) {
    status = features_view(&counts, (enum feature_view)v, spec->cores, &view, error);
    if (status == 0)
      status = view_rows(run, &view, (enum feature_view)v, PROJECTION_KINDS, error);
    features_clear(&view);
  }
  features_clear(&counts);
  return status;
}

/* Used for a board whose points bind parameters of a workload. */
static int parameter_rows(struct run *run, struct error *error) {
  const struct board *board = run->data.board;
  const char **workloads = calloc(board->count, sizeof *workloads);
  struct features view = {0};
  int status = workloads ? 0 : error_no_memory(error);
  for (size_t i = 0; i < board->count && status == 0; i++)
    workloads[i] = board->measurements[i].terms[0].workload;
  if (status == 0)
    status = features_of_parameters(workloads, board->count, &view, error);
  if (status == 0)
    status = view_rows(run, &view, FEATURES_PARAMETERS, PROJECTION_ALL + 1, error);
  features_clear(&view);
  free(workloads);
  return status;
}

static int model_row(struct run *run, struct error *error) {
  struct error refusal = {0};
  const struct predictor *p = &run->data.predictor;
  if (p->predict(p->context, &run->data.gpu->spec, 1, run->predicted, &refusal, error) != 0)
    return -1;
  score_row(run, false, add_row(run, "the model, as its GPU file is", NULL, NULL));
  return 0;
}

static int tune_both(struct run *run, struct tune *t, struct error *error) {
  if (tune_search(t, error) != 0 || tune_cross_validate(t, &run->folds, error) != 0)
    return -1;
  struct baseline_row *row = add_row(run, "the model, tuned", NULL, NULL);
  row->in_sample = t->score;
  row->held_out = t->held_out_score;
  row->has_in_sample = row->has_held_out = true;
  return 0;
}

static int tuned_row(struct run *run, const struct space *space, struct error *error) {
  struct objective objective;
  struct progress progress;
  struct tune t = {0};
  if (objective_parse("mape", &objective, error) != 0)
    return -1;
  const struct tune_setup setup = {.spec = &run->data.gpu->spec,
                                   .space = space,
                                   .objective = &objective,
                                   .method = tune_methods[0],
                                   .predictor = &run->data.predictor,
                                   .measured = run->data.measured,
                                   .seed = run->options->seed,
                                   .starts = 1,
                                   .penalty_percent = -1,
                                   .tolerance = 0.01};
  progress_start(&progress, "tune", "evaluations", 0, run->options->quiet);
  int status = tune_init(&t, &setup, error);
  t.evaluator.progress = &progress;
  if (status == 0)
    status = tune_both(run, &t, error);
  progress_end(&progress);
  tune_clear(&t);
  return status == 0 ? 0 : measured_board_blame(&run->data, error);
}

/* ---- the run ---- */

static int prepare(struct run *run, struct error *error) {
  if (measured_check_board(board_name, error) != 0 ||
      measured_board_open(&run->data, board_name, gpu_name, error) != 0 ||
      (other_name && board_load(other_name, &run->other, error) != 0))
    return -1;
  const size_t count = run->data.board->count;
  const char *how = cv_text ? cv_text : count <= MOST_LEFT_OUT_ALONE ? "loo" : "kfold=10";
  if (measured_board_folds(&run->data, how, run->options->seed, &run->folds, error) != 0)
    return -1;
  run->predicted = calloc(4 * count, sizeof *run->predicted);
  if (!run->predicted)
    return error_no_memory(error);
  run->work[0] = run->predicted + count;
  run->work[1] = run->predicted + 2 * count;
  run->work[2] = run->predicted + 3 * count;
  run->report =
      (struct baseline_report){.board = run->data.board, .gpu = run->data.gpu, .cv = how, .seed = run->options->seed};
  return 0;
}

/* Adds the rows that are computed from measurements and parameters alone, without traces. */
static int measured_rows(struct run *run, struct error *error) {
  constant_row(run);
  if (run->other && other_row(run, error) != 0)
    return -1;
  return parameter_rows(run, error);
}

static int traced_rows(struct run *run, struct error *error) {
  struct space space;
  if ((params_text && space_parse(params_text, &run->data.gpu->spec, &space, error) != 0) ||
      measured_load_board(&run->data, &run->replay, run->options, error) != 0 || work_rows(run, error) != 0 ||
      statistics_rows(run, error) != 0 || model_row(run, error) != 0)
    return -1;
  return params_text ? tuned_row(run, &space, error) : 0;
}

static int compare(struct run *run, struct error *error) {
  if (prepare(run, error) != 0 || measured_rows(run, error) != 0 || (!no_traces && traced_rows(run, error) != 0))
    return -1;
  return baseline_show(&run->report, run->options->json, error);
}

static int run_command(const struct options *options, struct error *error) {
  struct run run = {.options = options};
  const int status = compare(&run, error);
  measured_board_close(&run.data);
  replay_clear(&run.replay);
  folds_clear(&run.folds);
  free(run.predicted);
  board_destroy(run.other);
  return status;
}

const struct command command_baseline = {
    .word = "baseline",
    .arguments = "",
    .help = "Learn a board's times without a model, to see what a model is worth",
    .details =
        "Predicts every measurement of a board without the model, by linear and ridge regression, by boosted trees "
        "(where\n"
        "XGBoost's library is installed) and by a multi-layer perceptron that were taught the other measurements. They "
        "see\n"
        "the functional statistics of its kernel (`reassemble info`) as they are, as the share of one core, and as\n"
        "logarithms; all of them, the five that correlate most, or principal components; and, where points bind\n"
        "parameters of a workload, these. Beside them: a constant, time proportional to work, a roofline, the times "
        "of\n"
        "another board, and the model. docs/tuner.md says more.\n"
        "\n"
        "Examples:\n"
        "  reassemble baseline --board hikey960-gemm-variants\n"
        "  reassemble baseline --board rtx-3090-xgemm:300 --order-of rtx-2080-ti-xgemm:all --no-traces\n"
        "  reassemble baseline --board hikey960-gemm-variants --cv kfold=3 \\\n"
        "    --params arith@2,store@4,l1_hit@3,l1_miss@15,barrier\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 0,
    .run = run_command,
};
