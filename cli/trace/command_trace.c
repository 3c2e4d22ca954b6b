/* reassemble trace: emulates workloads and writes what their work-items did. */
#include "cli/core/command.h"

#include "cli/core/option_rows.h"
#include "cli/trace/trace_arguments.h"
#include "cli/trace/trace_bifrost.h"
#include "cli/trace/trace_frames.h"
#include "cli/trace/trace_program.h"
#include "cli/trace/trace_workloads.h"
#include "tracegen/emulate.h"

static struct trace_arguments arguments = {.folder = ".", .ulps = -1};

static const char *const undefined_reads[] = {"some", "all", "none", NULL};
static const char *const out_of_bounds[] = OUT_OF_BOUNDS_NAMES;

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
     .help = "APP: trace at most this number of launches (1000)",
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
     .help = "APP: largest difference of floats from OpenCL's, in representable numbers (16; 8192 with relaxed build "
             "options)",
     .minimum = 0,
     .maximum = 1e15},
    {.name = "cl-options",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &arguments.opencl_options,
     .help =
         "APP: further build options for OpenCL but not for the emulator: -cl-opt-disable where OpenCL's optimiser is "
         "wrong"},
    TRACE_FRAMES_ROWS(arguments.frames),
    GPU_ROW(arguments.gpu, "APP: admit work-groups no larger than this GPU takes (as large as OpenCL takes)"),
    {.name = NULL},
};

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
  if (trace_to_stdout(&arguments) || arguments.folder[0] == '\0')
    return error_set(error, ERROR_INPUT, "--output: found \"%s\", expected a folder: a program makes several traces",
                     arguments.folder);
  return 0;
}

static int run_program(const struct options *options, struct error *error) {
  const struct kernel_file *k = &arguments.kernel;
  if (check_program_options(options, error) != 0)
    return -1;
  arguments.frames.most = arguments.most;
  if (!front_ends[arguments.front_end]->emulate && trace_frames_wanted(&arguments.frames, options))
    return trace_frames_run(arguments.folder, &arguments.frames, options, error);
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
                      : arguments.frames.graphics  ? "--graphics"
                      : arguments.frames.frames    ? "--frames"
                      : arguments.frames.each_draw ? "--each-draw"
                      : arguments.frames.mediump   ? "--mediump"
                                                   : NULL;
  if (given)
    return error_set(error, ERROR_INPUT, "%s is for programs only (-- APP ARGUMENT...)", given);
  return trace_workloads_run(&arguments, options, error);
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
        "Behind -- stands an unmodified OpenCL program. It runs on this machine's OpenCL; then each of its launches "
        "is\n"
        "emulated and compared with what OpenCL computed, unless it repeats an earlier launch. The traces are\n"
        "DIR/<program>.<launch>.rtrace; DIR/<program>.manifest.json lists launches, buffers and what was skipped.\n"
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
        "  reassemble trace -o frames --graphics --frames 10..12 -- glxgears\n"
        "  reassemble trace -o frames --graphics --each-draw -- vkcube\n"
        "  reassemble trace -o frames --mediump half -- glmark2-es2 -b refract\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
