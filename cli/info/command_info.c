/* reassemble info: what is in a trace, and which kernels a source file has. */
#include "cli/core/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/launch/kernel_file.h"
#include "cli/launch/race_view.h"
#include "cli/info/info.h"
#include "cli/info/info_capture.h"
#include "cli/info/info_jobs.h"
#include "cli/replay/program_traces.h"
#include "cli/replay/trace_budget.h"
#include "trace/statistics/summary.h"
#include "trace/trace.h"

static int64_t warp_size = 4; /* the warp of the Mali-G71 */
static int64_t tile = 16;     /* pixels of a side, as in `reassemble frame` */
static bool blocks, races;
static const char *isa_option = "bifrost", *dot_option, *build_options;

/* The forms in which the command shows each trace. */
struct views {
  struct view *view;       /* NULL: the graph alone */
  struct isa_profile *isa; /* NULL: no code table */
  FILE *dot;               /* NULL: no graph */
};

static int show_code(const struct trace *trace, const struct trace_summary *summary, const struct views *views,
                     struct error *error) {
  view_object_begin(views->view, "code");
  const int status = info_blocks_show(trace, summary, views->isa, views->view, error);
  view_object_end(views->view);
  return status;
}

static int show_races(const struct trace *trace, const struct options *options, struct view *view,
                      struct error *error) {
  struct trace_races found;
  const size_t memory = options->memory_bytes > 0 ? (size_t)options->memory_bytes : (size_t)8 << 30;
  if (trace_races_find(trace, memory, &found, error) != 0)
    return -1;
  view_say(view, "\n");
  race_view_show(trace, &found, view);
  trace_races_clear(&found);
  return 0;
}

static int show_trace(const char *file, const struct trace *trace, const struct trace_summary *summary,
                      const struct options *options, const struct views *views, struct error *error) {
  if (views->isa && info_blocks_check(trace, views->isa, error) != 0)
    return -1;
  view_element_begin(views->view, "traces");
  info_trace_show(file, trace, summary, (uint32_t)warp_size, views->isa != NULL, views->view);
  int status = views->isa ? show_code(trace, summary, views, error) : 0;
  if (status == 0 && races)
    status = show_races(trace, options, views->view, error);
  view_object_end(views->view);
  return status;
}

/* Shows a traced program, an executed frame or a captured one. */
static int show_many(const char *input, const struct options *options, const struct views *views, struct error *error) {
  const bool is_capture = info_capture_is(input), is_frame = is_capture || info_frame_is(input);
  if (!views->view || views->dot || views->isa || races)
    return error_set(error, ERROR_INPUT, "%.300s is a %s of many launches; --%s wants one of its traces (*.rtrace)",
                     input, is_frame ? "frame" : "program",
                     races        ? "races"
                     : views->isa ? "blocks"
                                  : "dot");
  if (is_capture)
    return info_capture_show(input, options, views->view, error);
  return is_frame ? info_frame_show(input, (uint32_t)tile, options, views->view, error)
                  : info_program_show(input, views->view, error);
}

static int show(const char *file, const struct options *options, const struct views *views, struct error *error) {
  struct trace *trace;
  if (info_capture_is(file) || program_traces_is(file))
    return show_many(file, options, views, error);
  if (trace_load_within(file, options, &trace, error) != 0)
    return -1;
  struct trace_summary summary;
  int status = trace_summary_compute(trace, &summary, error);
  if (status == 0 && views->dot)
    info_dot_print(trace, &summary, views->dot);
  if (status == 0 && views->view)
    status = show_trace(file, trace, &summary, options, views, error);
  trace_summary_clear(&summary);
  trace_destroy(trace);
  return status;
}

static int show_all(const struct options *options, const struct views *views, struct error *error) {
  int status = 0;
  for (size_t i = 0; i < options->argument_count && status == 0; i++) {
    if (i > 0 && views->view)
      view_say(views->view, "\n");
    status = show(options->arguments[i], options, views, error);
  }
  return status;
}

/* Graphs go to a file that appears whole, or to stdout instead of everything else. */
static int show_with_graph(const struct options *options, struct views *views, struct error *error) {
  struct file_replace file;
  if (!dot_option)
    return show_all(options, views, error);
  if (strcmp(dot_option, "-") == 0) {
    views->dot = stdout;
    views->view = NULL;
    return show_all(options, views, error);
  }
  if (file_replace_begin(&file, dot_option, error) != 0)
    return -1;
  views->dot = file.stream;
  if (show_all(options, views, error) != 0) {
    file_replace_abort(&file);
    return -1;
  }
  return file_replace_commit(&file, error);
}

/* Sources and traces have nothing in common to show side by side. */
static int check_files(const struct options *options, bool *sources, struct error *error) {
  *sources = kernel_file_is(options->arguments[0]);
  for (size_t i = 1; i < options->argument_count; i++)
    if (kernel_file_is(options->arguments[i]) != *sources)
      return error_set(error, ERROR_INPUT, "found \"%.200s\" beside \"%.200s\", expected kernel files (*.cl) or traces",
                       options->arguments[i], options->arguments[0]);
  if (*sources && dot_option)
    return error_set(error, ERROR_INPUT, "--dot is for traces; found the kernel file \"%.200s\"",
                     options->arguments[0]);
  if (!*sources && build_options)
    return error_set(error, ERROR_INPUT, "--options is for kernel files (*.cl); found \"%.200s\"",
                     options->arguments[0]);
  return 0;
}

