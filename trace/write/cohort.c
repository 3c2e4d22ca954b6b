#include "trace/write/cohort.h"

#include "base/spill.h"

#include <stdlib.h>
#include <string.h>

bool cohort_begin(struct cohort *c, struct plan *plan) {
  c->plan = plan;
  c->count = 0;
  c->any_raw = false;
  c->in_order = true;
  const size_t strides = plan->first_stride[plan->site_count] + (size_t)1; /* one element more is read but not used */
  if (strides > c->stride_capacity && !spill_room(&c->strides, &c->stride_capacity, strides, sizeof *c->strides))
    return false;
  c->strides[strides - 1] = 0;
  return true;
}

static uint32_t stride_at(const struct plan_stride *s, const uint32_t *addresses) {
  return addresses[s->offset + s->span] - addresses[s->offset];
}

static bool same_strides(const struct cohort *c, const uint32_t *addresses) {
  const uint32_t count = c->plan->first_stride[c->plan->site_count];
  uint32_t different = 0;
  for (uint32_t i = 0; i < count; i++)
    different |= stride_at(&c->plan->strides[i], addresses) ^ c->strides[i];
  return different == 0;
}

static uint32_t *raw_item(const struct cohort *c, uint32_t k) {
  return c->addresses + (size_t)(k - c->first_raw) * c->plan->address_count;
}

/* Keeps the addresses of the next work-item. From then on, those of all later work-items are kept. */
static bool add_raw(struct cohort *c, const uint32_t *addresses) {
  if (!c->any_raw)
    c->first_raw = c->count;
  const size_t count = c->plan->address_count, more = ((size_t)(c->count - c->first_raw) + 1) * count;
  if (more > c->address_capacity && !spill_room(&c->addresses, &c->address_capacity, more, sizeof *c->addresses))
    return false;
  spill_copy(raw_item(c, c->count), addresses, count * sizeof *addresses);
  c->any_raw = true;
  return true;
}

bool cohort_room(struct cohort *c, uint32_t more) {
  const size_t bases = ((size_t)c->count + more) * c->plan->site_count;
  if (c->count + more <= c->item_capacity && bases <= c->base_capacity)
    return true;
  size_t capacity = c->item_capacity;
  const bool ok = spill_room(&c->items, &capacity, c->count + more, sizeof *c->items);
  c->item_capacity = (uint32_t)capacity;
  return ok && spill_room(&c->bases, &c->base_capacity, bases, sizeof *c->bases);
}

static void keep_bases(const struct cohort *c, const uint32_t *addresses) {
  const struct plan *p = c->plan;
  const uint32_t sites = p->site_count;
  uint32_t *bases = c->bases + (size_t)c->count * sites;
  if (p->flat && sites > 0)
    memcpy(bases, addresses, sites * sizeof *bases);
  else
    for (uint32_t i = 0; i < sites; i++)
      bases[i] = addresses[p->site_offset[i]];
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
      for (uint32_t i = 0; i < p->first_stride[p->site_count]; i++)
        c->strides[i] = stride_at(&p->strides[i], addresses);
    const bool regular = !c->any_raw && plan_all_affine(p, addresses) && same_strides(c, addresses);
    if (!regular && !add_raw(c, addresses))
      return false;
  }
  c->count++;
  return true;
}

/* Computes the bases of affine work-items: each is one step away from that of the work-item before. */
static void keep_affine_bases(struct cohort *c, const struct trace_affine_items *items) {
  const uint32_t sites = c->plan->site_count;
  for (uint32_t i = 0; i < sites; i++) {
    const uint32_t step = (uint32_t)items->steps[c->plan->site_op[i]];
    uint32_t *base = c->bases + (size_t)c->count * sites + i;
    for (uint32_t k = 1; k < items->item_count; k++, base += sites)
      *base = base[-(ptrdiff_t)sites] + step;
  }
}

/* The function relies on this: the other work-items follow the cohort's strides if and only if the first one does. */
bool cohort_add_affine(struct cohort *c, const struct trace_affine_items *items) {
  if (c->any_raw || !cohort_room(c, items->item_count - 1))
    return false;
  keep_affine_bases(c, items);
  for (uint32_t k = 1; k < items->item_count; k++)
    c->items[c->count++] = items->first_item + k;
  return true;
}

bool cohort_site_is_raw(const struct cohort *c, uint32_t site) {
  for (uint32_t k = c->first_raw; c->any_raw && k < c->count; k++)
    if (!plan_site_follows(c->plan, site, raw_item(c, k), c->strides + c->plan->first_stride[site]))
      return true;
  return false;
}

struct site_addresses cohort_site_addresses(const struct cohort *c, uint32_t k, uint32_t site, uint32_t *room) {
  const struct plan *plan = c->plan;
  const uint32_t stride = plan->first_stride[site], depth = plan->first_stride[site + 1] - stride;
  if (!c->any_raw || k < c->first_raw)
    plan_site_expand(plan, site, c->bases[(size_t)k * plan->site_count + site], c->strides + stride, room);
  else if (depth == 1)
    return (struct site_addresses){raw_item(c, k) + plan->site_offset[site], plan->strides[stride].span};
  else
    plan_site_gather(plan, site, raw_item(c, k), room);
  return (struct site_addresses){room, 1};
}

size_t cohort_memory(const struct cohort *c) {
  return c->item_capacity * sizeof *c->items + c->base_capacity * sizeof *c->bases +
         c->stride_capacity * sizeof *c->strides + c->address_capacity * sizeof *c->addresses;
}

void cohort_clear(struct cohort *c) {
  spill_free(c->items, c->item_capacity * sizeof *c->items);
  spill_free(c->bases, c->base_capacity * sizeof *c->bases);
  spill_free(c->strides, c->stride_capacity * sizeof *c->strides);
  spill_free(c->addresses, c->address_capacity * sizeof *c->addresses);
  *c = (struct cohort){0};
}
