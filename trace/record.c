#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

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

int record_item(struct group *g, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                uint32_t local_id, const uint16_t *blocks, size_t block_count, const uint32_t *addresses,
                size_t address_count, struct error *error) {
  if (local_id >= g->local_size || g->cohort_of_item[local_id] != NO_COHORT)
    return error_set(error, ERROR_WORK, "trace writer: work-item %u of work-group %u: %s", local_id, group_id,
                     local_id < g->local_size ? "recorded twice" : "not in the work-group");
  struct plan *plan = path_table_last(paths, blocks, block_count);
  if (plan == NULL)
    plan = path_table_find(paths, code, blocks, block_count, error);
  if (plan == NULL)
    return -1;
  if (plan->address_count != address_count)
    return error_set(error, ERROR_WORK,
                     "trace writer: work-item %u of work-group %u: found %zu addresses, expected %zu by its blocks",
                     local_id, group_id, address_count, plan->address_count);
  struct cohort *c = cohort_for(g, plan);
  if (c == NULL || (!cohort_add_flat(c, local_id, addresses) && !cohort_add(c, local_id, addresses)))
    return no_memory(error);
  g->cohort_of_item[local_id] = plan->cohort;
  g->item_count++;
  return 0;
}

/* Bytes. A cohort: its head, the steps of its path, items, bases, strides; then leaf by leaf the raw addresses. */

struct cohort_head {
  uint64_t hash;
  uint32_t step_count, item_count, any_raw, unused;
};

struct raw_head {
  uint64_t count;
  uint32_t on, first_item;
};

static void pack_cohort(const struct cohort *c, struct bytes *out) {
  const struct trace_path *path = c->plan->path;
  const struct cohort_head head = {c->plan->hash, path->step_count, c->count, c->any_raw, 0};
  bytes_append(out, &head, sizeof head);
  bytes_append(out, path->steps, path->step_count * sizeof *path->steps);
  bytes_append(out, c->items, c->count * sizeof *c->items);
  bytes_append(out, c->bases, (size_t)c->count * path->leaf_count * sizeof *c->bases);
  bytes_append(out, c->strides, c->plan->first_stride[path->leaf_count] * sizeof *c->strides);
  for (uint32_t leaf = 0; c->any_raw && leaf < path->leaf_count; leaf++) {
    const struct cohort_raw *raw = &c->raw[leaf];
    const struct raw_head raw_head = {raw->count, raw->on, raw->first_item};
    bytes_append(out, &raw_head, sizeof raw_head);
    bytes_append(out, raw->values, raw->count * sizeof *raw->values);
  }
}

void record_pack(const struct group *g, struct bytes *out) {
  bytes_append(out, &g->cohort_count, sizeof g->cohort_count);
  for (uint32_t i = 0; i < g->cohort_count; i++)
    pack_cohort(&g->cohorts[i], out);
}

static bool take(struct byte_reader *r, void *to, size_t length) {
  if (reader_left(r) < length)
    r->bad = true;
  else if (length > 0) {
    memcpy(to, r->at, length);
    r->at += length;
  }
  return !r->bad;
}

/* An array of `count` elements, in `*array` with room for `*capacity`. */
static bool take_array(struct byte_reader *r, uint32_t **array, size_t *capacity, size_t count) {
  return reader_left(r) / sizeof **array >= count && array_room(array, capacity, count, sizeof **array) &&
         take(r, *array, count * sizeof **array);
}

static struct plan *take_path(struct path_table *paths, const struct trace_code *code, struct byte_reader *r,
                              const struct cohort_head *head, struct error *error) {
  const size_t length = head->step_count * sizeof(struct trace_step);
  struct trace_step *steps = reader_left(r) >= length ? malloc(length + 1) : NULL;
  if (steps == NULL)
    return NULL;
  take(r, steps, length);
  return path_table_take(paths, code, steps, head->step_count, head->hash, error);
}

static bool take_raw(struct cohort_raw *raw, struct byte_reader *r) {
  struct raw_head head;
  if (!take(r, &head, sizeof head) || !take_array(r, &raw->values, &raw->capacity, (size_t)head.count))
    return false;
  raw->on = head.on != 0;
  raw->first_item = head.first_item;
  raw->count = (size_t)head.count;
  return true;
}

static bool take_cohort(struct cohort *c, struct byte_reader *r, uint32_t item_count, bool any_raw) {
  const struct trace_path *path = c->plan->path;
  size_t capacity = c->item_capacity;
  bool whole = take_array(r, &c->items, &capacity, item_count);
  c->item_capacity = (uint32_t)capacity;
  c->count = item_count;
  for (uint32_t k = 1; whole && k < item_count; k++)
    c->in_order &= c->items[k - 1] < c->items[k];
  whole = whole && take_array(r, &c->bases, &c->base_capacity, (size_t)item_count * path->leaf_count) &&
          take_array(r, &c->strides, &c->stride_capacity, c->plan->first_stride[path->leaf_count]);
  whole = whole && (!any_raw || cohort_begin_raw(c));
  for (uint32_t leaf = 0; whole && any_raw && leaf < path->leaf_count; leaf++)
    whole = take_raw(&c->raw[leaf], r);
  return whole;
}

static bool place_items(struct group *g, const struct cohort *c, uint32_t cohort) {
  for (uint32_t k = 0; k < c->count; k++) {
    if (c->items[k] >= g->local_size || g->cohort_of_item[c->items[k]] != NO_COHORT)
      return false;
    g->cohort_of_item[c->items[k]] = cohort;
  }
  g->item_count += c->count;
  return true;
}

static bool unpack_cohort(struct group *g, struct path_table *paths, const struct trace_code *code,
                          struct byte_reader *r, struct error *error) {
  struct cohort_head head;
  if (!take(r, &head, sizeof head))
    return false;
  struct plan *plan = take_path(paths, code, r, &head, error);
  const uint32_t before = g->cohort_count;
  struct cohort *c = plan != NULL ? cohort_for(g, plan) : NULL;
  return c != NULL && g->cohort_count == before + 1 && take_cohort(c, r, head.item_count, head.any_raw != 0) &&
         place_items(g, c, plan->cohort);
}

int record_unpack(struct group *g, struct path_table *paths, const struct trace_code *code, const void *data,
                  size_t length, struct error *error) {
  struct byte_reader r = {.at = data, .end = (const unsigned char *)data + length};
  uint32_t cohorts;
  bool whole = take(&r, &cohorts, sizeof cohorts);
  for (uint32_t i = 0; whole && i < cohorts; i++)
    whole = unpack_cohort(g, paths, code, &r, error);
  return whole && reader_left(&r) == 0 ? 0
                                       : error_set(error, ERROR_WORK,
                                                   "the record of a work-group did not arrive whole, or there is no "
                                                   "memory for it");
}
