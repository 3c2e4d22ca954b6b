/* reassemble run -- APP ARGUMENT...: runs an OpenCL program on a virtual board, the described GPU
 * (docs/virtual-board.md). */
#include "cli/core/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/core/view.h"
#include "cli/replay/designs.h"
#include "cli/run/program_run.h"
#include "cli/run/real_time.h"
#include "cli/run/run_judgement.h"
#include "cli/run/run_timeline.h"
#include "cli/run/run_view.h"

enum compute { COMPUTE_DEVICE, COMPUTE_EMULATOR, COMPUTE_NOTHING };
static const char *const computes[] = {"device", "emulator", "nothing", NULL};

enum time_by { TIME_BY_MODEL, TIME_BY_DEVICE };
static const char *const times[] = {"model", "device", NULL};

static const char *const out_of_bounds[] = OUT_OF_BOUNDS_NAMES;

static struct {
  struct option_list gpus, sets;
  const char *factors;
  double core_clock, memory_clock;
  int time; /* enum time_by */
  const char *timeline;
  bool report, watch_counter, compare;
  double host_scale;
  int64_t space_bytes;
  int compute;       /* enum compute */
  int out_of_bounds; /* enum out_of_bounds */
} arguments = {.core_clock = 1, .memory_clock = 1, .host_scale = 1, .space_bytes = INT64_C(8) << 30};

static const struct option_row rows[] = {
    DESIGN_ROWS(arguments.gpus, arguments.sets),
    {.name = "host-scale",
     .argument = "X",
     .type = OPTION_REAL,
     .target = &arguments.host_scale,
     .help = "simulated time per time that the program's own code takes here (1); 0: it costs nothing",
     .minimum = 0,
     .maximum = 1e6},
    {.name = "compute",
     .argument = "BY",
     .type = OPTION_CHOICE,
     .target = &arguments.compute,
     .choices = computes,
     .help = "what computes the results: the OpenCL device of this machine, the emulator, or nothing (fast, but the "
             "results are wrong)"},
    {.name = "out-of-bounds",
     .argument = "RULE",
     .type = OPTION_CHOICE,
     .target = &arguments.out_of_bounds,
     .choices = out_of_bounds,
     .help = "a launch with a load from outside of its buffer gets no prediction (trap), or the load gives 0 and is "
             "counted (read-zero)"},
    {.name = "compare",
     .type = OPTION_FLAG,
     .target = &arguments.compare,
     .help = "emulate every launch, and compare its results with those of the OpenCL device of this machine"},
    {.name = "time",
     .argument = "BY",
     .type = OPTION_CHOICE,
     .target = &arguments.time,
     .choices = times,
     .help = "where the times of commands come from: the model, or measurements on the OpenCL device of this machine, "
             "for which --gpu may be missing"},
    {.name = "factors",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &arguments.factors,
     .help = "with --time device: factors from `reassemble calibrate`, which correct the device's times"},
    {.name = "core-clock",
     .argument = "X",
     .type = OPTION_REAL,
     .target = &arguments.core_clock,
     .help = "with --time device: the board's clock of the cores as a multiple of the device's (1)",
     .minimum = 1e-3,
     .maximum = 1e3},
    {.name = "memory-clock",
     .argument = "X",
     .type = OPTION_REAL,
     .target = &arguments.memory_clock,
     .help = "with --time device: the board's clock of the memory as a multiple of the device's (1)",
     .minimum = 1e-3,
     .maximum = 1e3},
    {.name = "report", .type = OPTION_FLAG, .target = &arguments.report, .help = "print where the time went"},
    {.name = "watch-counter",
     .type = OPTION_FLAG,
     .target = &arguments.watch_counter,
     .help = "report whether the program reads the processor's counter (rdtsc); not for programs that start others"},
    {.name = "timeline",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &arguments.timeline,
     .help = "write when everything ran, in Chrome's trace format (Perfetto)"},
    {.name = "space",
     .argument = "BYTES",
     .type = OPTION_INT,
     .target = &arguments.space_bytes,
     .help = "room in $TMPDIR for copies of its buffers (8Gi)",
     .minimum = 1,
     .maximum = 1e15},
    {.name = NULL},
};

struct run {
  const struct options *options;
  struct designs designs; /* the program believes to run on the first */
  struct time_factors factors;
  struct virtual_board *boards; /* [designs.count] */
  struct program_run_wish *wishes;
  struct program_run *runs; /* [run_count] */
  size_t run_count;
};

/* The result. */

