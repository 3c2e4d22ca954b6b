/* reassemble simulate: replays traces or workloads on a GPU description. */
#include "cli/core/command.h"

#include "cli/simulate/ablation_report.h"
#include "cli/simulate/detail.h"
#include "cli/core/replay.h"
#include "cli/core/result_json.h"
#include "cli/core/table.h"
#include "cli/simulate/timeline.h"

static struct replay_options own;
static bool ablate, detail;
static const char *timeline;
static double sample; /* 0: replay all */

static const struct option_row rows[] = {
    REPLAY_OPTION_ROWS(own, "GPU description, by name or file (required)"),
    {.name = "ablate",
     .type = OPTION_FLAG,
     .target = &ablate,
     .help = "also with every mechanism off in turn, and with all added one by one"},
    {.name = "detail",
     .type = OPTION_FLAG,
     .target = &detail,
     .help = "also busy engines, occupancy, levels, queues and source lines"},
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

static void add_estimate(struct table *table, const struct sim_result *r) {
  table_add(table, "%.1f", 100 * r->replayed_share);
  if (r->estimated)
    table_add(table, "estimated +-%.1f %%", 100 * r->error_bound);
  else
    table_add(table, "exact");
}

static int print_summary(const struct replay *replay, struct error *error) {
  struct table *table = table_create((struct table_column[]){{"kernel", false},
                                                             {"cycles", true},
                                                             {"us", true},
                                                             {"instructions", true},
                                                             {"L1 accesses", true},
                                                             {"L1 miss %", true},
                                                             {"L2 miss %", true},
                                                             {"DRAM KiB", true},
                                                             {"SIMD %", true},
                                                             {"replayed %", true},
                                                             {"cycles are", false}},
                                     sample > 0 ? 11 : 9);
  for (size_t i = 0; i < replay->count; i++) {
    const struct sim_result *r = &replay->kernels[i].result;
    table_add(table, "%s", replay->kernels[i].name);
    table_add(table, "%.0f", r->cycles);
    table_add(table, "%.1f", r->time_ns / 1000);
    table_add(table, "%llu", (unsigned long long)r->work_item_instructions);
    table_add(table, "%llu", (unsigned long long)r->l1.accesses);
    table_add(table, "%.2f", percent(r->l1.misses, r->l1.accesses));
    table_add(table, "%.2f", percent(r->l2.misses, r->l2.accesses));
    table_add(table, "%.1f", (double)r->dram_bytes / 1024);
    table_add(table, "%.1f", 100 * r->simd_efficiency);
    if (sample > 0)
      add_estimate(table, r);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

/* Does any kernel spend time there? */
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
static int print_stacks(const struct replay *replay, struct error *error) {
  struct table_column columns[SIM_STACK_COUNT + 1] = {{"% of the cycles", false}};
  size_t used[SIM_STACK_COUNT], count = 0;
  for (size_t c = 0; c < SIM_STACK_COUNT; c++)
    if (is_used(replay, c)) {
      used[count++] = c;
      columns[count] = (struct table_column){sim_stack_names[c], true};
    }
  struct table *table = table_create(columns, count + 1);
  for (size_t i = 0; i < replay->count; i++) {
    const struct sim_result *r = &replay->kernels[i].result;
    double values[SIM_STACK_COUNT];
    sim_stack_values(&r->stack, values);
    table_add(table, "%s", replay->kernels[i].name);
    for (size_t c = 0; c < count; c++)
      table_add(table, "%.1f", r->cycles > 0 ? 100 * values[used[c]] / r->cycles : 0);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

static json_t *kernel_json(const struct replay *replay, const struct replay_kernel *kernel) {
  json_t *object = result_json(kernel->name, &kernel->result);
  if (sample > 0 && object != NULL) {
    json_object_set_new(object, "estimated", json_boolean(kernel->result.estimated));
    json_object_set_new(object, "error_bound", json_real(kernel->result.error_bound));
    json_object_set_new(object, "replayed_share", json_real(kernel->result.replayed_share));
  }
  if (detail && object != NULL)
    json_object_set_new(object, "detail", detail_json(replay, kernel));
  return object;
}

/* `ablation` NULL: none was asked for. */
static int print_json(const struct replay *replay, const struct ablation *ablation, struct error *error) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < replay->count; i++)
    if (command_json_append(kernels, kernel_json(replay, &replay->kernels[i]), error) != 0) {
      json_decref(kernels);
      return -1;
    }
  return command_print_json(json_pack("{s:s, s:s, s:o, s:o*}", "schema", "reassemble.simulate/1", "gpu",
                                      replay->gpu->name, "kernels", kernels, "ablation",
                                      ablation != NULL ? ablation_cycles_json(ablation, replay) : NULL),
                            error);
}

static int print_text(const struct replay *replay, const struct ablation *ablation, struct error *error) {
  if (print_summary(replay, error) != 0)
    return -1;
  putchar('\n');
  if (print_stacks(replay, error) != 0)
    return -1;
  for (size_t i = 0; i < replay->count && detail; i++)
    if (detail_print(replay, &replay->kernels[i], error) != 0)
      return -1;
  if (ablation == NULL)
    return 0;
  putchar('\n');
  return ablation_print_cycles(ablation, replay, error);
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

/* What these say of a launch, or compare, they saw all of it. */
static int check_sample(struct error *error) {
  const char *other = detail ? "detail" : timeline != NULL ? "timeline" : ablate ? "ablate" : NULL;
  if (sample == 0 || other == NULL)
    return 0;
  return error_set(error, ERROR_INPUT, "--sample: not with --%s, which needs whole replays; leave one of them out",
                   other);
}

static int run(const struct options *options, struct error *error) {
  struct replay replay = {
      .observe = detail || timeline != NULL, .sample = sample, .spans = timeline != NULL ? TIMELINE_SPANS : 0};
  struct ablation ablation = {0};
  int status = check_sample(error);
  if (status == 0)
    status = replay_run(&replay, &own, options, error);
  if (status == 0 && timeline != NULL)
    status = write_timeline(&replay, options->quiet, error);
  if (status == 0 && ablate)
    status = ablation_run(&ablation, &replay, options->jobs, options->quiet, error);
  if (status == 0)
    status = options->json ? print_json(&replay, ablate ? &ablation : NULL, error)
                           : print_text(&replay, ablate ? &ablation : NULL, error);
  ablation_clear(&ablation);
  replay_clear(&replay);
  return status;
}

const struct command command_simulate = {
    .word = "simulate",
    .arguments = "TRACE|WORKLOAD...",
    .help = "Replay traces or workloads on a GPU: cycles and where they went",
    .details =
        "A workload (name, file or set) is emulated first; a trace (*.rtrace, or - for standard input) is used as it\n"
        "is. The second table is the cycle stack: where the time of the execution engines went, in percent.\n"
        "With --detail: cycles that every engine was busy, mean work-items on each core, hits, misses and bytes of "
        "every\n"
        "level, waiting in queues, and the source lines whose accesses warps waited for longest. With --timeline a "
        "file\n"
        "that Perfetto opens, of the first 200,000 spans; a microsecond there is a cycle.\n"
        "With --sample a launch is replayed until at least this share of its work is done and the rest can be "
        "estimated\n"
        "with an error of at most 5 %, be it all of it; the table and JSON say which cycles are estimated.\n"
        "With --ablate two more tables say what the mechanisms of this GPU do: each off in turn (change: against all), "
        "and\n"
        "all added one by one (change: against the row before). Change is the geometric mean over the kernels.\n"
        "\n"
        "Examples:\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64 saxpy\n"
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
