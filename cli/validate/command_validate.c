/* reassemble validate: predictions against the measurements of one or several boards. */
#include "cli/core/command.h"

#include <stdlib.h>

#include "cli/validate/scatter.h"
#include "cli/validate/speedups.h"
#include "cli/validate/validation.h"
#include "tuner/board/board_choice.h"

static const char *board_name, *scatter_path, *speedups, *workloads = "thesis60";
static struct validation_setup setup;

static const struct option_row rows[] = {
    BOARD_ROW(board_name, "board file, by name or path; more of them as arguments"),
    GPU_ROW(setup.gpu, "GPU description (the one that each board file names)"),
    {.name = "points",
     .argument = "CHOICE",
     .type = OPTION_TEXT,
     .target = &setup.points,
     .help = "of each board: all, train, test (its split), N (stratified by time) or unseen=N (outside of the split)"},
    {.name = "scatter",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &scatter_path,
     .help = "write measured and predicted times of all boards there (CSV)"},
    {.name = "speedups",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &speedups,
     .help = "instead of boards: speed-ups of other GPUs over --gpu beside measured ones (a reference file)"},
    {.name = "workloads",
     .argument = "SET",
     .type = OPTION_TEXT,
     .target = &workloads,
     .help = "with --speedups: the kernels whose mean counts (thesis60)"},
    {.name = "journal",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &setup.journal,
     .help = "of one board: keep each result there; the same command goes on from it after an interruption"},
    {.name = "ablate",
     .type = OPTION_FLAG,
     .target = &setup.ablate,
     .help = "also the scores with every mechanism off in turn, and with all added one by one"},
    {.name = "reference",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &setup.reference,
     .help = "with --ablate: a file with the MAPE that others published for each step, printed beside ours"},
    {.name = NULL},
};

/* One board is the document; several are a list in it. */
static int show(const struct validation *list, size_t count, bool json, struct error *error) {
  struct view view;
  int status = 0;
  view_begin(&view, json, stdout, count == 1 ? "reassemble.validate/1" : "reassemble.validations/1");
  for (size_t i = 0; i < count && status == 0; i++) {
    if (count > 1) {
      view_element_begin(&view, "boards");
      view_member(&view, "schema", view_text("reassemble.validate/1"));
    }
    status = validation_show(&list[i], &view, error);
    if (count > 1) {
      view_object_end(&view);
      view_say(&view, "\n");
    }
  }
  if (status == 0 && count > 1)
    validation_show_summary(list, count, &view);
  return view_end(&view, status, error);
}

static int validate_all(struct validation *list, const char *const *names, size_t count, const struct options *options,
                        struct error *error) {
  for (size_t i = 0; i < count; i++)
    if (validation_run(&list[i], &setup, names[i], error) != 0)
      return -1;
  if (scatter_path && scatter_write(scatter_path, list, count, error) != 0)
    return -1;
  return show(list, count, options->json, error);
}

static int run(const struct options *options, struct error *error) {
  const size_t given = options->argument_count, count = given + (board_name ? 1 : 0);
  if (setup.journal && (count > 1 || speedups))
    return error_set(error, ERROR_INPUT, "--journal goes with one board");
  if (speedups && (count > 0 || setup.ablate || scatter_path))
    return error_set(error, ERROR_INPUT, "--speedups goes with --gpu and --workloads only");
  if (speedups)
    return speedups_compare(setup.gpu, speedups, workloads, options, error);
  if (count == 0)
    return measured_check_board(NULL, error);
  if (setup.reference && !setup.ablate)
    return error_set(error, ERROR_INPUT, "--reference goes with --ablate");
  if (setup.points && !board_choice_is_known(setup.points))
    return error_set(error, ERROR_INPUT, "--points: found \"%.80s\", expected all, train, test, a number or unseen=N",
                     setup.points);
  const char **names = calloc(count, sizeof *names);
  struct validation *list = calloc(count, sizeof *list);
  int status = names && list ? 0 : error_no_memory(error);
  setup.options = options;
  if (status == 0) {
    for (size_t i = 0; i < count; i++)
      names[i] = i > 0 || !board_name ? options->arguments[i - (board_name ? 1 : 0)] : board_name;
    status = validate_all(list, names, count, options, error);
  }
  for (size_t i = 0; i < count && list; i++)
    validation_clear(&list[i]);
  free(list);
  free(names);
  return status;
}

const struct command command_validate = {
    .word = "validate",
    .arguments = "[BOARD]...",
    .help = "Compare predictions with the measurements of boards",
    .details =
        "Prints, per measured kernel, the error and both ranks, and the scores of the whole: MAPE (mean absolute\n"
        "percentage error), the same without the largest measurement and for the best constant guess, Pearson's,\n"
        "Spearman's and Kendall's correlation. Parameters that were fitted to the same board make these scores\n"
        "in-sample ones; the list of latencies says where each comes from.\n"
        "With --ablate two more tables hold the scores with each mechanism of the GPU off in turn, and with all added "
        "one\n"
        "by one; \"with one scale\" is the MAPE of the same predictions times the factor that suits the board best.\n"
        "Several boards end in one table of their scores; --scatter writes board, kernel, workload, unit, measured "
        "and\n"
        "predicted, a line a kernel, for a plot.\n"
        "--points chooses among the measurements of a large board, as \"BOARD:CHOICE\" does. What the GPU cannot run "
        "is\n"
        "listed and left out of the scores. A board whose scale is free gets the one factor of least MAPE, which is\n"
        "printed with the MAPE without it.\n"
        "The traces of many points stay in files, of which --jobs are in memory together. --journal keeps every result "
        "as\n"
        "soon as it is known; a journal of another board, GPU or version is refused.\n"
        "--speedups asks how well other GPUs are predicted: GPU files derived from --gpu, measured against it.\n"
        "\n"
        "Examples:\n"
        "  reassemble validate --board hikey960-gemm-variants\n"
        "  reassemble validate --gpu mali-g72-mp12 --board hikey960-gemm-variants --json\n"
        "  reassemble validate --board hikey960-gemm-variants --ablate --reference kaszyk-table-5.7\n"
        "  reassemble validate hikey960-gemm-variants my-board.json --scatter points.csv\n"
        "  reassemble validate --gpu mali-g71-mp8 --board times.csv        (columns: workload,ms)\n"
        "  reassemble validate --board rtx-2080-ti-xgemm --points test --journal points.journal\n"
        "  reassemble validate --gpu mali-g71-mp8 --speedups kaszyk-family-speedups\n",
    .rows = rows,
    .minimum_arguments = 0,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
