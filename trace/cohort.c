#include "trace/cohort.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_LEAF 16 /* executions that are kept before it is known whether that is needed */

bool cohort_begin(struct cohort *c, struct plan *plan) {
  c->plan = plan;
  c->count = 0;
  c->any_raw = false;
  c->in_order = true;
  const size_t strides = plan->first_stride[plan->leaf_count] + (size_t)1; /* the last is read, and means nothing */
  if (strides > c->stride_capacity && !array_room(&c->strides, &c->stride_capacity, strides, sizeof *c->strides))
    return false;
  c->strides[strides - 1] = 0;
  return true;
}

bool cohort_begin_raw(struct cohort *c) {
  const uint32_t leaves = c->plan->leaf_count;
  const size_t before = c->raw_capacity;
  if (!array_room(&c->raw, &c->raw_capacity, leaves, sizeof *c->raw))
    return false;
  if (c->raw_capacity > before)
    memset(c->raw + before, 0, (c->raw_capacity - before) * sizeof *c->raw);
  for (uint32_t i = 0; i < leaves; i++) {
    c->raw[i].on = false;
    c->raw[i].count = 0;
  }
  c->any_raw = true;
  return true;
}

static uint32_t stride_at(const struct plan_stride *s, const uint32_t *addresses) {
  return addresses[s->offset + s->span] - addresses[s->offset];
}

static bool same_strides(const struct cohort *c, const uint32_t *addresses) {
  const uint32_t count = c->plan->first_stride[c->plan->leaf_count];
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++)
    different |= stride_at(&c->plan->strides[i], addresses) ^ c->strides[i];
  return different == 0;
}

static bool room_for_raw(struct cohort *c, struct cohort_raw *raw, size_t more) {
  const size_t before = raw->capacity;
  if (!array_room(&raw->values, &raw->capacity, raw->count + more, sizeof *raw->values))
    return false;
  c->raw_bytes += (raw->capacity - before) * sizeof *raw->values;
  return true;
}

/* Of the item that comes: kept, whether or not the leaf follows the cohort's stride, as that takes no time where there
 * are few. Returns whether it does not. */
static uint32_t gather_short(const uint32_t *from, size_t span, size_t executions, uint32_t stride, uint32_t *to) {
  uint32_t follows = *from, different = 0;
  for (size_t i = 0; i < executions; i++, from += span, follows += stride) {
    to[i] = *from;
    different |= *from ^ follows;
  }
  return different;
}

/* What the item adds to the leaf. */
static bool add_leaf(struct cohort *c, uint32_t leaf, const uint32_t *addresses) {
  const struct plan *plan = c->plan;
  struct cohort_raw *raw = &c->raw[leaf];
  const size_t executions = plan->leaf_executions[leaf];
  const uint32_t stride = plan->first_stride[leaf];
  const bool is_short = executions <= SHORT_LEAF && plan->first_stride[leaf + 1] == stride + 1;
  if (!is_short && !raw->on && plan_leaf_follows(plan, leaf, addresses, c->strides + stride))
    return true;
  if (raw->count + executions > raw->capacity && !room_for_raw(c, raw, executions))
    return false;
  uint32_t *to = raw->values + raw->count;
  bool differs = true;
  if (is_short)
    differs = gather_short(addresses + plan->leaf_offset[leaf], plan->strides[stride].span, executions,
                           c->strides[stride], to) != 0;
  else
    plan_leaf_gather(plan, leaf, addresses, to);
  if (!raw->on)
    raw->first_item = c->count;
  raw->on |= differs;
  raw->count += raw->on ? executions : 0;
  return true;
}

/* Leaf by leaf: those that stopped following the cohort's strides go on raw. */
static bool add_irregular(struct cohort *c, const uint32_t *addresses) {
  const struct plan *plan = c->plan;
  if (!c->any_raw && !cohort_begin_raw(c))
    return false;
  for (uint32_t i = 0; i < plan->loop_leaf_count; i++)
    if (!add_leaf(c, plan->loop_leaves[i], addresses))
      return false;
  return true;
}

