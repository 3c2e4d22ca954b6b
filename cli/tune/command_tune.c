/* reassemble tune: fits parameters of a GPU to the measurements of a board. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process/ranks.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/core/budget.h"
#include "cli/core/option_rows.h"
#include "cli/replay/measured.h"
#include "cli/tune/tune_journal.h"
#include "cli/tune/tune_ranks.h"
#include "cli/tune/tune_view.h"
#include "tuner/objective/baseline.h"
#include "tuner/bootstrap.h"
#include "tuner/cross_validate.h"
#include "tuner/folds.h"
#include "tuner/identify.h"
#include "tuner/nested.h"
#include "tuner/subset.h"
#include "tuner/tune.h"
#include "tuner/tuned_gpu.h"

static const char *board_name, *output, *journal_path;
static const char *gpu_name;
static const char *params_text, *objective_text = TUNE_DEFAULT_OBJECTIVE, *method_name;
static int64_t evaluations, starts = 3;
static double tolerance = 0.01, penalty_percent = -1;
static const char *cv_text = "linear";
static int64_t replicas, subset_count, search_count;
static bool force, exact, nested;
static const char *choose_text; /* NULL: CHOICES_DEFAULT */

static const struct option_row rows[] = {
    BOARD_ROW(board_name, "board file, by name or path (required)"),
    GPU_ROW(gpu_name, "GPU description (the one that the board file names)"),
    TUNED_PARAMS_ROW(params_text,
                     "what to tune: KEY[=LOW..HIGH][@START], ... (" TUNE_DEFAULT_PARAMETERS "; more for 50 points)"),
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
     .help = "gauss_newton, linear, binary, simplex, coordinate, annealing or grid (gauss_newton)"},
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
     .help = "added to the objective per squared logarithm of a change from the start (30 / measurements)"},
    {.name = "cv",
     .argument = "HOW",
     .type = OPTION_TEXT,
     .target = &cv_text,
     .help =
         "predict each measurement by a tuning without it: loo, kfold=K or groups (of the board file); linear: by a "
         "refit of the linear model; none (linear)"},
    {.name = "nested",
     .type = OPTION_FLAG,
     .target = &nested,
     .help = "also score a tuning that chooses as --choose says, inside each fold"},
    {.name = "choose",
     .argument = "LIST",
     .type = OPTION_TEXT,
     .target = &choose_text,
     .help = "what --nested chooses between: KEY=VALUE/VALUE, ... (" CHOICES_DEFAULT ")"},
    {.name = "bootstrap",
     .argument = "N",
     .type = OPTION_INT,
     .target = &replicas,
     .minimum = 20,
     .maximum = 1e6,
     .help = "intervals of parameters and predictions from N replicas (none)"},
    {.name = "subset",
     .argument = "N",
     .type = OPTION_INT,
     .target = &subset_count,
     .minimum = 1,
     .maximum = 1e6,
     .help = "also tune to N kernels that stand for all, and say what that loses"},
    {.name = "search-on",
     .argument = "N",
     .type = OPTION_INT,
     .target = &search_count,
     .minimum = 1,
     .maximum = 1e6,
     .help = "search on N kernels that stand for all, and replay the result on all (all)"},
    OUTPUT_ROW(output, "FILE", "write the tuned GPU there (YAML); keeps a journal beside it while it runs"),
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &journal_path,
     .help = "keep every evaluation there; the same command goes on where it was ended"},
    {.name = "exact",
     .type = OPTION_FLAG,
     .target = &exact,
     .help = "search on whole replays only, not on recorded ones"},
    {.name = "force",
     .type = OPTION_FLAG,
     .target = &force,
     .help = "tune more parameters than there are measurements"},
    {.name = NULL},
};

/* Of --cv linear. */
enum { FEWEST_HELD_OUT = 4, MOST_LEFT_OUT_ALONE = 400, MOST_NESTED_ALONE = 20 };

/* Everything of one run of the command. */
struct run {
  const struct options *options;
  struct measured_board data;
  struct replay replay;                                     /* owns the traces */
  double *instructions, *issue_slots, *roofline, *baseline; /* one allocation, board->count each */
  struct space space;
  struct objective objective;
  char objective_text[256];
  struct progress progress;
  struct folds folds; /* of --cv */
  struct identification identification;
  struct subset subset, search_on;
  struct choices choices; /* of --nested */
  struct nested nested;
  struct tune tune;
};

/* ---- preparation ---- */

static bool is_linear(void) {
  return strcmp(cv_text, "linear") == 0;
}

