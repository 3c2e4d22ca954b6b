/* reassemble calibrate: factors that make the measured times of this machine's OpenCL device those of another board
 * (docs/virtual-board.md). */
#include "cli/core/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input/json.h"
#include "cli/calibrate/factor_fit.h"
#include "cli/calibrate/program_record.h"
#include "cli/core/option_rows.h"
#include "cli/core/view.h"

static struct {
  const char *output, *record, *name, *train;
  int64_t repetitions;
} own = {.repetitions = 5};

static const struct option_row rows[] = {
    OUTPUT_ROW(own.output, "FACTORS", "write the factors, for `reassemble run --factors`"),
    {.name = "train",
     .argument = "NAME,...",
     .type = OPTION_TEXT,
     .target = &own.train,
     .help = "programs to which the factors are fitted; the others are held out (all of them)"},
    {.name = "record",
     .argument = "BOARD",
     .type = OPTION_OUTPUT,
     .target = &own.record,
     .help = "measure the programs of one file on the OpenCL device of this machine, and write them with their times"},
    {.name = "name",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &own.name,
     .help = "with --record: the name of this device in the file"},
    {.name = "runs",
     .letter = 'n',
     .argument = "N",
     .type = OPTION_INT,
     .target = &own.repetitions,
     .help = "with --record: repetitions, of which the fastest counts (5)",
     .minimum = 1,
     .maximum = 1000},
    {.name = NULL},
};

/* Recording. */

/* Says how busy the machine was, which is what measured times depend on. */
static void put_load(json_t *root) {
  double load[3];
  if (getloadavg(load, 3) == 3)
    json_object_set_new(root, "load_average", json_pack("[f, f, f]", load[0], load[1], load[2]));
}

static int record(const struct options *options, struct error *error) {
  struct program_board board;
  int status = program_board_load(options->arguments[0], false, &board, error);
  if (!status)
    status = program_record(&board, own.repetitions, options->quiet, error);
  if (!status) {
    if (own.name)
      json_object_set_new(board.root, "name", command_json_text(own.name));
    json_object_set_new(board.root, "statistic", json_sprintf("minimum of %lld runs", (long long)own.repetitions));
    put_load(board.root);
    status = json_save_document(board.root, own.record, 9, error);
  }
  program_board_clear(&board);
  return status;
}

/* Fitting. */

struct calibration {
  struct program_board device, board;
  struct program_pair *pairs;
  size_t count, trained;
  struct factor_fit fit;
};

/* Returns whether the name is in the list; no list has all names. */
static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
      return true;
  return !list;
}

static int pair_up(struct calibration *c, struct error *error) {
  c->pairs = calloc(c->device.count, sizeof *c->pairs);
  if (!c->pairs)
    return error_no_memory(error);
  for (size_t i = 0; i < c->device.count; i++) {
    const struct program_times *device = &c->device.items[i], *board = program_board_find(&c->board, device->name);
    if (!board)
      continue;
    c->pairs[c->count] = (struct program_pair){device, board, is_listed(own.train, device->name), 0, 0};
    c->trained += c->pairs[c->count++].trains;
  }
  if (c->trained < 2)
    return error_set(error, ERROR_INPUT, "two programs or more have to be in both files%s; found %zu",
                     own.train ? " and in --train" : "", c->trained);
  return 0;
}

static double error_of(const struct program_pair *p, double ns) {
  return 100 * (ns / p->board->total_ns - 1);
}

/* Returns the mean size of the errors, in %, of the programs that train, or of the others; NAN where there are none. */
static double mean_error(const struct calibration *c, bool trains, bool before) {
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++)
    if (c->pairs[i].trains == trains) {
      sum += fabs(error_of(&c->pairs[i], before ? c->pairs[i].before : c->pairs[i].predicted));
      count++;
    }
  return count > 0 ? sum / (double)count : NAN;
}

static json_t *factors_document(const struct calibration *c) {
  json_t *root =
      json_pack("{s:s, s:s, s:s}", "schema", "reassemble.factors/1", "device", c->device.name, "board", c->board.name);
  json_t *kinds = json_object();
  for (int kind = 0; kind < TIME_KINDS; kind++) {
    const struct time_factor *f = &c->fit.factors.kinds[kind];
    json_t *item = json_pack("{s:f, s:f, s:I}", "factor", f->factor, "memory_share", f->memory_share, "programs",
                             (json_int_t)c->fit.programs[kind]);
    if (isfinite(c->fit.standard_error[kind]))
      json_object_set_new(item, "standard_error", json_real(c->fit.standard_error[kind]));
    json_object_set_new(kinds, time_kind_name(kind), item);
  }
  json_object_set_new(root, "kinds", kinds);
  json_object_set_new(root, "cross_validated_error_percent", json_real(mean_error(c, true, false)));
  return root;
}

