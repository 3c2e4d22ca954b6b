/* reassemble simulate: replays traces or workloads on a GPU description. */
#include "cli/core/command.h"

#include "cli/simulate/detail.h"
#include "cli/replay/designs.h"
#include "cli/replay/program_traces.h"
#include "cli/replay/refused.h"
#include "cli/replay/view_result.h"
#include "cli/simulate/ablation_cycles.h"
#include "cli/simulate/timeline.h"

static struct option_list gpus, sets;
static struct kernel_file kernels;
static bool ablate, detail, plot;
static const char *timeline;
static double sample; /* 0: replay all */

static const struct option_row rows[] = {
    DESIGN_ROWS(gpus, sets),
    KERNEL_FILE_ROWS(kernels),
    {.name = "ablate",
     .type = OPTION_FLAG,
     .target = &ablate,
     .help = "also with every mechanism off in turn, and with all added one by one"},
    {.name = "detail",
     .type = OPTION_FLAG,
     .target = &detail,
     .help = "also busy engines, occupancy, levels, queues and source lines"},
    PLOT_ROW(plot, "the cycle stacks"),
    {.name = "sample",
     .argument = "FRACTION",
     .type = OPTION_REAL,
     .target = &sample,
     .without = "0.0625",
     .minimum = 0.001,
     .maximum = 1,
     .help = "replay this share of each launch (1/16) or more, estimate the rest, say how far off that may be"},
    {.name = "timeline",
     .argument = "FILE",
     .type = OPTION_OUTPUT,
     .target = &timeline,
     .help = "write what every engine did when, in Chrome's trace format (Perfetto)"},
    {.name = NULL},
};

