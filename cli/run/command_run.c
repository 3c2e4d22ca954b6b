/* reassemble run -- APP ARGUMENT...: runs an OpenCL program on a virtual board, the described GPU (docs/virtual-board.md). */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/core/temporary.h"
#include "cli/core/view.h"
#include "cli/program/child_program.h"
#include "cli/replay/designs.h"
#include "cli/run/virtual_board_file.h"
#include "cli/run/predictor.h"
#include "cli/run/run_timeline.h"
#include "cli/run/run_view.h"
#include "cli/run/timed_program.h"

#define WATCH_NS 200000 /* between looks at the program */

enum compute { COMPUTE_DEVICE, COMPUTE_NOTHING };
static const char *const computes[] = {"device", "nothing", NULL};

static struct {
  struct option_list gpus, sets;
  const char *timeline;
  bool report, watch_counter;
  double host_scale;
  int64_t space_bytes;
  int compute; /* enum compute */
} arguments = {.host_scale = 1, .space_bytes = INT64_C(8) << 30};

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
     .help = "what computes results: the OpenCL device of this machine, or nothing; then they are wrong, and large "
             "launches take no time here"},
    {.name = "report", .type = OPTION_FLAG, .target = &arguments.report, .help = "print where the time went"},
    {.name = "watch-counter",
     .type = OPTION_FLAG,
     .target = &arguments.watch_counter,
     .help = "say whether the program reads the processor's counter (rdtsc); it may not start other programs"},
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
  struct gpu **gpus;      /* [designs.count], borrowed from them */
  char *folder;
  struct child_program child;
  struct predictor predictor;
  struct timed_program *timed; /* [designs.count] */
};

/* The program. */

static const char *clock_path(void) {
  return access(REASSEMBLE_CLOCK_INSTALLED, R_OK) == 0 ? REASSEMBLE_CLOCK_INSTALLED : REASSEMBLE_CLOCK_BUILT;
}

/* The library of clocks is loaded before those that the user wants loaded first. */
static int set_clocks(struct error *error) {
  const char *others = getenv("LD_PRELOAD");
  char *list = text_format("%s%s%s", clock_path(), others ? ":" : "", others ? others : "");
  char *scale = text_format("%.17g", arguments.host_scale);
  const bool set = list && scale && !setenv("LD_PRELOAD", list, 1) && !setenv("REASSEMBLE_HOST_SCALE", scale, 1);
  free(list);
  free(scale);
  if (arguments.watch_counter)
    setenv("REASSEMBLE_WATCH_COUNTER", "1", 1);
  return set ? 0 : error_set(error, ERROR_WORK, "out of memory");
}

static void unset_clocks(const char *before) {
  unsetenv("REASSEMBLE_HOST_SCALE");
  unsetenv("REASSEMBLE_WATCH_COUNTER");
  if (before)
    setenv("LD_PRELOAD", before, 1);
  else
    unsetenv("LD_PRELOAD");
}

static int set_environment(const struct run *r, struct error *error) {
  return child_layer_set(r->folder, error) ||
                 child_set_number("REASSEMBLE_CAPTURE_BYTES", (uint64_t)arguments.space_bytes, error) ||
                 child_set_number("REASSEMBLE_CAPTURE_AFTER", 0, error) ||
                 virtual_board_write(r->gpus[0], arguments.host_scale, arguments.compute == COMPUTE_DEVICE, r->folder,
                                     error) ||
                 set_clocks(error)
             ? -1
             : 0;
}

/* The program keeps its standard output, unless that is for the result. */
static int start(struct run *r, struct error *error) {
  const struct options *o = r->options;
  const char *preloaded = getenv("LD_PRELOAD");
  char *before = preloaded ? strdup(preloaded) : NULL;
  int status = set_environment(r, error);
  if (!status)
    status = child_start(&r->child, o->arguments, o->argument_count, o->json ? STDERR_FILENO : STDOUT_FILENO, error);
  child_layer_unset();
  unset_clocks(before);
  free(before);
  return status;
}

static int watch(struct run *r, struct error *error) {
  static const struct timespec pause = {.tv_nsec = WATCH_NS};
  bool any;
  while (!child_has_ended(&r->child)) {
    if (predictor_advance(&r->predictor, &any, error))
      return -1;
    if (!any)
      nanosleep(&pause, NULL);
  }
  return predictor_advance(&r->predictor, &any, error);
}

