/* Adds affine work-items (trace/write/affine_items.h) to cohorts. */
#include <stdlib.h>

#include "base/spill.h"
#include "trace/write/record.h"

/* Turns the addresses of a work-item into those of the next one. */
static void step_addresses(const struct trace_code *code, const struct trace_affine_items *items, uint32_t *addresses) {
  for (size_t i = 0; i < items->block_count; i++) {
    const struct trace_block *block = &code->blocks[items->blocks[i]];
    for (uint32_t m = 0; m < block->mem_count; m++)
      *addresses++ += (uint32_t)items->steps[code->mem_ops[block->first_mem + m]];
  }
}

static int record_one(struct group *g, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                      const struct trace_affine_items *items, uint32_t i, const uint32_t *addresses,
                      struct error *error) {
  const struct trace_item_end end = {items->blocks + items->block_count, addresses + items->address_count};
  const struct trace_items one = {items->first_item + i, 1, items->blocks, addresses, &end};
  return record_items(g, paths, code, group_id, &one, error);
}

/* Records all work-items except the first, one by one. */
static int record_one_by_one(struct group *g, struct path_table *paths, const struct trace_code *code,
                             uint32_t group_id, const struct trace_affine_items *items, struct error *error) {
  if (!spill_room(&g->gathered, &g->gathered_capacity, items->address_count, sizeof *g->gathered))
    return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
  memcpy(g->gathered, items->addresses, items->address_count * sizeof *g->gathered);
  for (uint32_t i = 1; i < items->item_count; i++) {
    step_addresses(code, items, g->gathered);
    if (record_one(g, paths, code, group_id, items, i, g->gathered, error))
      return -1;
  }
  return 0;
}

static bool are_new(const struct group *g, uint32_t first, uint32_t end) {
  while (first < end && end <= g->local_size && g->cohort_of_item[first] == NO_COHORT)
    first++;
  return first == end;
}

/* The first work-item is recorded like any other, which finds the path; the others then join its cohort at once. */
int record_affine(struct group *g, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                  const struct trace_affine_items *items, struct error *error) {
  const uint32_t next = items->first_item + 1, end = items->first_item + items->item_count;
  if (record_one(g, paths, code, group_id, items, 0, items->addresses, error))
    return -1;
  struct cohort *c = &g->cohorts[g->cohort_of_item[items->first_item]];
  if (!are_new(g, next, end) || !cohort_add_affine(c, items))
    return record_one_by_one(g, paths, code, group_id, items, error);
  for (uint32_t i = next; i < end; i++)
    g->cohort_of_item[i] = c->plan->cohort;
  group_put_run(g, next, end - next, c->plan->cohort);
  return 0;
}
