#include "dse/rank.h"

#include <math.h>
#include <stdlib.h>

#include "dse/line_costs.h"

/* The share of the slower variant's time below which a component is not given as a reason. */
static const double worth_telling_ratio = 0.01;

static int faster_first(const void *a, const void *b) {
  const struct rank_entry *x = a, *y = b;
  if (x->cycles != y->cycles)
    return x->cycles < y->cycles ? -1 : 1;
  return x->variant < y->variant ? -1 : 1;
}

static int larger_first(const void *a, const void *b) {
  const double x = fabs(((const struct rank_reason *)a)->cycles), y = fabs(((const struct rank_reason *)b)->cycles);
  return (x < y) - (x > y);
}

static uint32_t costliest_line(const struct rank_variant *variant, enum stack_component component) {
  const struct line_costs costs = {variant->result, variant->code, variant->observer};
  return line_costs_most(&costs, component, component);
}

/* Finds the reasons of an entry. A reason names a line of the variant where the component is large: the slower one's
 * line if it costs more there, the best's if it costs less. */
static int explain(struct rank_entry *entry, const struct rank_variant *variant, const struct rank_variant *best) {
  double mine[SIM_STACK_COUNT], theirs[SIM_STACK_COUNT];
  sim_stack_values(&variant->result->stack, mine);
  sim_stack_values(&best->result->stack, theirs);
  entry->reasons = calloc(SIM_STACK_COUNT, sizeof *entry->reasons);
  if (!entry->reasons)
    return -1;
  for (size_t c = 0; c < SIM_STACK_COUNT; c++) {
    const double more = mine[c] - theirs[c];
    if (more == 0 || fabs(more) < worth_telling_ratio * variant->result->cycles)
      continue;
    entry->reasons[entry->reason_count++] = (struct rank_reason){
        .component = sim_stack_names[c],
        .cycles = more,
        .source_line = costliest_line(more > 0 ? variant : best, (enum stack_component)c),
    };
  }
  qsort(entry->reasons, entry->reason_count, sizeof *entry->reasons, larger_first);
  return 0;
}

struct rank_errors rank_errors_of(const struct gpu_spec *spec) {
  const double order = spec->order_error_ratio, prediction = spec->prediction_error_ratio;
  return (struct rank_errors){.prediction = prediction, .order = order > 0 ? order : prediction};
}

static void set_tiers(struct ranking *ranking, double order_error) {
  size_t first = 0;
  for (size_t i = 0; i < ranking->count; i++) {
    struct rank_entry *entry = &ranking->entries[i];
    entry->tied_with_previous = i > 0 && entry->cycles <= ranking->entries[first].cycles * (1 + order_error);
    if (!entry->tied_with_previous)
      first = i;
    entry->tier = i == 0 ? 1 : ranking->entries[i - 1].tier + !entry->tied_with_previous;
  }
}

int rank_variants(const struct rank_variant *variants, size_t count, struct rank_errors errors, struct ranking *out,
                  struct error *error) {
  *out = (struct ranking){.entries = calloc(count > 0 ? count : 1, sizeof *out->entries)};
  if (!out->entries)
    return error_no_memory(error);
  out->count = count;
  for (size_t i = 0; i < count; i++) {
    const double cycles = variants[i].result->cycles;
    out->entries[i] = (struct rank_entry){
        .variant = i,
        .cycles = cycles,
        .low = cycles / (1 + errors.prediction),
        .high = cycles * (1 + errors.prediction),
    };
  }
  qsort(out->entries, count, sizeof *out->entries, faster_first);
  set_tiers(out, errors.order);
  for (size_t i = 0; i < count; i++) {
    struct rank_entry *entry = &out->entries[i];
    const struct rank_variant *best = &variants[out->entries[0].variant];
    entry->relative = best->result->cycles > 0 ? entry->cycles / best->result->cycles : 1;
    if (i > 0 && explain(entry, &variants[entry->variant], best) != 0) {
      rank_clear(out);
      return error_no_memory(error);
    }
  }
  return 0;
}

void rank_clear(struct ranking *ranking) {
  for (size_t i = 0; i < ranking->count; i++)
    free(ranking->entries[i].reasons);
  free(ranking->entries);
  *ranking = (struct ranking){0};
}