static void show_factors(struct view *view, const struct calibration *c) {
  static const struct view_column columns[] = {
      {.key = "kind", .title = "part"},
      {.key = "programs", .title = "programs", .format = "%d"},
      {.key = "factor", .title = "factor", .format = "%.4f"},
      {.key = "standard_error", .title = "error", .format = "%.4f"},
      {.key = "memory_share", .title = "memory's share", .format = "%.2f"},
  };
  struct view_list list;
  view_list_begin(view, "kinds", columns, 5, &list);
  for (int kind = 0; kind < TIME_KINDS; kind++)
    if (c->fit.programs[kind] > 0)
      VIEW_ROW(&list, view_text(time_kind_name(kind)), view_whole(c->fit.programs[kind]),
               view_real(c->fit.factors.kinds[kind].factor), view_real(c->fit.standard_error[kind]),
               view_real(c->fit.factors.kinds[kind].memory_share));
  view_list_end(&list);
}

static void show_programs(struct view *view, const struct calibration *c) {
  static const struct view_column columns[] = {
      {.key = "name", .title = "program"},
      {.key = "held_out", .title = "held out"},
      {.key = "commands_percent", .title = "commands, %", .format = "%.0f"},
      {.key = "measured_ns", .title = "measured, ms", .format = "%.3f", .scale = 1e-6},
      {.key = "predicted_ns", .title = "predicted, ms", .format = "%.3f", .scale = 1e-6},
      {.key = "error_percent", .title = "error %", .format = "%+.1f"},
      {.key = "error_without_percent", .title = "without factors %", .format = "%+.1f"},
  };
  struct view_list list;
  view_list_begin(view, "programs", columns, 7, &list);
  for (size_t i = 0; i < c->count; i++) {
    const struct program_pair *p = &c->pairs[i];
    const double host = p->device->awaited_ns[TIME_HOST] + p->device->awaited_ns[TIME_CALLS];
    VIEW_ROW(&list, view_text(p->device->name), view_text(p->trains ? "in turn" : "always"),
             view_real(100 * (1 - host / p->device->simulated_ns)), view_real(p->board->total_ns),
             view_real(p->predicted), view_real(error_of(p, p->predicted)), view_real(error_of(p, p->before)));
  }
  view_list_end(&list);
}

static int show(const struct calibration *c, const struct options *options, struct error *error) {
  struct view view;
  view_begin(&view, options->json, stdout, "reassemble.calibrate/1");
  view_member(&view, "device", view_text(c->device.name));
  view_member(&view, "board", view_text(c->board.name));
  view_say(&view, "%s as %s, factors fitted to %zu programs\n\n", c->device.name, c->board.name, c->trained);
  show_factors(&view, c);
  view_say(&view, "\n");
  show_programs(&view, c);
  view_member(&view, "cross_validated_error_percent", view_real(mean_error(c, true, false)));
  view_member(&view, "held_out_error_percent", view_real(mean_error(c, false, false)));
  view_member(&view, "held_out_error_without_percent", view_real(mean_error(c, false, true)));
  view_say(&view, "\nmean error, each program of the fit left out in turn  %.1f %%\n", mean_error(c, true, false));
  if (c->trained < c->count)
    view_say(&view, "mean error of the %zu programs held out             %.1f %% (without factors %.1f %%)\n",
             c->count - c->trained, mean_error(c, false, false), mean_error(c, false, true));
  return view_end(&view, 0, error);
}

static int write_factors(const struct calibration *c, struct error *error) {
  json_t *document = own.output ? factors_document(c) : NULL;
  const int status = own.output ? json_save_document(document, own.output, 9, error) : 0;
  json_decref(document);
  return status;
}

static int fit(const struct options *options, struct error *error) {
  struct calibration c = {0};
  int status = program_board_load(options->arguments[0], true, &c.device, error) ||
               program_board_load(options->arguments[1], true, &c.board, error) || pair_up(&c, error);
  if (!status) {
    c.fit = factor_fit(c.pairs, c.count, NULL);
    factor_fit_cross_validate(c.pairs, c.count);
    status = write_factors(&c, error) || show(&c, options, error);
  }
  program_board_clear(&c.device);
  program_board_clear(&c.board);
  free(c.pairs);
  return status ? -1 : 0;
}

static int run(const struct options *options, struct error *error) {
  const size_t wanted = own.record ? 1 : 2;
  if (options->argument_count != wanted)
    return error_set(error, ERROR_INPUT, "%s",
                     own.record ? "--record takes one file of programs"
                                : "two recorded files are needed: of the device, of the board");
  return own.record ? record(options, error) : fit(options, error);
}

const struct command command_calibrate = {
    .word = "calibrate",
    .arguments = "PROGRAMS|DEVICE BOARD",
    .help = "Fit factors that make the measured times of one OpenCL device those of another",
    .details =
        "With --record the programs of a file run on the OpenCL device of this machine, and their times are kept. Two "
        "such\n"
        "files, of the device that is here and of the board that is meant, give a factor for each kind of command.\n\n"
        "Examples:\n"
        "  reassemble calibrate --record here.json programs.json\n"
        "  reassemble calibrate here.json board.json -o factors.json\n"
        "  reassemble run --time device --factors factors.json --report -- ./application\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = 2,
    .run = run,
};
