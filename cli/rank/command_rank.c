/* reassemble rank: orders variants of a kernel by predicted time and says why. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/replay/designs.h"
#include "cli/replay/refused.h"
#include "cli/core/view.h"
#include "cli/rank/best_by_value.h"
#include "cli/rank/explain.h"
#include "cli/replay/view_remarks.h"
#include "cli/replay/view_result.h"
#include "dse/rank.h"

static struct option_list gpus, sets;
static struct kernel_file kernels;
static const char *explained;
static bool sweep_local, plot;

static const struct option_row rows[] = {
    DESIGN_ROWS(gpus, sets),
    KERNEL_FILE_ROWS(kernels),
    {.name = "sweep-local",
     .type = OPTION_FLAG,
     .target = &sweep_local,
     .help = "KERNEL.cl: rank all work-group sizes that divide the global size and that the GPU takes"},
    {.name = "explain",
     .argument = "A,B",
     .type = OPTION_TEXT,
     .target = &explained,
     .help = "also compare these two variants by component and source line"},
    PLOT_ROW(plot, "the cycle stacks"),
    {.name = NULL},
};

enum { REASONS_SHOWN = 3, REMARKED_VARIANTS = 20, SHOWN_VARIANTS = 50 };

/* All reasons, for JSON. */
static struct view_value reasons(const struct rank_entry *entry, const struct rank_variant *variants,
                                 const struct ranking *ranking, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "component"}, {.key = "cycles"}, {.key = "source_line"}, {.key = "line_of"}};
  struct view_list list;
  view_items_begin(view, columns, 4, &list);
  for (size_t i = 0; i < entry->reason_count; i++) {
    const struct rank_reason *reason = &entry->reasons[i];
    const size_t where = reason->cycles > 0 ? entry->variant : ranking->entries[0].variant;
    VIEW_ROW(&list, view_text(reason->component), view_real(reason->cycles),
             reason->source_line > 0 ? view_whole(reason->source_line) : view_null(), view_text(variants[where].name));
  }
  return view_items_end(&list);
}

/* The largest reasons, for people. */
static struct view_value reasons_text(const struct rank_entry *entry, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < entry->reason_count && i < REASONS_SHOWN && used < size; i++) {
    const struct rank_reason *reason = &entry->reasons[i];
    char line[32] = "";
    if (reason->cycles > 0 && reason->source_line > 0)
      snprintf(line, sizeof line, " (line %u)", reason->source_line);
    used += (size_t)snprintf(text + used, size - used, "%s%s %+.0f%s", used > 0 ? ", " : "", reason->component,
                             reason->cycles, line);
  }
  return view_text(text);
}

/* The variants of a ranking with their remarks, both by number of the variant. */
struct race {
  const struct replay *replay;
  const struct designs *designs;
  const struct replay_kernel **kernels;
  struct rank_variant *variants;
  struct remarks *remarks;
  size_t count;
  struct ranking ranking;
};

static void show_table(const struct race *race, struct view *view) {
  static const struct view_column columns[] = {
      {.key = "tier", .title = "tier", .format = "%d"},
      {.key = "name", .title = "variant"},
      {.key = "cycles", .title = "cycles", .format = "%.0f"},
      {.key = "time_ns", .title = "us", .format = "%.4g", .scale = 1e-3},
      {.key = "low", .title = "low", .format = "%.0f"},
      {.key = "high", .title = "high", .format = "%.0f"},
      {.key = "relative", .title = "relative", .format = "%.2f"},
      {.key = "tied_with_previous"},
      {.key = "reasons"},
      {.key = "remarks"},
      {.title = "cycles against the fastest, by cause"},
  };
  struct view_list list;
  view_list_begin(view, "variants", columns, sizeof columns / sizeof columns[0], &list);
  list.shown = SHOWN_VARIANTS;
  list.things = "variants";
  for (size_t i = 0; i < race->count; i++) {
    const struct rank_entry *e = &race->ranking.entries[i];
    const struct rank_variant *variant = &race->variants[e->variant];
    char text[1024]; /* a double without its fraction has at most 310 characters, usually six */
    VIEW_ROW(&list, view_whole(e->tier), view_text(variant->name), view_real(e->cycles),
             view_real(variant->result->time_ns), view_real(e->low), view_real(e->high), view_real(e->relative),
             view_truth(e->tied_with_previous), reasons(e, race->variants, &race->ranking, view),
             view_remarks_items(view, &race->remarks[e->variant]), reasons_text(e, text, sizeof text));
  }
  view_list_end(&list);
}

