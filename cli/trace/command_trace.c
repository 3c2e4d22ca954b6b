/* reassemble trace: emulates workloads and writes what their work-items did. */
#include "cli/core/command.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/launch/kernel_choice.h"
#include "cli/core/option_rows.h"
#include "cli/core/view.h"
#include "cli/trace/launch_name.h"
#include "cli/trace/launch_table.h"
#include "cli/trace/program_start.h"
#include "cli/trace/trace_bifrost.h"
#include "cli/trace/trace_folder.h"
#include "cli/trace/trace_frames.h"
#include "cli/trace/trace_program.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

static struct {
  const char *folder, *save;
  const char *groups; /* NULL: what the workload says */
  bool no_check;
  bool every_launch;
  int undefined_reads; /* enum undefined_reads */
  int out_of_bounds;   /* enum out_of_bounds */
  int front_end;       /* index of front_ends */
  struct kernel_file kernel;
  const char *launches; /* the rest: of a program; NULL, 0 and -1: not given */
  int64_t most, space_bytes;
  double stop_after_s, ulps;
  const char *opencl_options, *gpu;
  const char *gpu_id; /* of a front end of machine code */
  bool records, graphics;
  const char *frames;
} arguments = {.folder = ".", .ulps = -1};

static const char *const undefined_reads[] = {"some", "all", "none", NULL};
static const char *const out_of_bounds[] = {"trap", "read-zero", NULL};

static const struct option_row rows[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .type = OPTION_TEXT,
     .target = &arguments.folder,
     .help = "folder for the traces (.), made when missing; - writes the only one to standard output"},
    {.name = "groups",
     .argument = "GROUPS",
     .type = OPTION_TEXT,
     .target = &arguments.groups,
     .help = "emulate only some work-groups of each launch: auto, a share (5%) or a list (0..15,64); skips the checks"},
    {.name = "no-check",
     .type = OPTION_FLAG,
     .target = &arguments.no_check,
     .help = "do not run the workload's own check of its results"},
    {.name = "frontend",
     .argument = "NAME",
     .type = OPTION_CHOICE,
     .target = &arguments.front_end,
     .choices = front_end_names,
     .help = front_end_help},
    {.name = "gpu-id",
     .argument = "NAME",
     .type = OPTION_TEXT,
     .target = &arguments.gpu_id,
     .help = "--frontend bifrost: the GPU whose machine code runs: g71, g72, g31, g51, g52, g76 (g71)"},
    {.name = "record-jobs",
     .type = OPTION_FLAG,
     .target = &arguments.records,
     .help = "--frontend bifrost: keep each submission to the GPU as a file *.rbifrost"},
    {.name = "undefined-reads",
     .argument = "GROUPS",
     .type = OPTION_CHOICE,
     .target = &arguments.undefined_reads,
     .choices = undefined_reads,
     .help = "work-groups in which reads of what nothing has written are looked for"},
    {.name = "out-of-bounds",
     .argument = "RULE",
     .type = OPTION_CHOICE,
     .target = &arguments.out_of_bounds,
     .choices = out_of_bounds,
     .help = "a load from outside of its buffer ends the launch (trap), or gives 0 and is counted (read-zero)"},
    {.name = "kernel",
     .argument = "K,...",
     .type = OPTION_TEXT,
     .target = &arguments.kernel.kernel,
     .help = "KERNEL.cl: the kernels to launch, with commas; all; APP: trace this kernel's launches only"},
    KERNEL_LAUNCH_ROWS(arguments.kernel),
    {.name = "save",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &arguments.save,
     .help = "KERNEL.cl: keep the launch as a workload file"},
    {.name = "launch",
     .argument = "A..B",
     .type = OPTION_TEXT,
     .target = &arguments.launches,
     .help = "APP: trace these launches only, counted from 0: 3, 3..7, 3.."},
    {.name = "most",
     .argument = "N",
     .type = OPTION_INT,
     .target = &arguments.most,
     .help = "APP: trace so many launches at most (1000)",
     .minimum = 1,
     .maximum = 1e9},
    {.name = "every-launch",
     .type = OPTION_FLAG,
     .target = &arguments.every_launch,
     .help = "APP: emulate and compare every launch, also where an earlier one has the same trace"},
    {.name = "stop-after",
     .argument = "SECONDS",
     .type = OPTION_REAL,
     .target = &arguments.stop_after_s,
     .help = "APP: end it after this time, and trace what it has launched by then",
     .minimum = 0.001,
     .maximum = 1e9},
    {.name = "space",
     .argument = "BYTES",
     .type = OPTION_INT,
     .target = &arguments.space_bytes,
     .help = "APP: room in $TMPDIR for copies of its buffers (8Gi)",
     .minimum = 1,
     .maximum = 1e15},
    {.name = "ulps",
     .argument = "N",
     .type = OPTION_REAL,
     .target = &arguments.ulps,
     .help = "APP: how far floats may be from OpenCL's, in representable numbers (16; 8192 with relaxed build options)",
     .minimum = 0,
     .maximum = 1e15},
    {.name = "cl-options",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &arguments.opencl_options,
     .help = "APP: build options for OpenCL alone, beside the program's: -cl-opt-disable where it gets a kernel wrong"},
    TRACE_FRAMES_ROWS(arguments.graphics, arguments.frames),
    GPU_ROW(arguments.gpu, "APP: admit work-groups no larger than this GPU takes (as large as OpenCL takes)"),
    {.name = NULL},
};

