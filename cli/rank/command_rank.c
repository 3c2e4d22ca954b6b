/* reassemble rank: orders variants of a kernel by predicted time and says why. */
#include "cli/core/command.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/core/replay.h"
#include "cli/core/table.h"
#include "dse/rank.h"

static struct replay_options own;

static const struct option_row rows[] = {
    REPLAY_OPTION_ROWS(own, "GPU description, by name or file (required)"),
    {.name = NULL},
};

enum { REASONS_SHOWN = 3 };

static json_t *reasons_json(const struct rank_entry *entry, const struct rank_variant *variants,
                            const struct ranking *ranking) {
  json_t *array = json_array();
  for (size_t i = 0; i < entry->reason_count; i++) {
    const struct rank_reason *reason = &entry->reasons[i];
    const size_t where = reason->cycles > 0 ? entry->variant : ranking->entries[0].variant;
    json_array_append_new(array, json_pack("{s:s, s:f, s:o, s:o}", "component", reason->component, "cycles",
                                           reason->cycles, "source_line",
                                           reason->source_line > 0 ? json_integer(reason->source_line) : json_null(),
                                           "line_of", command_json_text(variants[where].name)));
  }
  return array;
}

static int print_json(const struct gpu *gpu, const struct rank_variant *variants, const struct ranking *ranking,
                      struct error *error) {
  json_t *array = json_array();
  for (size_t i = 0; i < ranking->count; i++) {
    const struct rank_entry *e = &ranking->entries[i];
    json_t *variant =
        json_pack("{s:o, s:f, s:f, s:f, s:f, s:b, s:o}", "name", command_json_text(variants[e->variant].name), "cycles",
                  e->cycles, "low", e->low, "high", e->high, "relative", e->relative, "tied_with_previous",
                  e->tied_with_previous, "reasons", reasons_json(e, variants, ranking));
    if (command_json_append(array, variant, error) != 0) {
      json_decref(array);
      return -1;
    }
  }
  return command_print_json(json_pack("{s:s, s:s, s:f, s:o}", "schema", "reassemble.rank/1", "gpu", gpu->name,
                                      "prediction_error_ratio", gpu->spec.prediction_error_ratio, "variants", array),
                            error);
}

static void add_reason(struct table *table, const struct rank_entry *entry) {
  char text[1024] = ""; /* a double without its fraction has at most 310 characters, usually six */
  size_t used = 0;
  for (size_t i = 0; i < entry->reason_count && i < REASONS_SHOWN && used < sizeof text; i++) {
    const struct rank_reason *reason = &entry->reasons[i];
    char line[32] = "";
    if (reason->cycles > 0 && reason->source_line > 0)
      snprintf(line, sizeof line, " (line %u)", reason->source_line);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %+.0f%s", used > 0 ? ", " : "", reason->component,
                             reason->cycles, line);
  }
  table_add(table, "%s", text);
}

static int print_text(const struct gpu *gpu, const struct rank_variant *variants, const struct ranking *ranking,
                      struct error *error) {
  struct table *table = table_create((struct table_column[]){{"", false},
                                                             {"variant", false},
                                                             {"cycles", true},
                                                             {"low", true},
                                                             {"high", true},
                                                             {"relative", true},
                                                             {"cycles against the fastest, by cause", false}},
                                     7);
  for (size_t i = 0; i < ranking->count; i++) {
    const struct rank_entry *e = &ranking->entries[i];
    table_add(table, "%zu%s", i + 1, e->tied_with_previous ? " =" : "");
    table_add(table, "%s", variants[e->variant].name);
    table_add(table, "%.0f", e->cycles);
    table_add(table, "%.0f", e->low);
    table_add(table, "%.0f", e->high);
    table_add(table, "%.2f", e->relative);
    add_reason(table, e);
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  printf(
      "\nlow to high: the prediction over and under %.0f %% (prediction_error_ratio of %s); \"=\" overlaps with the\n"
      "variant above: the model cannot tell the two apart.\n",
      100 * gpu->spec.prediction_error_ratio, gpu->name);
  return status;
}

static int rank(const struct replay *replay, bool json, struct error *error) {
  const struct gpu *gpu = replay->gpu;
  struct rank_variant *variants = calloc(replay->count, sizeof *variants);
  if (variants == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  for (size_t i = 0; i < replay->count; i++)
    variants[i] = (struct rank_variant){.name = replay->kernels[i].name, .result = &replay->kernels[i].result};
  struct ranking ranking = {0};
  int status = rank_variants(variants, replay->count, gpu->spec.prediction_error_ratio, &ranking, error);
  if (status == 0)
    status = json ? print_json(gpu, variants, &ranking, error) : print_text(gpu, variants, &ranking, error);
  rank_clear(&ranking);
  free(variants);
  return status;
}

static int run(const struct options *options, struct error *error) {
  struct replay replay = {0};
  int status = replay_run(&replay, &own, options, error);
  if (status == 0)
    status = rank(&replay, options->json, error);
  replay_clear(&replay);
  return status;
}

const struct command command_rank = {
    .word = "rank",
    .arguments = "VARIANT...",
    .help = "Order variants of a kernel by predicted time, with the reason",
    .details =
        "A variant is a workload (name, file or set) or a trace. For every variant but the fastest the causes are the\n"
        "differences of its cycle stack to the fastest one's, largest first, with the costliest source line.\n"
        "\n"
        "Examples:\n"
        "  reassemble rank --gpu mali-g71-mp8 gemm-variants\n"
        "  reassemble rank --gpu mali-g31-mp2 gemm-64 gemm-tiled-64 --json\n",
    .rows = rows,
    .minimum_arguments = 1,
    .maximum_arguments = ANY_NUMBER,
    .run = run,
};