/* Shows the remarks on each variant that the fastest variant does not have, or whose cost is much larger. Of many
 * variants those on the fastest ones are shown; the JSON document has all. */
static void show_slower(const struct race *race, struct view *view) {
  const struct remarks *best = &race->remarks[race->ranking.entries[0].variant];
  bool any = false;
  for (size_t i = 1; i < race->count && i < REMARKED_VARIANTS; i++) {
    const size_t variant = race->ranking.entries[i].variant;
    if (!any && view_remarks_differ(&race->remarks[variant], best)) {
      view_say(view, "\nWhat costs a variant more than the fastest one (share of its time, place, what to try):\n");
      any = true;
    }
    view_remarks_say(view, race->kernels[variant], &race->remarks[variant], best);
  }
  if (any && race->count > REMARKED_VARIANTS)
    view_say(view, "  (those on the %d fastest of %zu variants; --json prints all)\n", REMARKED_VARIANTS, race->count);
}

static void show_remarks(const struct race *race, struct view *view) {
  const size_t best = race->ranking.entries[0].variant;
  show_slower(race, view);
  if (race->remarks[best].count > 0)
    view_say(view, "\nWhat takes the time of the fastest variant:\n");
  view_remarks_say(view, race->kernels[best], &race->remarks[best], NULL);
}

static void show_plot(const struct race *race, struct view *view) {
  struct stack_plot stacks = {.view = view};
  for (size_t i = 0; i < race->ranking.count; i++) {
    const struct rank_variant *variant = &race->variants[race->ranking.entries[i].variant];
    stack_plot_add(&stacks, variant->name, variant->result);
  }
  stack_plot_end(&stacks);
}

/* Where the order_error_ratio of a GPU is from. */
struct order_origin {
  const char *source;
  bool stated, inherited, measured; /* other than 0; in another file than the GPU's own; by predictions of this GPU */
};