static bool to_stdout(void) {
  return strcmp(arguments.folder, TRACE_TO_STDOUT) == 0;
}

static struct trace_folder folder;

struct report {
  struct view view;
  struct view_list traces;
  json_t *claimed; /* name of each workload: path of its file */
};

/* Two files whose workloads have one name would write the same traces. The same file twice does no harm. */
static int claim_name(struct report *report, const char *name, const char *path, struct error *error) {
  char real[PATH_MAX];
  const char *mine = realpath(path, real) != NULL ? real : path;
  const json_t *other = json_object_get(report->claimed, name);
  if (other != NULL && strcmp(json_string_value(other), mine) != 0)
    return error_at(error, ERROR_INPUT, path, 0, 0, "name",
                    "found \"%s\", the name of %s as well: both would write the same traces; give one of them another "
                    "name, or another --output",
                    name, json_string_value(other));
  return json_object_set_new(report->claimed, name, json_string_nocheck(mine)) == 0
             ? 0
             : error_set(error, ERROR_WORK, "out of memory");
}

static int choose_groups(struct workload *workload, struct error *error) {
  struct error found = ERROR_INIT;
  if (!arguments.groups || workload_choose_groups(workload, arguments.groups, &found) == 0)
    return 0;
  return error_set(error, found.kind, "--groups: %s", found.text);
}

/* `path`: the file that the user gave, of the workload or of the kernel. `trace_name`: of its trace; NULL: its own. */
static int trace_workload(struct report *report, const struct workload *workload, const char *path,
                          const char *trace_name, bool more_follow, const struct options *given, struct error *error) {
  if (claim_name(report, trace_name != NULL ? trace_name : workload->name, path, error) != 0)
    return -1;
  const struct emulate_options options = {.front_end = front_ends[arguments.front_end],
                                          .gpu_id = arguments.gpu_id,
                                          .trace_directory = arguments.folder,
                                          .trace_name = trace_name,
                                          .timeout_s = given->timeout_s,
                                          .memory_bytes = (size_t)given->memory_bytes,
                                          .max_instructions = (uint64_t)given->max_instructions,
                                          .undefined_reads = (enum undefined_reads)arguments.undefined_reads,
                                          .out_of_bounds = (enum out_of_bounds)arguments.out_of_bounds,
                                          .check = !arguments.no_check,
                                          .quiet = given->quiet,
                                          .record_jobs = arguments.records,
                                          .more_follow = more_follow,
                                          .jobs = given->emulation_jobs};
  struct emulate_result result = {0};
  int status = emulate_workload(workload, &options, false, &result, error);
  for (size_t i = 0; i < result.launch_count; i++)
    trace_folder_made(&folder, result.launches[i].trace_path);
  if (status == 0)
    launch_table_show(&report->traces, workload, &result);
  if (status == 0 && !given->quiet)
    launch_table_tell(workload, &result, !to_stdout());
  emulate_result_clear(&result);
  return status;
}