static void tell_agreement(const struct program_run *r) {
  size_t equal = 0;
  for (size_t i = 0; i < r->predictor.count; i++)
    equal += r->predictor.predictions[i].agreement == CAPTURE_EQUAL;
  if (arguments.compare && !r->wish->options->quiet)
    fprintf(stderr, "reassemble: %zu of %zu launches have the device's results to the bit\n", equal,
            r->predictor.count);
}

static void tell_outside_loads(const struct program_run *r) {
  const struct predictor *p = &r->predictor;
  if (p->outside_loads > 0 && !r->wish->options->quiet)
    fprintf(stderr,
            "reassemble: warning: %" PRIu64 " loads in %" PRIu64 " launches lay outside of their buffers and gave 0; a "
            "GPU may load other values and then run otherwise\n",
            p->outside_loads, p->outside_launches);
}

/* Returns the name of the board. */
static const char *name_of(const struct virtual_board *board) {
  return board->described ? board->gpu->name : "the device of this machine";
}

static int show(const struct run *r, struct error *error) {
  struct view view;
  uint64_t predicted = 0;
  bool first = true;
  if (!arguments.report && !r->options->json)
    return 0;
  for (size_t i = 0; i < r->run_count; i++)
    predicted += r->runs[i].predictor.count;
  view_begin(&view, r->options->json, stdout, "reassemble.run/1");
  view_member(&view, "program", view_text(r->options->arguments[0]));
  view_member(&view, "runs", view_whole(r->run_count));
  view_member(&view, "predicted_launches", view_whole(predicted));
  for (size_t i = 0; i < r->run_count; i++)
    for (size_t k = 0; k < r->runs[i].wish->board_count; k++) {
      view_say(&view, first ? "" : "\n");
      first = false;
      view_element_begin(&view, "gpus");
      run_view(&view, name_of(&r->runs[i].wish->boards[k]), &r->runs[i].predictor, k, &r->runs[i].timed[k]);
      view_object_end(&view);
    }
  return view_end(&view, 0, error);
}

/* Says what the predictions took here, which is not a part of the result. */
static void tell_effort(const struct run *r) {
  double emulation_s = 0, replay_s = 0;
  size_t count = 0;
  for (size_t k = 0; k < r->run_count; k++)
    for (size_t i = 0; i < r->runs[k].predictor.count; i++, count++) {
      emulation_s += r->runs[k].predictor.predictions[i].emulation_s;
      replay_s += r->runs[k].predictor.predictions[i].replay_s;
    }
  if (arguments.report && !r->options->quiet && arguments.time == TIME_BY_MODEL)
    fprintf(stderr, "reassemble: %zu launches predicted: %.2f s of emulation, %.2f s of replay\n", count, emulation_s,
            replay_s);
}

static int judge_all(const struct run *r, struct error *error) {
  for (size_t i = 0; i < r->run_count; i++)
    if (program_run_judge(&r->runs[i], error))
      return -1;
  return 0;
}

/* Says how the program ended, which tells more than what it has not written. Returns -1. */
static int judge_end(const struct program_run *r, struct error *error) {
  if (!r->was_watched || r->child.status == 0)
    return -1;
  *error = (struct error)ERROR_INIT;
  return program_run_judge(r, error);
}

static int finish(struct run *r, struct error *error) {
  real_time_tell(&r->runs[0]);
  tell_effort(r);
  tell_agreement(&r->runs[0]);
  tell_outside_loads(&r->runs[0]);
  if (arguments.timeline && run_timeline_write(&r->runs[0].timed[0], name_of(&r->boards[0]), arguments.timeline, error))
    return -1;
  return show(r, error) || judge_all(r, error) ? -1 : 0;
}

/* The runs. */

static struct program_run_wish wish_of(const struct run *r, size_t first, size_t count) {
  const struct options *o = r->options;
  return (struct program_run_wish){.options = o,
                                   .words = o->arguments,
                                   .word_count = o->argument_count,
                                   .output = o->json ? STDERR_FILENO : STDOUT_FILENO,
                                   .watch_counter = arguments.watch_counter,
                                   .space_bytes = arguments.space_bytes,
                                   .out_of_bounds = (enum out_of_bounds)arguments.out_of_bounds,
                                   .boards = &r->boards[first],
                                   .board_count = count};
}

static int run_once(struct run *r, size_t first, size_t count, struct error *error) {
  r->wishes[r->run_count] = wish_of(r, first, count);
  struct program_run *out = &r->runs[r->run_count];
  const int status = program_run_start_to_end(&r->wishes[r->run_count], out, error);
  r->run_count++;
  return status;
}

/* A program that has not asked for the time does the same on all boards, so one run serves them; another runs once for
 * each board. */