/* Returns whether a source begins by saying that the value was not measured on this GPU. */
static bool says_not_measured(const char *source) {
  static const char *const words[] = {"assumed", "not measured"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strncmp(source, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

static struct order_origin order_origin_of(const struct gpu *gpu) {
  const struct param *row = params_find(&gpu_params, "order_error_ratio");
  const struct param_origin *origin = &gpu->origins[row - gpu_params.list];
  const bool inherited = origin->file && gpu->path && strcmp(origin->file, gpu->path) != 0;
  const bool stated = gpu->spec.order_error_ratio > 0;
  return (struct order_origin){origin->source, stated, inherited,
                               stated && !inherited && !says_not_measured(origin->source)};
}

/* Says what a tier is, by what is known of the order of predictions. */
static void say_tiers(const struct order_origin *order, double ratio, struct view *view) {
  if (order->stated)
    view_say(view, "Variants of one tier are within %.0f %% of the tier's fastest (order_error_ratio)", 100 * ratio);
  else
    view_say(view, "Variants of one tier are within that factor of the tier's fastest");
  view_say(view, "%s\n",
           order->measured ? ": of measured pairs further\napart at most one in 20 was in the wrong order, and closer "
                             "ones cannot be told apart."
                           : ". Which pairs of predictions are in the right order\nis not measured on this GPU.");
}

/* Explains the intervals and the tiers, and where the width of the tiers is from. */
static void show_errors(const struct gpu *gpu, struct view *view) {
  const struct rank_errors errors = rank_errors_of(&gpu->spec);
  const struct order_origin order = order_origin_of(gpu);
  view_member(view, "order_error_ratio", view_real(errors.order));
  view_member(view, "order_error_measured", view_truth(order.measured));
  view_say(view,
           "\nlow, high: cycles / %.2f and cycles * %.2f, between which a measurement is expected "
           "(prediction_error_ratio\nof "
           "%s).\n",
           1 + errors.prediction, 1 + errors.prediction, gpu->name);
  say_tiers(&order, errors.order, view);
  if (!order.stated)
    return;
  view_member(view, "order_error_source", view_text(order.source));
  view_member(view, "order_error_inherited", view_truth(order.inherited));
  char *source = text_format("Source of that ratio: %s%s.\n",
                             order.inherited ? "the file that this GPU's derives from: " : "", order.source);
  view_say_wrapped(view, source);
  free(source);
}

/* Names the variants that computed something else than the first one: no variant of it, or a wrong one. */
static void show_differences(const struct replay *replay, struct view *view) {
  static const struct view_column columns[] = {{.key = "name"},  {.key = "buffer"},    {.key = "element"},
                                               {.key = "value"}, {.key = "reference"}, {.key = "reference_value"}};
  struct view_list list = {0};
  for (size_t i = 0; i < replay->count; i++) {
    const struct replay_kernel *kernel = &replay->kernels[i];
    const struct variant_difference *d = &kernel->difference;
    if (!d->buffer)
      continue;
    if (!list.view) {
      view_say(view, "\nVariants that leave other results than the first one; unless that is meant, their times say "
                     "little:\n");
      view_list_begin(view, "different_results", columns, sizeof columns / sizeof columns[0], &list);
    }
    VIEW_ROW(&list, view_text(kernel->name), view_text(d->buffer), view_whole(d->element), view_text(d->found),
             view_text(d->reference), view_text(d->expected));
    view_say(view, "  %s: %s[%zu] is %s, and %s after %s\n", kernel->name, d->buffer, d->element, d->found, d->expected,
             d->reference);
  }
}

static int show(const struct race *race, bool json, struct error *error) {
  const struct gpu *gpu = race->replay->gpu;
  const struct replay_kernel *pair[2];
  struct view view;
  if (explained && explain_find(race->replay, explained, pair, error) != 0)
    return -1;
  view_begin(&view, json, stdout, "reassemble.rank/1");
  view_member(&view, "gpu", view_text(gpu->name));
  view_provenance(&view, race->replay);
  view_member(&view, "prediction_error_ratio", view_real(gpu->spec.prediction_error_ratio));
  show_table(race, &view);
  best_by_value_show(&kernels.vary, race->variants, &race->ranking, &view);
  show_errors(gpu, &view);
  if (plot)
    show_plot(race, &view);
  show_remarks(race, &view);
  designs_show(race->designs, race->replay, &view);
  show_differences(race->replay, &view);
  refused_show(race->replay, "Not ranked", &view);
  const int status = !explained ? 0 : explain_show(pair, &view, error);
  return view_end(&view, status, error);
}

/* The variants that have a result, with what is said of them. */
static int collect(struct race *race, struct error *error) {
  const struct replay *replay = race->replay;
  for (size_t i = 0; i < replay->count; i++) {
    const struct replay_kernel *kernel = &replay->kernels[i];
    if (kernel->refusal)
      continue;
    race->kernels[race->count] = kernel;
    race->variants[race->count] =
        (struct rank_variant){kernel->name, &kernel->result, &kernel->trace->code, &kernel->observer};
    if (remarks_make(kernel->trace, &replay->gpu->spec, &kernel->result, &kernel->observer, &race->remarks[race->count],
                     error) != 0)
      return -1;
    race->count++;
  }
  return 0;
}

static int run_race(struct race *race, bool json, struct error *error) {
  int status = collect(race, error);
  if (status == 0 && race->count > 0)
    status =
        rank_variants(race->variants, race->count, rank_errors_of(&race->replay->gpu->spec), &race->ranking, error);
  if (status == 0 && race->count > 0)
    status = show(race, json, error);
  return status == 0 ? refused_judge(race->replay, "variants", error) : status;
}

static int rank(const struct replay *replay, const struct designs *designs, bool json, struct error *error) {
  struct race race = {.replay = replay,
                      .designs = designs,
                      .kernels = calloc(replay->count + 1, sizeof *race.kernels),
                      .variants = calloc(replay->count + 1, sizeof *race.variants),
                      .remarks = calloc(replay->count + 1, sizeof *race.remarks)};
  const int status =
      race.kernels && race.variants && race.remarks ? run_race(&race, json, error) : error_no_memory(error);
  for (size_t i = 0; race.remarks && i < race.count; i++)
    remarks_clear(&race.remarks[i]);
  rank_clear(&race.ranking);
  free(race.kernels);
  free(race.variants);
  free(race.remarks);
  return status;
}

static int run(const struct options *options, struct error *error) {
  struct replay replay = {
      .tolerant = true, .observe = true, .kernel_file = &kernels, .compares = !sweep_local, .sweep_local = sweep_local};
  struct designs designs;
  int status = designs_load(&designs, &gpus, &sets, error);
  if (status == 0) {
    replay.gpu = designs.items[0].gpu;
    status = replay_run_inputs(&replay, options, error);
  }
  if (status == 0)
    status = designs_replay(&designs, &replay, options, error);
  if (status == 0)
    status = rank(&replay, &designs, options->json, error);
  replay.gpu = NULL; /* the design's */
  replay_clear(&replay);
  designs_clear(&designs);
  return status;
}

const struct command command_rank = {
    .word = "rank",
    .arguments = "VARIANT...|KERNEL.cl...",
    .help = "Order variants of a kernel by predicted time, with the reason",
    .details =
        "A variant is a workload (name, file or set), a trace, or a kernel of a file: all of them, or those of "
        "--kernel.\n"
        "The causes of a variant are the differences of its cycle stack to that of the fastest one, the largest "
        "first,\n"
        "each with the source line that costs most. Remarks below the table name what stands out: strides, bank\n"
        "conflicts, atomics, divergence, barriers, work-groups that do not fill their warps, and so on.\n"
        "Variants of one tier are too close for the model. With several GPUs a second table has the times on each.\n"
        "Versions of a kernel that differ in macros: --vary; in launch sizes: --sizes. A variant's name ends in its "
        "values.\n"
        "Kernels of a file that leave other results in the buffers than the first one are named.\n"
        "Variants that the GPU cannot run are named with the reason, and the exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  reassemble rank --gpu mali-g71-mp8 gemm-variants --explain gemm-variants-a,gemm-variants-f\n"
        "  reassemble rank --gpu mali-g71-mp8 gemm-variants --plot\n"
        "  reassemble rank --gpu mali-g71-mp8 mine.cl --kernel a,b,c --global 512x512 --arg "
        "'float[512*512]=uniform' \\\n"
        "      --arg 'float[512*512]' --arg int=512\n"
        "  reassemble rank --gpu mali-g71-mp8 mine.cl --kernel a --sweep-local --global 512x512 --arg ...\n"
        "  reassemble rank --gpu mali-g71-mp8 mine.cl --kernel a --vary TILE=8,16 --vary WORK=1,2,4 --require 'WORK <= "
        "TILE' \\\n"
        "      --global '512x${512 / WORK}' --local '${TILE}x${TILE / WORK}' --arg ...\n"
        "  reassemble rank --gpu mali-g31-mp2 gemm-64 gemm-tiled-64 --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
