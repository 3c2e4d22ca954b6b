/* reassemble simulate: replays traces or workloads on a GPU description. */
#include "cli/command.h"

#include "cli/ablation.h"
#include "cli/replay.h"
#include "cli/result_json.h"
#include "cli/table.h"

static struct replay_options own;
static bool ablate;

static const struct option_row rows[] = {
    REPLAY_OPTION_ROWS(own, "GPU description, by name or file (required)"),
    {.name = "ablate",
     .type = OPTION_FLAG,
     .target = &ablate,
     .help = "also with every mechanism off in turn, and with all added one by one"},
    {.name = NULL},
};

static double percent(uint64_t part, uint64_t whole) {
  return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
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
                                                             {"SIMD %", true}},
                                     9);
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

/* `ablation` NULL: none was asked for. */
static int print_json(const struct replay *replay, const struct ablation *ablation, struct error *error) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < replay->count; i++)
    if (command_json_append(kernels, result_json(replay->kernels[i].name, &replay->kernels[i].result), error) != 0) {
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
  if (ablation == NULL)
    return 0;
  putchar('\n');
  return ablation_print_cycles(ablation, replay, error);
}

static int run(const struct options *options, struct error *error) {
  struct replay replay = {0};
  struct ablation ablation = {0};
  int status = replay_run(&replay, &own, options, error);
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
        "With --ablate two more tables say what the mechanisms of this GPU do: each off in turn (change: against all), "
        "and\n"
        "all added one by one (change: against the row before). Change is the geometric mean over the kernels.\n"
        "\n"
        "Examples:\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-64 saxpy\n"
        "  reassemble trace gemm-256 -o traces && reassemble simulate -g mali-g31-mp2 traces/gemm-256.rtrace\n"
        "  reassemble simulate --gpu mali-g72-mp12 gemm-variants --json\n"
        "  reassemble simulate --gpu mali-g71-mp8 gemm-variants --ablate\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