static int save_text(const char *path, const char *text, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  fputs(text, file.stream);
  return file_replace_commit(&file, error);
}

static int trace_launch_of_file(struct report *report, const struct workload *workload, const char *source,
                                const struct options *options, struct error *error) {
  char *name = launch_name(workload);
  const int status = name != NULL ? trace_workload(report, workload, source, name, false, options, error)
                                  : error_set(error, ERROR_WORK, "out of memory");
  free(name);
  return status;
}

static int trace_choice(struct report *report, const struct kernel_choice *choice, const char *source,
                        const struct options *options, struct error *error) {
  struct workload *workload = NULL;
  int status = workload_load_text(KERNEL_FILE_TEXT, choice->text, &workload, error);
  if (status == 0)
    status = choose_groups(workload, error);
  if (status == 0 && arguments.save != NULL)
    status = save_text(arguments.save, choice->text, error);
  if (status == 0)
    status = trace_launch_of_file(report, workload, source, options, error);
  kernel_file_blame_option(error);
  workload_destroy(workload);
  return status;
}

static int check_count(const struct kernel_choices *choices, const char *source, struct error *error) {
  const char *option = to_stdout() ? "--output -" : arguments.save != NULL ? "--save" : NULL;
  if (option == NULL || choices->count == 1)
    return 0;
  return error_set(error, ERROR_INPUT, "%s: %zu kernels of %.200s were asked for, and there is room for one", option,
                   choices->count, source);
}

static int trace_kernel_file(struct report *report, const char *source, const struct options *options,
                             struct error *error) {
  struct kernel_choices choices;
  arguments.kernel.source = source;
  arguments.kernel.seed = options->seed;
  const struct kernel_choice_request request = {.file = &arguments.kernel,
                                                .front_end = front_ends[arguments.front_end]};
  if (kernel_choices_make(&request, &choices, error) != 0)
    return -1;
  int status = check_count(&choices, source, error);
  for (size_t i = 0; i < choices.count && status == 0; i++)
    status = trace_choice(report, &choices.items[i], source, options, error);
  kernel_choices_clear(&choices);
  return status;
}

/* `last`: of the command's names. */
static int trace_named(struct report *report, const char *name, bool last, const struct options *options,
                       struct error *error) {
  char **paths;
  size_t count;
  emulate_expect(front_ends[arguments.front_end]);
  if (workload_expand(name, &paths, &count, error) != 0)
    return -1;
  int status = 0;
  if (to_stdout() && count != 1)
    status =
        error_set(error, ERROR_INPUT,
                  "--output -: %.200s is a set of %zu workloads, and standard output takes one trace", name, count);
  for (size_t i = 0; i < count && status == 0; i++) {
    struct workload *workload;
    status = workload_load(paths[i], &workload, error);
    if (status != 0)
      break;
    if (options->seed_given)
      workload_reseed(workload, options->seed);
    status = choose_groups(workload, error) != 0
                 ? -1
                 : trace_workload(report, workload, workload->path, NULL, !last || i + 1 < count, options, error);
    workload_destroy(workload);
  }
  data_list_free(paths, count);
  return status;
}

/* Options that only a kernel file reads would be ignored without a word. */
static int check_kernel_options(const struct options *options, struct error *error) {
  for (size_t i = 0; i < options->argument_count && arguments.save != NULL; i++)
    if (!kernel_file_is(options->arguments[i]))
      return error_set(error, ERROR_INPUT, "--save is for kernel files (*.cl) only; found \"%.200s\"",
                       options->arguments[i]);
  return kernel_file_check_inputs(&arguments.kernel, options, error);
}