static int run_boards(struct run *r, struct error *error) {
  const size_t count = r->designs.count;
  const int status = run_once(r, 0, count, error);
  real_time_tell_binary(&r->runs[0]);
  if (status)
    return judge_end(&r->runs[0], error);
  if (count == 1 || !r->runs[0].time_is_read || r->runs[0].child.status != 0)
    return finish(r, error);
  if (!r->options->quiet)
    fprintf(stderr, "reassemble: %s looks at the time, so it runs once for each of the %zu GPUs\n",
            r->options->arguments[0], count);
  program_run_clear(&r->runs[0]);
  r->run_count = 0;
  for (size_t i = 0; i < count; i++)
    if (run_once(r, i, 1, error))
      return -1;
  return finish(r, error);
}

/* Options. */

static int check(struct error *error) {
  const bool by_device = arguments.time == TIME_BY_DEVICE;
  if (by_device && arguments.compute != COMPUTE_DEVICE)
    return error_set(error, ERROR_INPUT, "--time device needs --compute device: what is not computed takes no time");
  if (arguments.compare && (arguments.compute != COMPUTE_DEVICE || by_device))
    return error_set(error, ERROR_INPUT,
                     "--compare compares the emulator with the device: it needs --compute device and "
                     "--time model");
  if (!by_device && (arguments.factors || arguments.core_clock != 1 || arguments.memory_clock != 1))
    return error_set(error, ERROR_INPUT,
                     "--factors, --core-clock and --memory-clock correct measured times: they need "
                     "--time device");
  return 0;
}

/* Without --gpu the device of this machine is the board; its description says only what memories it has. */
static int load_designs(struct run *r, bool described, struct error *error) {
  static const char *const any[] = {"generic-scalar"};
  const struct option_list one = {.items = (const char **)any, .count = 1};
  const int status = designs_load(&r->designs, described ? &arguments.gpus : &one, &arguments.sets, error);
  if (status == 0 && arguments.time == TIME_BY_DEVICE && r->designs.count > 1)
    return error_set(error, ERROR_INPUT, "--time device takes one GPU: its times are those of one device");
  return status;
}

static int load(struct run *r, struct error *error) {
  const bool by_device = arguments.time == TIME_BY_DEVICE, described = !by_device || arguments.gpus.count > 0;
  r->factors = time_factors_none();
  if (check(error) || load_designs(r, described, error) ||
      (arguments.factors && time_factors_load(arguments.factors, &r->factors, error)))
    return -1;
  r->boards = calloc(r->designs.count, sizeof *r->boards);
  r->wishes = calloc(r->designs.count, sizeof *r->wishes);
  r->runs = calloc(r->designs.count, sizeof *r->runs);
  if (!r->boards || !r->wishes || !r->runs)
    return error_no_memory(error);
  for (size_t i = 0; i < r->designs.count; i++)
    r->boards[i] = (struct virtual_board){.gpu = r->designs.items[i].gpu,
                                          .described = described,
                                          .computes = arguments.compute == COMPUTE_DEVICE,
                                          .emulates = arguments.compute == COMPUTE_EMULATOR,
                                          .compares = arguments.compare,
                                          .host_scale = arguments.host_scale,
                                          .device = by_device ? &r->factors : NULL,
                                          .core_clock = arguments.core_clock,
                                          .memory_clock = arguments.memory_clock};
  return 0;
}

static int run_run(const struct options *options, struct error *error) {
  struct run r = {.options = options};
  int status = load(&r, error);
  if (!status) {
    if (arguments.watch_counter)
      real_time_tell_blindness(options);
    status = run_boards(&r, error);
  }
  for (size_t i = 0; i < r.run_count; i++)
    program_run_clear(&r.runs[i]);
  free(r.boards);
  free(r.wishes);
  free(r.runs);
  designs_clear(&r.designs);
  return status;
}

const struct command command_run = {
    .word = "run",
    .arguments = "-- APP [ARGUMENT...]",
    .help = "Run an OpenCL program on a GPU that you may not have",
    .details = "The program asks for a GPU and gets the described one; what it computes is real, and OpenCL's event "
               "times are\n"
               "those that the model predicts. docs/virtual-board.md says what is simulated and what is not.\n\n"
               "Examples:\n"
               "  reassemble run --gpu mali-g71-mp8 --report -- ./application\n"
               "  reassemble run --gpu mali-g71-mp8,rtx-2080-ti --host-scale 0 --report -- ./application\n"
               "  reassemble run --time device --factors board.json --report -- ./application\n"
               "  reassemble run --gpu rtx-2080-ti --host-scale 0 --timeline run.json -- clpeak --kernel-latency\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run_run,
};