static double percent(uint64_t part, uint64_t whole) {
  return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* Shows which cycles are estimated, and how well. */
static struct view_value quality(const struct sim_result *r, char *text, size_t size) {
  snprintf(text, size, r->estimated ? "estimated +-%.1f %%" : "exact", 100 * r->error_bound);
  return view_text(text);
}

/* Returns whether cycles may be estimated: --sample, or a trace of a sampled launch. */
static bool has_estimates(const struct replay *replay) {
  for (size_t i = 0; i < replay->count; i++)
    if (replay->kernels[i].result.launch_groups > 0)
      return true;
  return sample > 0;
}

static void show_summary(const struct replay *replay, struct view *view) {
  static const struct view_column columns[] = {{.title = "kernel"},
                                               {.title = "cycles", .format = "%.0f"},
                                               {.title = "us", .format = "%.1f", .scale = 1e-3},
                                               {.title = "instructions", .format = "%d"},
                                               {.title = "L1 accesses", .format = "%d"},
                                               {.title = "L1 miss %", .format = "%.2f"},
                                               {.title = "L2 miss %", .format = "%.2f"},
                                               {.title = "DRAM KiB", .format = "%.1f", .scale = 1 / 1024.0},
                                               {.title = "SIMD %", .format = "%.1f", .scale = 100},
                                               {.title = "replayed %", .format = "%.1f", .scale = 100},
                                               {.title = "cycles are"}};
  struct view_list list;
  const bool estimates = has_estimates(replay);
  char text[64];
  view_list_begin(view, NULL, columns, sizeof columns / sizeof columns[0], &list);
  for (size_t i = 0; i < replay->count; i++) {
    const struct sim_result *r = &replay->kernels[i].result;
    VIEW_ROW(&list, view_text(replay->kernels[i].name), view_real(r->cycles), view_real(r->time_ns),
             view_whole(r->work_item_instructions), view_whole(r->counters.l1_accesses),
             view_real(percent(r->counters.l1_misses, r->counters.l1_accesses)),
             view_real(percent(r->counters.l2_misses, r->counters.l2_accesses)),
             view_real((double)r->counters.dram_bytes), view_real(r->simd_efficiency),
             estimates ? view_real(r->replayed_share) : view_absent(),
             estimates ? quality(r, text, sizeof text) : view_absent());
  }
  view_list_end(&list);
}

/* Returns whether any kernel spends time in the component. */
static bool is_used(const struct replay *replay, size_t component) {
  for (size_t i = 0; i < replay->count; i++) {
    double values[SIM_STACK_COUNT];
    sim_stack_values(&replay->kernels[i].result.stack, values);
    if (values[component] > 0)
      return true;
  }
  return false;
}

/* Components without time in any kernel are left out. */
static void show_stacks(const struct replay *replay, struct view *view) {
  struct view_column columns[SIM_STACK_COUNT + 1] = {{.title = "% of the cycles"}};
  struct view_value row[SIM_STACK_COUNT + 1];
  size_t used[SIM_STACK_COUNT], count = 0;
  struct view_list list;
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    if (is_used(replay, c)) {
      used[count++] = c;
      columns[count] = (struct view_column){.title = sim_stack_names[c], .format = "%.1f"};
    }
  view_say(view, "\n");
  view_list_begin(view, NULL, columns, count + 1, &list);
  for (size_t i = 0; i < replay->count; i++) {
    const struct sim_result *r = &replay->kernels[i].result;
    double values[SIM_STACK_COUNT];
    sim_stack_values(&r->stack, values);
    row[0] = view_text(replay->kernels[i].name);
    for (size_t c = 0; c < count; c++)
      row[c + 1] = view_real(r->cycles > 0 ? 100 * values[used[c]] / r->cycles : 0);
    view_row(&list, row, count + 1);
  }
  view_list_end(&list);
}

static void show_plot(const struct replay *replay, struct view *view) {
  struct stack_plot stacks = {.view = view};
  for (size_t i = 0; i < replay->count; i++)
    stack_plot_add(&stacks, replay->kernels[i].name, &replay->kernels[i].result);
  stack_plot_end(&stacks);
}

/* Where a measured time is expected, by the errors of the GPU's file; null where it does not state them. */
static void show_interval(const struct replay *replay, const struct sim_result *result, struct view *view) {
  const double factor = 1 + replay->gpu->spec.prediction_error_ratio;
  view_member(view, "time_ns_low", factor > 1 ? view_real(result->time_ns / factor) : view_null());
  view_member(view, "time_ns_high", factor > 1 ? view_real(result->time_ns * factor) : view_null());
}

static int show_kernel(const struct replay *replay, const struct replay_kernel *kernel, struct view *view,
                       struct error *error) {
  int status = 0;
  view_element_begin(view, "kernels");
  view_result(view, kernel->name, &kernel->result);
  show_interval(replay, &kernel->result, view);
  if (has_estimates(replay)) {
    view_member(view, "estimated", view_truth(kernel->result.estimated));
    view_member(view, "error_bound", view_real(kernel->result.error_bound));
    view_member(view, "replayed_share", view_real(kernel->result.replayed_share));
  }
  if (kernel->result.launch_groups > 0) {
    view_member(view, "sampled_groups", view_whole(kernel->result.sampled_groups));
    view_member(view, "launch_groups", view_whole(kernel->result.launch_groups));
  }
  if (detail)
    status = detail_show(replay, kernel, view, error);
  view_object_end(view);
  return status;
}

/* `ablation` is NULL without --ablate. */
static int show(const struct replay *replay, const struct designs *designs, const struct ablation *ablation, bool json,
                struct error *error) {
  struct view view;
  int status = 0;
  view_begin(&view, json, stdout, "reassemble.simulate/1");
  view_member(&view, "gpu", view_text(replay->gpu->name));
  view_provenance(&view, replay);
  show_summary(replay, &view);
  show_stacks(replay, &view);
  if (plot)
    show_plot(replay, &view);
  view_array(&view, "kernels");
  for (size_t i = 0; i < replay->count && status == 0; i++)
    status = show_kernel(replay, &replay->kernels[i], &view, error);
  program_traces_show(replay, &view);
  designs_show(designs, replay, &view);
  if (ablation)
    ablation_cycles_show(ablation, replay, &view);
  refused_show(replay, "Without a result", &view);
  return view_end(&view, status, error);
}

static int write_timeline(const struct replay *replay, bool quiet, struct error *error) {
  uint64_t left_out;
  if (timeline_write(replay, timeline, &left_out, error) != 0)
    return -1;
  if (left_out > 0 && !quiet)
    fprintf(stderr,
            "reassemble: %s holds the first spans of each core, about %d in all; %llu were left out: trace a smaller "
            "launch to see all\n",
            timeline, TIMELINE_SPANS, (unsigned long long)left_out);
  return 0;
}

/* The other options describe or compare whole launches, which a sample does not give. */
static int check_sample(struct error *error) {
  const char *other = detail ? "detail" : timeline ? "timeline" : ablate ? "ablate" : NULL;
  if (sample == 0 || !other)
    return 0;
  return error_set(error, ERROR_INPUT, "--sample: not with --%s, which needs whole replays; leave one of them out",
                   other);
}

/* Replays the other designs, then writes and shows the results. */
static int finish(struct replay *replay, struct designs *designs, const struct options *options, struct error *error) {
  struct ablation ablation = {0};
  int status = designs_replay(designs, replay, options, error);
  if (status == 0 && timeline)
    status = write_timeline(replay, options->quiet, error);
  if (status == 0 && ablate)
    status = ablation_run(&ablation, replay, options->jobs, options->quiet, error);
  if (status == 0)
    status = show(replay, designs, ablate ? &ablation : NULL, options->json, error);
  ablation_clear(&ablation);
  return status;
}

static int run(const struct options *options, struct error *error) {
  struct replay replay = {.observe = detail || timeline,
                          .tolerant = options->argument_count > 1,
                          .sample = sample,
                          .spans = timeline ? TIMELINE_SPANS : 0,
                          .kernel_file = &kernels};
  struct designs designs = {0};
  int status = check_sample(error);
  if (status == 0)
    status = designs_load(&designs, &gpus, &sets, error);
  if (status == 0) {
    replay.gpu = designs.items[0].gpu;
    status = replay_run_inputs(&replay, options, error);
  }
  if (status == 0)
    status = refused_set_aside(&replay, error);
  if (status == 0 && replay.count > 0)
    status = finish(&replay, &designs, options, error);
  if (status == 0)
    status = refused_judge(&replay, "launches", error);
  replay.gpu = NULL; /* the design's */
  replay_clear(&replay);
  designs_clear(&designs);
  return status;
}

const struct command command_simulate = {
    .word = "simulate",
    .arguments = "TRACE|WORKLOAD|KERNEL.cl|MANIFEST...",
    .help = "Replay traces or workloads on a GPU: cycles and where they went",
    .details =
        "A workload (name, file or set) or a kernel file is emulated first; a trace (*.rtrace, or - for standard "
        "input) is used as it\n"
        "is. The second table is the cycle stack: where the time of the execution engines went, in percent.\n"
        "With --detail: cycles that every engine was busy, mean work-items on each core, hits, misses and bytes of "
        "every\n"
        "level, waiting in queues, the source lines that cost most and for what, and remarks on what stands out. With "
        "--timeline a "
        "file\n"
        "that Perfetto opens, of the first 200,000 spans; a microsecond there is a cycle.\n"
        "With --sample a launch is replayed until at least this share of its work is done and the rest can be "
        "estimated\n"
        "with an error of at most 5 %, be it all of it; the table and JSON say which cycles are estimated.\n"
        "So are those of a launch whose trace holds some of its work-groups (trace --groups).\n"
        "With --ablate two more tables say what the mechanisms of this GPU do: each off in turn (change: against all), "
        "and\n"
        "all added one by one (change: against the row before). Change is the geometric mean over the kernels.\n"
        "Several GPUs, and each of them with every --set, are compared in a table of times; what is shown in full is "
        "the\n"
        "first. JSON has all under \"designs\".\n"
        "\n"
        "Examples:\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64 saxpy\n"
        "  reassemble simulate --gpu mali-g71-mp8,mali-g72-mp12 --set cores=16 --set l1_bytes=x2 gemm-64 saxpy\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-variants --plot\n"
        "  reassemble trace gemm-256 -o traces && reassemble simulate -g mali-g31-mp2 traces/gemm-256.rtrace\n"
        "  reassemble simulate --gpu mali-g72-mp12 gemm-variants --json\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-variants --ablate\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-512 nbody-1024 --sample\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64 --detail --timeline gemm-64.json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
