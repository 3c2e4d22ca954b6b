#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

#include "trace/limits.h"
#include "trace/words.h"

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

struct recorded_item {
  uint32_t local_id;
  const uint16_t *blocks;
  const uint32_t *addresses;
  size_t block_count, address_count;
};

/* Of this path in the current work-group; NULL: no memory. */
static struct cohort *begin_cohort(struct group *g, struct plan *plan) {
  if (g->cohort_count == g->cohort_capacity) {
    const uint32_t capacity = g->cohort_capacity ? 2 * g->cohort_capacity : 16;
    struct cohort *cohorts = realloc(g->cohorts, capacity * sizeof *cohorts);
    if (cohorts == NULL)
      return NULL;
    memset(cohorts + g->cohort_capacity, 0, (capacity - g->cohort_capacity) * sizeof *cohorts);
    g->cohorts = cohorts;
    g->cohort_capacity = capacity;
  }
  struct cohort *c = &g->cohorts[g->cohort_count];
  if (!cohort_begin(c, plan))
    return NULL;
  plan->group_serial = g->serial;
  plan->cohort = g->cohort_count++;
  return c;
}

static inline struct cohort *cohort_for(struct group *g, struct plan *plan) {
  return plan->group_serial == g->serial ? &g->cohorts[plan->cohort] : begin_cohort(g, plan);
}

static inline struct recorded_item item_at(const struct trace_items *items, uint32_t i) {
  const struct trace_item_end end = items->ends[i];
  const uint16_t *blocks = i > 0 ? items->ends[i - 1].blocks : items->blocks;
  const uint32_t *addresses = i > 0 ? items->ends[i - 1].addresses : items->addresses;
  return (struct recorded_item){items->first_item + i, blocks, addresses, (size_t)(end.blocks - blocks),
                                (size_t)(end.addresses - addresses)};
}

static int bad_item(const struct group *g, uint32_t group_id, uint32_t local_id, struct error *error) {
  return error_set(error, ERROR_WORK, "trace writer: work-item %u of work-group %u: %s", local_id, group_id,
                   local_id < g->local_size ? "recorded twice" : "not in the work-group");
}

static int bad_addresses(const struct plan *plan, uint32_t group_id, const struct recorded_item *item,
                         struct error *error) {
  return error_set(error, ERROR_WORK,
                   "trace writer: work-item %u of work-group %u: found %zu addresses, expected %zu by its blocks",
                   item->local_id, group_id, item->address_count, plan->address_count);
}

/* What most work-items of most kernels are: neighbours with the same path, which has no loops. Adds the items from
 * number `first`, which has this path, up to `end`; there is room. Returns how many it was. */
static uint32_t add_flat(struct group *g, struct cohort *c, const struct trace_items *items, uint32_t first,
                         uint32_t end) {
  const struct plan *plan = c->plan;
  const uint32_t leaves = plan->leaf_count, cohort = plan->cohort, first_id = items->first_item + first;
  uint32_t *bases = c->bases + (size_t)c->count * leaves, *id = c->items + c->count, i = first;
  struct recorded_item item;
  c->in_order &= c->count == 0 || id[-1] < first_id;
  do {
    item = item_at(items, i);
    if (i > first && (item.address_count != plan->address_count || g->cohort_of_item[item.local_id] != NO_COHORT ||
                      !plan_keeps(plan, item.blocks, item.block_count)))
      break;
    words_copy(bases, item.addresses, leaves);
    bases += leaves;
    *id++ = item.local_id;
    g->cohort_of_item[item.local_id] = cohort;
  } while (++i < end);
  c->count += i - first;
  group_put_run(g, first_id, i - first, cohort);
  return i - first;
}

static bool add_item(struct group *g, struct cohort *c, const struct recorded_item *item) {
  if (!cohort_add(c, item->local_id, item->addresses))
    return false;
  g->cohort_of_item[item->local_id] = c->plan->cohort;
  group_put_run(g, item->local_id, 1, c->plan->cohort);
  return true;
}

int record_items(struct group *g, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                 const struct trace_items *items, struct error *error) {
  for (uint32_t i = 0; i < items->item_count;) {
    const struct recorded_item item = item_at(items, i);
    if (item.local_id >= g->local_size || g->cohort_of_item[item.local_id] != NO_COHORT)
      return bad_item(g, group_id, item.local_id, error);
    struct plan *plan = path_table_last(paths, item.blocks, item.block_count);
    if (plan == NULL)
      plan = path_table_find(paths, code, item.blocks, item.block_count, error);
    if (plan == NULL)
      return -1;
    if (plan->address_count != item.address_count)
      return bad_addresses(plan, group_id, &item, error);
    struct cohort *c = cohort_for(g, plan);
    const uint32_t left = g->local_size - item.local_id, to_come = items->item_count - i;
    const uint32_t more = left < to_come ? left : to_come;
    if (c != NULL && plan->blocks != NULL && plan->flat && cohort_room(c, more))
      i += add_flat(g, c, items, i, i + more);
    else if (c != NULL && add_item(g, c, &item))
      i++;
    else
      return no_memory(error);
  }
  return 0;
}