/* Standard output has room for one trace and nothing else. */
static int check_stdout(const struct options *options, struct error *error) {
  if (!to_stdout())
    return 0;
  if (options->json)
    return error_set(error, ERROR_INPUT, "--output - and --json both want standard output; take one of them");
  if (options->argument_count != 1)
    return error_set(error, ERROR_INPUT, "--output -: found %zu workloads, and standard output takes one trace",
                     options->argument_count);
  if (isatty(STDOUT_FILENO))
    return error_set(error, ERROR_INPUT, "--output -: standard output is a terminal; expected a pipe or a file");
  return 0;
}

static int trace_all(struct report *report, const struct options *options, struct error *error) {
  if (program_refuse_names(options, error) != 0 || check_kernel_options(options, error) != 0 ||
      check_stdout(options, error) != 0)
    return -1;
  if (arguments.folder[0] == '\0')
    return error_set(error, ERROR_INPUT, "--output: found an empty name, expected a folder (. for this one)");
  for (size_t i = 0; i < options->argument_count; i++) {
    const char *name = options->arguments[i];
    if ((kernel_file_is(name) ? trace_kernel_file(report, name, options, error)
                              : trace_named(report, name, i + 1 == options->argument_count, options, error)) != 0)
      return -1;
  }
  return 0;
}

static int trace_and_show(struct report *report, const struct options *options, struct error *error) {
  view_begin(&report->view, options->json, to_stdout() ? stderr : stdout, "reassemble.trace/1");
  view_member(&report->view, "front_end", view_text(options->json ? front_ends[arguments.front_end]->version() : ""));
  launch_table_begin(&report->view, &report->traces);
  const int status = trace_all(report, options, error);
  if (!options->quiet)
    trace_folder_tell(&folder);
  if (status == 0)
    view_list_end(&report->traces);
  else
    view_list_drop(&report->traces);
  return view_end(&report->view, status, error);
}

static int check_program_options(const struct options *options, struct error *error) {
  const struct kernel_file *k = &arguments.kernel;
  if (options->before_dashes > 0)
    return error_set(error, ERROR_INPUT,
                     "found \"%.200s\" before --; what is traced is either a program (-- APP ARGUMENT...) or workloads",
                     options->arguments[0]);
  if (k->global || k->local || k->build_options || arguments.save || arguments.kernel.arguments.count > 0)
    return error_set(error, ERROR_INPUT,
                     "--global, --local, --arg, --options and --save are for kernel files (*.cl) only; a program says "
                     "these itself");
  if (arguments.groups)
    return error_set(error, ERROR_INPUT,
                     "--groups is for workloads and kernel files; the launches of a program run whole, because the "
                     "program reads their results");
  if (to_stdout() || arguments.folder[0] == '\0')
    return error_set(error, ERROR_INPUT, "--output: found \"%s\", expected a folder: a program makes several traces",
                     arguments.folder);
  return 0;
}

static int run_program(const struct options *options, struct error *error) {
  const struct kernel_file *k = &arguments.kernel;
  if (check_program_options(options, error) != 0)
    return -1;
  if (arguments.graphics)
    return trace_frames_run(arguments.folder, arguments.frames, options, error);
  if (front_ends[arguments.front_end]->emulate)
    return trace_bifrost_run(arguments.folder, arguments.gpu_id, arguments.records, options, error);
  const struct trace_program request = {.front_end = front_ends[arguments.front_end],
                                        .folder = arguments.folder,
                                        .no_check = arguments.no_check,
                                        .every_launch = arguments.every_launch,
                                        .undefined_reads = (enum undefined_reads)arguments.undefined_reads,
                                        .out_of_bounds = (enum out_of_bounds)arguments.out_of_bounds,
                                        .kernel = k->kernel,
                                        .launches = arguments.launches,
                                        .most = arguments.most > 0 ? arguments.most : 1000,
                                        .space_bytes =
                                            arguments.space_bytes > 0 ? arguments.space_bytes : INT64_C(8) << 30,
                                        .stop_after_s = arguments.stop_after_s,
                                        .gpu = arguments.gpu,
                                        .opencl_options = arguments.opencl_options,
                                        .ulps = arguments.ulps};
  return trace_program_run(&request, options, error);
}