bool cohort_room(struct cohort *c, uint32_t more) {
  const size_t bases = ((size_t)c->count + more) * c->plan->leaf_count;
  if (c->count + more <= c->item_capacity && bases <= c->base_capacity)
    return true;
  size_t capacity = c->item_capacity;
  const bool ok = array_room(&c->items, &capacity, c->count + more, sizeof *c->items);
  c->item_capacity = (uint32_t)capacity;
  return ok && array_room(&c->bases, &c->base_capacity, bases, sizeof *c->bases);
}

static void keep_bases(const struct cohort *c, const uint32_t *addresses) {
  const struct plan *p = c->plan;
  const uint32_t leaves = p->leaf_count;
  uint32_t *bases = c->bases + (size_t)c->count * leaves;
  if (p->flat && leaves > 0)
    memcpy(bases, addresses, leaves * sizeof *bases);
  else
    for (uint32_t i = 0; i < leaves; i++)
      bases[i] = addresses[p->leaf_offset[i]];
}

bool cohort_add(struct cohort *c, uint32_t local_id, const uint32_t *addresses) {
  const struct plan *p = c->plan;
  if (!cohort_room(c, 1))
    return false;
  c->in_order &= c->count == 0 || c->items[c->count - 1] < local_id;
  c->items[c->count] = local_id;
  keep_bases(c, addresses);
  if (!p->flat) {
    if (c->count == 0)
      for (uint32_t i = 0; i < p->first_stride[p->leaf_count]; i++)
        c->strides[i] = stride_at(&p->strides[i], addresses);
    const bool regular = !c->any_raw && plan_all_affine(p, addresses) && same_strides(c, addresses);
    if (!regular && !add_irregular(c, addresses))
      return false;
  }
  c->count++;
  return true;
}

/* Each item's bases are a step further than those of the one before. */
static void keep_row_bases(struct cohort *c, const struct trace_row *row) {
  const uint32_t leaves = c->plan->leaf_count;
  for (uint32_t i = 0; i < leaves; i++) {
    const uint32_t step = (uint32_t)row->steps[c->plan->leaf_op[i]];
    uint32_t *base = c->bases + (size_t)c->count * leaves + i;
    for (uint32_t k = 1; k < row->item_count; k++, base += leaves)
      *base = base[-(ptrdiff_t)leaves] + step;
  }
}

/* With the first item the others follow the cohort's strides, or do not. */
bool cohort_add_row(struct cohort *c, const struct trace_row *row) {
  if (c->any_raw || !cohort_room(c, row->item_count - 1))
    return false;
  keep_row_bases(c, row);
  for (uint32_t k = 1; k < row->item_count; k++)
    c->items[c->count++] = row->first_item + k;
  return true;
}

void cohort_leaf_addresses(const struct cohort *c, uint32_t k, uint32_t leaf, uint32_t *to) {
  const struct cohort_raw *raw = c->any_raw ? &c->raw[leaf] : NULL;
  const struct trace_path *path = c->plan->path;
  if (raw != NULL && raw->on && k >= raw->first_item) {
    const size_t executions = (size_t)trace_nest_of(path, leaf)->executions;
    memcpy(to, raw->values + (k - raw->first_item) * executions, executions * sizeof *to);
  } else
    plan_leaf_expand(c->plan, leaf, c->bases[(size_t)k * path->leaf_count + leaf],
                     c->strides + c->plan->first_stride[leaf], to);
}

size_t cohort_memory(const struct cohort *c) {
  return c->item_capacity * sizeof *c->items + c->base_capacity * sizeof *c->bases +
         c->stride_capacity * sizeof *c->strides + c->raw_capacity * sizeof *c->raw + c->raw_bytes;
}

void cohort_clear(struct cohort *c) {
  for (size_t i = 0; i < c->raw_capacity; i++)
    free(c->raw[i].values);
  free(c->raw);
  free(c->items);
  free(c->bases);
  free(c->strides);
  *c = (struct cohort){0};
}