/* Leaves out nothing where the rest would not define every objective, unless the user asked for it. */
static int make_folds(struct run *run, struct error *error) {
  const size_t count = run->data.board->count;
  if (strcmp(cv_text, "none") == 0 || (is_linear() && count < FEWEST_HELD_OUT))
    return 0;
  const size_t alone = nested ? MOST_NESTED_ALONE : MOST_LEFT_OUT_ALONE;
  const char *how = !is_linear() ? cv_text : count <= alone ? "loo" : nested ? "kfold=10" : "kfold=20";
  return measured_board_folds(&run->data, how, run->options->seed, &run->folds, error);
}

static int read_choices(struct run *run, struct error *error) {
  if (!nested && choose_text)
    return error_set(error, ERROR_INPUT, "--choose says what --nested chooses between; give both");
  if (!nested)
    return 0;
  if (run->folds.count == 0)
    return error_set(error, ERROR_INPUT, "--nested: nothing is held out; expected --cv and at least %d measurements",
                     FEWEST_HELD_OUT);
  return choices_parse(choose_text ? choose_text : CHOICES_DEFAULT, &run->choices, error);
}

/* Options that say what to do are checked before anything is emulated. */
static int read_options(struct run *run, struct tune_setup *setup, struct error *error) {
  setup->method = !method_name ? tune_methods[0] : tune_method_find(method_name, error);
  if (!setup->method || objective_parse(objective_text, &run->objective, error) != 0 ||
      measured_check_board(board_name, error) != 0 || measured_board_open(&run->data, board_name, gpu_name, error) != 0)
    return -1;
  const struct gpu *gpu = run->data.gpu;
  objective_format(&run->objective, run->objective_text, sizeof run->objective_text);
  if (output && tuned_gpu_check_path(output, gpu, error) != 0)
    return -1;
  if (make_folds(run, error) != 0 || read_choices(run, error) != 0)
    return -1;
  char parameters[512];
  tune_default_parameters(run->data.board, &gpu->spec, parameters, sizeof parameters);
  return space_parse(params_text ? params_text : parameters, &gpu->spec, &run->space, error);
}

static int prepare(struct run *run, struct error *error) {
  struct tune_setup setup = {.seed = run->options->seed,
                             .budget = (size_t)evaluations,
                             .starts = (size_t)starts,
                             .tolerance = tolerance,
                             .penalty_percent = penalty_percent,
                             .force = force,
                             .exact = exact,
                             .space = &run->space,
                             .objective = &run->objective,
                             .predictor = &run->data.predictor};
  if (read_options(run, &setup, error) != 0)
    return -1;
  setup.spec = &run->data.gpu->spec;
  setup.measured = run->data.measured;
  if (tune_init(&run->tune, &setup, error) != 0)
    return measured_board_blame(&run->data, error);
  run->replay.digests = ranks_size() > 1;
  if (measured_load_board(&run->data, &run->replay, run->options, error) != 0)
    return -1;
  const struct subset_source source = {run->data.leading, run->data.board->count,
                                       (uint32_t)run->data.gpu->spec.warp_size};
  if (subset_choose(&run->subset, &source, "--subset", (size_t)subset_count, error) != 0 ||
      subset_choose(&run->search_on, &source, "--search-on", (size_t)search_count, error) != 0)
    return measured_board_blame(&run->data, error);
  return 0;
}

/* ---- results ---- */

static void score_baseline(const struct run *run, const double *work, bool hold_out, struct score *score) {
  const size_t count = run->data.board->count;
  baseline_of_work(run->data.measured, work, count, hold_out, run->baseline);
  score_compute(run->data.measured, run->baseline, count, score);
}

static int write_gpu(const struct run *run, const struct tune_report *r, struct error *error) {
  const struct gpu *gpu = run->data.gpu;
  const char *name = gpu_name ? gpu_name : run->data.board->gpu;
  char *real = access(name, F_OK) == 0 ? realpath(gpu->path, NULL) : NULL;
  const struct tuned_gpu_facts facts = {gpu,   real ? real : name, run->data.board, run->objective_text,
                                        r->cv, REASSEMBLE_VERSION};
  const int status = tuned_gpu_write(output, &run->tune, &facts, error);
  free(real);
  return status;
}