/* The result. */

static const struct prediction *first_failure(const struct predictor *p) {
  for (size_t i = 0; i < p->count; i++)
    if (p->predictions[i].failure)
      return &p->predictions[i];
  return NULL;
}

static int judge(const struct run *r, struct error *error) {
  const struct prediction *failed = first_failure(&r->predictor);
  const char *program = r->options->arguments[0];
  if (WIFSIGNALED(r->child.status))
    return error_set(error, ERROR_WORK, "%.200s was ended by signal %d (%s)", program, WTERMSIG(r->child.status),
                     strsignal(WTERMSIG(r->child.status)));
  if (WEXITSTATUS(r->child.status))
    return error_set(error, ERROR_WORK, "%.200s ended with exit code %d", program, WEXITSTATUS(r->child.status));
  if (failed)
    return error_set(error, ERROR_WORK, "launch %lld (%.100s) has no prediction and counts as 0 ns: %.400s",
                     (long long)failed->index, failed->kernel, failed->failure);
  return 0;
}

static int show(const struct run *r, struct error *error) {
  struct view view;
  if (!arguments.report && !r->options->json)
    return 0;
  view_begin(&view, r->options->json, stdout, "reassemble.run/1");
  view_member(&view, "program", view_text(r->options->arguments[0]));
  view_member(&view, "predicted_launches", view_whole(r->predictor.count));
  for (size_t i = 0; i < r->designs.count; i++) {
    view_say(&view, i > 0 ? "\n" : "");
    view_element_begin(&view, "gpus");
    run_view(&view, r->gpus[i], &r->timed[i]);
    view_object_end(&view);
  }
  return view_end(&view, 0, error);
}

/* Says what the predictions took here, which is not a part of the result. */
static void tell_effort(const struct run *r) {
  double emulation_s = 0, replay_s = 0;
  for (size_t i = 0; i < r->predictor.count; i++) {
    emulation_s += r->predictor.predictions[i].emulation_s;
    replay_s += r->predictor.predictions[i].replay_s;
  }
  if (arguments.report && !r->options->quiet)
    fprintf(stderr, "reassemble: %zu launches predicted: %.2f s of emulation, %.2f s of replay\n", r->predictor.count,
            emulation_s, replay_s);
}

static void tell_counter(const struct run *r) {
  if (atomic_load(&r->predictor.capture.control->counter_is_read) && !r->options->quiet)
    fprintf(stderr,
            "reassemble: %s reads the processor's counter (rdtsc), which tells the time of this machine; what it "
            "measures by that is not simulated\n",
            r->options->arguments[0]);
}

static int finish(struct run *r, struct error *error) {
  for (size_t i = 0; i < r->designs.count; i++)
    if (timed_program_read(&r->predictor, i, &r->timed[i], error))
      return -1;
  tell_counter(r);
  tell_effort(r);
  if (arguments.timeline && run_timeline_write(&r->timed[0], r->gpus[0]->name, arguments.timeline, error))
    return -1;
  return show(r, error) || judge(r, error) ? -1 : 0;
}

static int run_program(struct run *r, struct error *error) {
  if (predictor_open(r->folder, r->gpus, r->designs.count, r->options, &r->predictor, error) || start(r, error))
    return -1;
  if (watch(r, error)) {
    child_stop(&r->child);
    return -1;
  }
  return finish(r, error);
}

static int load(struct run *r, struct error *error) {
  if (designs_load(&r->designs, &arguments.gpus, &arguments.sets, error))
    return -1;
  r->gpus = calloc(r->designs.count, sizeof *r->gpus);
  r->timed = calloc(r->designs.count, sizeof *r->timed);
  if (!r->gpus || !r->timed)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < r->designs.count; i++)
    r->gpus[i] = r->designs.items[i].gpu;
  return temporary_create(&r->folder, error);
}

static int run_run(const struct options *options, struct error *error) {
  struct run r = {.options = options};
  const int status = load(&r, error) || run_program(&r, error) ? -1 : 0;
  predictor_close(&r.predictor);
  for (size_t i = 0; r.timed && i < r.designs.count; i++)
    timed_program_clear(&r.timed[i]);
  if (r.folder)
    temporary_remove(r.folder);
  free(r.gpus);
  free(r.timed);
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
               "  reassemble run --gpu rtx-2080-ti --host-scale 0 --timeline run.json -- clpeak --kernel-latency\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run_run,
};