static int show_kernels(const struct options *options, struct error *error) {
  struct isa_profile *isa = NULL;
  if (isa_load(isa_option, &isa, error) != 0)
    return -1;
  const int status = info_kernels_show(options, build_options ? build_options : "", isa, blocks, error);
  isa_destroy(isa);
  return status;
}

static int run(const struct options *options, struct error *error) {
  struct view view;
  struct views views = {.view = &view};
  bool sources;
  if ((tile & (tile - 1)) != 0)
    return error_set(error, ERROR_INPUT, "--tile: found %lld, expected a power of two", (long long)tile);
  if (info_jobs_is(options->arguments[0]))
    return info_jobs_show(options, error);
  if (check_files(options, &sources, error) != 0)
    return -1;
  if (sources)
    return show_kernels(options, error);
  if (dot_option && strcmp(dot_option, "-") == 0 && (options->json || blocks))
    return error_set(error, ERROR_INPUT,
                     "--dot - writes nothing but graphs to stdout; name a file to have --%s as well",
                     options->json ? "json" : "blocks");
  if (blocks && isa_load(isa_option, &views.isa, error) != 0)
    return -1;
  view_begin(&view, options->json, stdout, "reassemble.info/1");
  const int status = show_with_graph(options, &views, error);
  isa_destroy(views.isa);
  return view_end(&view, status, error);
}

static const struct option_row option_rows[] = {
    {.name = "warp-size",
     .argument = "N",
     .type = OPTION_INT,
     .target = &warp_size,
     .minimum = 1,
     .maximum = STATISTICS_MAX_WARP,
     .help = "work-items of a warp, for the statistics of divergence (default: 4)"},
    {.name = "tile",
     .argument = "N",
     .type = OPTION_INT,
     .target = &tile,
     .minimum = 2,
     .maximum = 4096,
     .help = "FRAME: side in pixels of the tiles in which primitives are counted, a power of two (default: 16)"},
    {.name = "blocks",
     .type = OPTION_FLAG,
     .target = &blocks,
     .help = "the code block by block: IR, issue slots, pipes, rules"},
    {.name = "races",
     .type = OPTION_FLAG,
     .target = &races,
     .help = "work-items that access the same bytes in no order, one of which writes; goes through every access"},
    {.name = "isa",
     .argument = "PROFILE",
     .type = OPTION_TEXT,
     .target = &isa_option,
     .help = "ISA profile that prices the code of kernel files and --blocks (default: bifrost)"},
    {.name = "dot",
     .argument = "FILE",
     .type = OPTION_TEXT,
     .target = &dot_option,
     .help = "control-flow graphs with execution counts, for Graphviz; -: to stdout, instead of the rest"},
    {.name = "options",
     .argument = "TEXT",
     .type = OPTION_TEXT,
     .target = &build_options,
     .help = "KERNEL.cl: build options, -DN=64"},
    {0},
};

const struct command command_info = {
    .word = "info",
    .arguments = "TRACE...|PROGRAM...|FRAME...|FRAME.rframe...|KERNEL.cl...|JOBS.rbifrost...",
    .help = "Show what is in traces, and which kernels a source file has",
    .details =
        "Counts are over all work-items. Bytes are what the work-items asked for; \"touched\" is the footprint, the\n"
        "distinct bytes of a buffer that were read or written, in words of four. A warp is divergent when its\n"
        "work-items ran different paths. docs/statistics.md defines every number.\n"
        "--blocks prints for each operation the LLVM IR that it was made of, its issue slots, pipe and the rule of\n"
        "the profile that priced it; the sources of the rules stand at the end.\n"
        "Of a traced program (its manifest or folder): which kernels it launched how often, how many of them have a "
        "trace\n"
        "and gave the device's results.\n"
        "Of a frame (the folder that `reassemble draw` wrote): of each draw its vertices, primitives, fragments,\n"
        "operations, texels, and which bytes it touched (docs/graphics.md). Of a captured frame (FRAME.rframe), which "
        "is\n"
        "not executed: of each draw its vertices, primitives, attributes, code, and which bytes it can reach.\n"
        "Of a kernel file: its kernels with their code, registers and memory, what about them is not supported, and "
        "the\n"
        "issue slots of a work-item by pipe on the shortest and the longest path; --blocks prints their code without\n"
        "counts, as nothing ran.\n"
        "Of recorded jobs of a Bifrost GPU: clauses, empty slots, where operands come from, divergence "
        "(docs/bifrost.md).\n"
        "\n"
        "Examples:\n"
        "  reassemble trace gemm-64 -o traces && reassemble info traces/gemm-64.rtrace\n"
        "  reassemble info --blocks --isa bifrost traces/gemm-64.rtrace\n"
        "  reassemble info --races traces/gemm-64.rtrace\n"
        "  reassemble info --dot - traces/gemm-64.rtrace | dot -Tsvg > gemm.svg\n"
        "  reassemble info --json --warp-size 32 traces/gemm-64.rtrace\n"
        "  reassemble info --options '-DTILE=16' kernels.cl\n"
        "  reassemble info --blocks --isa nvidia-like kernels.cl\n"
        "  reassemble info frames/frame-10.rframe\n"
        "  reassemble info --tile 32 drawn/frame-10\n"
        "  reassemble info datasets/bifrost/recordings/g71/gemm.rbifrost\n",
    .rows = option_rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