static int report(struct run *run, struct error *error) {
  struct tune_report r = {.tune = &run->tune,
                          .board = run->data.board,
                          .gpu = run->data.gpu,
                          .objective = run->objective_text,
                          .cv = run->folds.count > 0 ? cv_text : NULL,
                          .identification = &run->identification,
                          .search_on = (size_t)search_count};
  const size_t count = run->data.board->count;
  run->instructions = calloc(4 * count, sizeof *run->instructions);
  if (!run->instructions)
    return error_no_memory(error);
  run->issue_slots = run->instructions + count;
  run->baseline = run->instructions + 2 * count;
  run->roofline = run->instructions + 3 * count;
  struct kernel_work work = {run->instructions, run->issue_slots, run->roofline};
  if (count_work(&run->data.kernels, &run->data.gpu->spec, &work, error) != 0)
    return -1;
  score_baseline(run, run->instructions, false, &r.work_items);
  score_baseline(run, run->issue_slots, false, &r.issue_slots);
  score_baseline(run, run->instructions, true, &r.work_items_held_out);
  score_baseline(run, run->issue_slots, true, &r.issue_slots_held_out);
  score_baseline(run, run->roofline, false, &r.roofline);
  if (nested) {
    r.nested = &run->nested;
    r.choices = &run->choices;
  }
  if (subset_count > 0) {
    r.subset = &run->subset;
    r.subset_work_percent = subset_share_percent(&run->subset, run->issue_slots, count);
  }
  if (ranks_rank() > 0)
    return 0;
  if (output && write_gpu(run, &r, error) != 0)
    return -1;
  return tune_show(&r, run->options->json, error);
}

/* ---- the run ---- */

static int run_nested(struct run *run, struct error *error) {
  const struct nested_setup setup = {.tune = run->tune.setup,
                                     .choices = &run->choices,
                                     .folds = &run->folds,
                                     .search = !is_linear(),
                                     .jobs = run->options->jobs};
  return nested_run(&setup, &run->nested, error);
}

static int search(struct run *run, struct error *error) {
  progress_start(&run->progress, run->tune.setup.method->name, "evaluations", 0, run->options->quiet);
  const struct tune_setup *setup = &run->tune.setup;
  progress_limit(&run->progress, (setup->budget > 0 ? setup->budget : setup->method->budget) *
                                     (1 + (is_linear() ? 0 : run->folds.count)));
  run->tune.evaluator.progress = &run->progress;
  int status = search_count > 0 ? subset_search(&run->search_on, &run->tune, error) : tune_search(&run->tune, error);
  if (status == 0 && run->folds.count > 0)
    status = is_linear() ? tune_cross_validate_linear(&run->tune, &run->folds, error)
                         : tune_cross_validate(&run->tune, &run->folds, error);
  if (status == 0 && replicas > 0)
    status = tune_bootstrap(&run->tune, (size_t)replicas, run->options->jobs, error);
  if (status == 0)
    status = tune_identify(&run->tune, &run->identification, error);
  if (status == 0 && nested)
    status = run_nested(run, error);
  if (status == 0 && subset_count > 0)
    status = subset_tune(&run->subset, &run->tune, error);
  progress_end(&run->progress);
  return status == 0 ? 0 : measured_board_blame(&run->data, error);
}

/* With -o a run keeps its journal beside the file until that is written. */
static int tune(struct run *run, struct error *error) {
  struct point_journal *journal = NULL;
  char *beside = !journal_path && ranks_size() == 1 ? tune_journal_beside(output) : NULL;
  const char *path = beside ? beside : journal_path;
  int status = prepare(run, error);
  status = tune_ranks_agree(status, run->data.board, run->data.gpu, &run->replay, journal_path, error);
  if (status == 0 && path) {
    status = tune_journal_open(path, &run->tune, run->data.board, run->data.gpu, run->objective_text, &journal, error);
    budget_resumes(path, "the same command");
  }
  if (status == 0)
    status = search(run, error);
  if (point_journal_close(journal, status == 0 ? error : NULL) != 0)
    status = -1;
  run->tune.evaluator.journal = NULL;
  if (status == 0)
    status = report(run, error);
  if (status == 0 && beside)
    unlink(beside);
  free(beside);
  return status;
}

static int run_one(const struct options *options, struct error *error) {
  struct run run = {.options = options};
  const int status = tune(&run, error);
  tune_clear(&run.tune);
  measured_board_close(&run.data);
  replay_clear(&run.replay);
  folds_clear(&run.folds);
  subset_clear(&run.subset);
  subset_clear(&run.search_on);
  nested_clear(&run.nested);
  choices_clear(&run.choices);
  free(run.instructions);
  return status;
}

static int run_command(const struct options *options, struct error *error) {
  return tune_ranks_run(options, run_one, error);
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
        "  reassemble tune --board hikey960-gemm-variants\n"
        "  reassemble tune --board hikey960-gemm-variants --nested --choose penalty=1/3,warp_formation=linear/per_row\n"
        "  reassemble tune --gpu mali-g71-mp8 --board hikey960-gemm-variants --method coordinate --penalty 1 \\\n"
        "    --params arith,store,l1_hit=1..50,l1_miss=10..200@29,barrier\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = 0,
    .run = run_command,
};
