/* Adds recorded work-items to cohorts (trace/write/record.h). */
#include "trace/write/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/format/limits.h"
#include "trace/path/words.h"

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

struct recorded_item {
  uint32_t local_id;
  const uint16_t *blocks;
  const uint32_t *addresses;
  size_t block_count, address_count;
};

/* Returns a new cohort of this path in the present work-group, or NULL when memory ran out. */
static struct cohort *begin_cohort(struct group *g, struct plan *plan) {
  const size_t before = g->cohort_capacity;
  if (!array_room(&g->cohorts, &g->cohort_capacity, (size_t)g->cohort_count + 1, sizeof *g->cohorts))
    return NULL;
  if (g->cohort_capacity > before)
    memset(g->cohorts + before, 0, (g->cohort_capacity - before) * sizeof *g->cohorts);
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

/* Returns how many work-items, starting with number `first`, have as many blocks and addresses as the first and were
 * not recorded before. */
static uint32_t count_as_long(const struct group *g, const struct plan *plan, const struct trace_items *items,
                              uint32_t first, uint32_t end) {
  const struct trace_item_end *ends = items->ends;
  uint32_t i = first + 1;
  while (i < end && (size_t)(ends[i].blocks - ends[i - 1].blocks) == plan->block_count &&
         (size_t)(ends[i].addresses - ends[i - 1].addresses) == plan->address_count &&
         g->cohort_of_item[items->first_item + i] == NO_COHORT)
    i++;
  return i - first;
}

/* Returns how many of `count` successive sequences of `length` blocks equal the first one, up to the first that does
 * not. Each is compared with the one before, in words that may reach over its end. */
static uint32_t count_equal(const uint16_t *blocks, size_t length, uint32_t count) {
  const size_t all = (count - (size_t)1) * length;
  size_t at = 0;
  for (uint64_t a, b; at + 4 <= all; at += 4) {
    memcpy(&a, blocks + at, sizeof a);
    memcpy(&b, blocks + at + length, sizeof b);
    if (a != b)
      break;
  }
  while (at < all && blocks[at] == blocks[at + length])
    at++;
  return at == all ? count : 1 + (uint32_t)(at / length);
}

/* Adds work-items from number `first` up to `end`, as long as they have this path, which has no loops. There is room
 * for them. Returns how many were added. Most work-items of most kernels are added here. */
static uint32_t add_flat(struct group *g, struct cohort *c, const struct trace_items *items, uint32_t first,
                         uint32_t end) {
  const struct plan *plan = c->plan;
  const struct recorded_item item = item_at(items, first);
  const uint32_t count = count_equal(item.blocks, item.block_count, count_as_long(g, plan, items, first, end));
  uint32_t *ids = c->items + c->count, *cohorts = g->cohort_of_item + item.local_id;
  c->in_order &= c->count == 0 || ids[-1] < item.local_id;
  if (plan->site_count > 0)
    words_copy(c->bases + (size_t)c->count * plan->site_count, item.addresses, (size_t)count * plan->site_count);
  for (uint32_t k = 0; k < count; k++) {
    ids[k] = item.local_id + k;
    cohorts[k] = plan->cohort;
  }
  c->count += count;
  group_put_run(g, item.local_id, count, plan->cohort);
  return count;
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
    if (!plan)
      plan = path_table_find(paths, code, item.blocks, item.block_count, error);
    if (!plan)
      return -1;
    if (plan->address_count != item.address_count)
      return bad_addresses(plan, group_id, &item, error);
    struct cohort *c = cohort_for(g, plan);
    const uint32_t left = g->local_size - item.local_id, to_come = items->item_count - i;
    const uint32_t more = left < to_come ? left : to_come;
    if (c && plan->blocks && plan->flat && cohort_room(c, more))
      i += add_flat(g, c, items, i, i + more);
    else if (c && add_item(g, c, &item))
      i++;
    else
      return no_memory(error);
  }
  return 0;
}