static int run(const struct options *options, struct error *error) {
  if (trace_bifrost_check(front_ends[arguments.front_end], arguments.gpu_id, arguments.records,
                          arguments.out_of_bounds != OUT_OF_BOUNDS_TRAP, error) != 0)
    return -1;
  if (options->before_dashes < options->argument_count)
    return run_program(options, error);
  const char *given = arguments.launches           ? "--launch"
                      : arguments.most > 0         ? "--most"
                      : arguments.space_bytes > 0  ? "--space"
                      : arguments.stop_after_s > 0 ? "--stop-after"
                      : arguments.every_launch     ? "--every-launch"
                      : arguments.ulps >= 0        ? "--ulps"
                      : arguments.opencl_options   ? "--cl-options"
                      : arguments.gpu              ? "--gpu"
                      : arguments.graphics         ? "--graphics"
                      : arguments.frames           ? "--frames"
                                                   : NULL;
  if (given)
    return error_set(error, ERROR_INPUT, "%s is for programs only (-- APP ARGUMENT...)", given);
  struct report report = {.claimed = json_object()};
  if (!to_stdout())
    trace_folder_look(&folder, arguments.folder);
  const int status = trace_and_show(&report, options, error);
  trace_folder_clear(&folder);
  json_decref(report.claimed);
  return status;
}

const struct command command_trace = {
    .word = "trace",
    .arguments = "WORKLOAD...|KERNEL.cl|-- APP...",
    .help = "Emulate kernels and record what their work-items did",
    .details =
        "Runs every launch of the workloads on real buffers, checks the results the way the workload says, and writes\n"
        "one trace per launch: DIR/<workload>.rtrace, with the number of the launch where there are several; of a "
        "kernel\n"
        "file DIR/<file>.<kernel>.<global size>.<work-group size>.rtrace.\n"
        "An argument of a kernel file is TYPE[COUNT] (a buffer of zeros), TYPE[COUNT]=CONTENTS, TYPE=VALUE (a scalar) "
        "or\n"
        "local=BYTES. COUNT may be arithmetic (float[64*64]); CONTENTS is zero, index, none, uniform, "
        "uniform(LOW,HIGH), a\n"
        "number, or @FILE: a NumPy array or raw elements (float[]=@a.npy). With NAME= before it an argument is that "
        "of\n"
        "the parameter of this name, in any order: n=int=64.\n"
        "Behind -- stands an OpenCL program, as it is: it runs on this machine's OpenCL, then each of its launches is\n"
        "emulated and compared with what OpenCL computed, unless it has the trace of an earlier one. Traces are\n"
        "DIR/<program>.<launch>.rtrace; the launches, buffers and what was skipped stand in "
        "DIR/<program>.manifest.json.\n"
        "The program's output goes to stderr.\n"
        "\n"
        "Examples:\n"
        "  reassemble trace gemm-64 saxpy -o traces\n"
        "  reassemble trace gemm-variants --json\n"
        "  reassemble trace xgemm:M=4096,N=4096,K=4096,MWG=64,NWG=64 --groups auto -o traces\n"
        "  reassemble trace gemm-256 -o - | reassemble simulate --gpu mali-g71-mp8 -\n"
        "  reassemble trace saxpy.cl --kernel saxpy --global 4096 --local 64 \\\n"
        "      --arg float=2 --arg float[4096]=uniform --arg float[4096]=index --arg int=4096\n"
        "  reassemble trace -o traces --out-of-bounds read-zero --launch 0..9 -- ./bfs graph.txt\n"
        "  reassemble trace --frontend bifrost --gpu-id g52 gemm-64 -o traces\n"
        "  reassemble trace --frontend bifrost --gpu-id g71 -o traces -- ./program-for-arm64\n"
        "  reassemble trace -o frames --graphics --frames 10..12 -- glxgears\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
