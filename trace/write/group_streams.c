#include "trace/write/group_streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/spill.h"

/* Two work-items of a cohort (positions in `sorted`) that differ along one dimension only, and their distance. A
 * distance of 0 means that there are none. */
struct axis {
  uint32_t a, b, distance;
};

/* Returns the local id of the cohort's work-item number `k` in order of local id. */
static struct place place_of(const struct group *g, const struct cohort *c, uint32_t k) {
  return g->places[c->items[g->sorted[k]]];
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Makes sorted[k] the cohort's work-item number k in order of local id. Work-items are mostly recorded in this
 * order. */
static void sort_items(struct group *g, const struct cohort *c) {
  g->sorted = c->in_order ? g->numbers : g->sorting;
  if (c->in_order)
    return;
  for (uint32_t k = 0; k < c->count; k++)
    g->keys[k] = (uint64_t)c->items[k] << 32 | k;
  qsort(g->keys, c->count, sizeof *g->keys, compare_keys);
  for (uint32_t k = 0; k < c->count; k++)
    g->sorted[k] = (uint32_t)g->keys[k];
}

/* Finds two work-items in the same column along a dimension. A column along y is numbered by x, one along z by x and
 * y. */
static struct axis find_along(struct group *g, const struct cohort *c, unsigned dimension) {
  g->column_serial++;
  for (uint32_t k = 0; k < c->count; k++) {
    const struct place p = place_of(g, c, k);
    struct column *column = &g->columns[dimension == 1 ? p.at[0] : p.at[1] * g->header->local[0] + p.at[0]];
    if (column->serial == g->column_serial) {
      const struct place q = place_of(g, c, column->item);
      if (dimension == 2 || q.at[2] == p.at[2])
        return (struct axis){column->item, k, p.at[dimension] - q.at[dimension]};
    }
    *column = (struct column){g->column_serial, k};
  }
  return (struct axis){0, 0, 0};
}

static void find_axes(struct group *g, const struct cohort *c, struct axis axes[3]) {
  memset(axes, 0, 3 * sizeof axes[0]);
  for (uint32_t k = 1; k < c->count && axes[0].distance == 0; k++) {
    const struct place p = place_of(g, c, k), q = place_of(g, c, k - 1);
    if (p.at[1] == q.at[1] && p.at[2] == q.at[2])
      axes[0] = (struct axis){k - 1, k, p.at[0] - q.at[0]};
  }
  for (unsigned d = 1; d < g->header->dimensions; d++)
    if (g->header->local[d] > 1)
      axes[d] = find_along(g, c, d);
}

static uint32_t base_of(const struct group *g, const struct cohort *c, uint32_t k, uint32_t site) {
  return c->bases[(size_t)g->sorted[k] * c->plan->site_count + site];
}

/* Returns whether all work-items have the same base, for a work-group of one dimension that was recorded in order, as
 * most work-groups of most kernels are. */
static bool fits_in_order(const struct cohort *c, uint32_t site, uint32_t stride, uint32_t *base) {
  const size_t sites = c->plan->site_count;
  const uint32_t *at = c->bases + site;
  *base = *at - stride * c->items[0];
  for (uint32_t k = 1; k < c->count; k++)
    if (*(at += sites) - stride * c->items[k] != *base)
      return false;
  return true;
}

/* Finds strides along local ids that explain every work-item's base, and sets *base to that of local id 0. Returns
 * false if there are none. */
static bool fit_items(const struct group *g, const struct cohort *c, const struct axis axes[3], uint32_t site,
                      int32_t strides[3], uint32_t *base) {
  for (unsigned d = 0; d < 3; d++) {
    strides[d] = 0;
    if (axes[d].distance == 0)
      continue;
    const int32_t difference = (int32_t)(base_of(g, c, axes[d].b, site) - base_of(g, c, axes[d].a, site));
    strides[d] = difference / (int32_t)axes[d].distance; /* a distance is at most the size of a work-group */
    if (strides[d] * (int32_t)axes[d].distance != difference)
      return false;
  }
  if (c->in_order && g->local_size == g->header->local[0])
    return fits_in_order(c, site, (uint32_t)strides[0], base);
  for (uint32_t k = 0; k < c->count; k++) {
    const struct place p = place_of(g, c, k);
    const uint32_t origin = base_of(g, c, k, site) - (uint32_t)strides[0] * p.at[0] - (uint32_t)strides[1] * p.at[1] -
                            (uint32_t)strides[2] * p.at[2];
    if (k == 0)
      *base = origin;
    else if (origin != *base)
      return false;
  }
  return true;
}

/* Writes the loop strides of a site. Most sites lie in no loop or in one. A processor cannot predict which, so there is
 * no branch between the two cases. */
static inline unsigned char *put_loop_strides(unsigned char *to, const struct cohort *c, uint32_t site) {
  const uint32_t first = c->plan->first_stride[site], depth = c->plan->first_stride[site + 1] - first;
  unsigned char *behind = varint_put_zigzag(to, (int32_t)c->strides[first]);
  to = depth > 0 ? behind : to;
  for (uint32_t s = first + 1; s < first + depth; s++)
    to = varint_put_zigzag(to, (int32_t)c->strides[s]);
  return to;
}

/* The places where the next bytes of the shape and of the numbers are written. The memory has been allocated. */
struct output {
  unsigned char *shape, *numbers;
};

/* Writes all addresses but the first. */
static inline void put_addresses(struct output *out, struct site_addresses addresses, size_t count) {
  unsigned char *to = out->numbers;
  const uint32_t *at = addresses.at;
  uint32_t last = *at;
  for (size_t e = 1; e < count; e++) {
    const uint32_t address = *(at += addresses.span);
    to = varint_put_difference(to, address, last);
    last = address;
  }
  out->numbers = to;
}

#define PART 16 /* strides that are written together; a constant, so that compilers use vector instructions */

/* Writes PART strides of a byte each at `to`. Returns false where one needs more. */
static bool put_short_strides(unsigned char *to, const uint32_t *strides) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < PART; i++) {
    const uint32_t number = (uint32_t)zigzag((int32_t)strides[i]);
    to[i] = (unsigned char)number;
    all |= number;
  }
  return all < 0x80;
}

static unsigned char *put_strides(unsigned char *to, const uint32_t *strides, uint32_t count) {
  for (uint32_t at = 0; at < count;) {
    if (at % PART == 0 && count - at >= PART && put_short_strides(to, strides + at)) {
      to += PART;
      at += PART;
    } else {
      to = varint_put_zigzag(to, (int32_t)strides[at++]);
    }
  }
  return to;
}

/* Encodes a cohort of one work-item without raw streams: all are affine and need no item stride. */
static void encode_plain(struct group *g, const struct cohort *c, size_t first_stream, struct output *out) {
  const uint32_t sites = c->plan->site_count;
  if (sites == 0) /* the arrays may then be NULL */
    return;
  memcpy(g->firsts + first_stream, c->bases, sites * sizeof *c->bases);
  memset(g->rest_lengths + first_stream, 0, sites * sizeof *g->rest_lengths);
  out->shape = put_strides(out->shape, c->strides, c->plan->first_stride[sites]);
}

#define TOUCHED_BYTES 64 /* bytes that encoding a stream touches, approximately */

/* Encodes a cohort of one work-item with raw streams. Its other streams are affine with item strides of 0. */
static void encode_single_item(struct group *g, const struct cohort *c, size_t first_stream, struct output *out) {
  const struct plan *plan = c->plan;
  memcpy(g->firsts + first_stream, c->bases, plan->site_count * sizeof *c->bases);
  for (uint32_t site = 0; site < plan->site_count; site++) {
    const unsigned char *start = out->numbers;
    if (site % SPILL_ROUNDS == SPILL_ROUNDS - 1)
      spill_touched(SPILL_ROUNDS * TOUCHED_BYTES);
    if (cohort_site_is_raw(c, site)) {
      *out->shape++ = STREAM_RAW;
      put_addresses(out, cohort_site_addresses(c, 0, site, g->gathered), plan->site_executions[site]);
    } else {
      *out->shape++ = STREAM_AFFINE;
      out->shape = put_loop_strides(out->shape, c, site);
      memset(out->shape, 0, 3);
      out->shape += g->header->dimensions;
    }
    g->rest_lengths[first_stream + site] = (uint32_t)(out->numbers - start);
  }
}

static void encode_item_bases(const struct group *g, const struct cohort *c, uint32_t site, uint32_t *first,
                              struct output *out) {
  const size_t sites = c->plan->site_count;
  const uint32_t *bases = c->bases + site;
  unsigned char *to = out->numbers;
  uint32_t last = *first = base_of(g, c, 0, site);
  for (uint32_t k = 1; k < c->count; k++) {
    const uint32_t value = bases[(c->in_order ? k : g->sorted[k]) * sites];
    to = varint_put_difference(to, value, last);
    last = value;
  }
  out->numbers = to;
}

static void encode_raw(const struct group *g, const struct cohort *c, uint32_t site, uint32_t *first,
                       struct output *out) {
  uint32_t item_first = 0;
  for (uint32_t k = 0; k < c->count; k++) {
    const struct site_addresses addresses = cohort_site_addresses(c, g->sorted[k], site, g->gathered);
    if (k == 0)
      *first = *addresses.at;
    else
      out->numbers = varint_put_difference(out->numbers, *addresses.at, item_first);
    item_first = *addresses.at;
    put_addresses(out, addresses, c->plan->site_executions[site]);
  }
}

/* Encodes a cohort of several work-items. Each site gets the simplest kind of stream that describes it. */
static void encode_items(struct group *g, const struct cohort *c, size_t first_stream, struct output *out) {
  struct axis axes[3];
  sort_items(g, c);
  find_axes(g, c, axes);
  for (uint32_t site = 0; site < c->plan->site_count; site++) {
    int32_t strides[3];
    uint32_t *first = &g->firsts[first_stream + site];
    const unsigned char *start = out->numbers;
    if (cohort_site_is_raw(c, site)) {
      *out->shape++ = STREAM_RAW;
      encode_raw(g, c, site, first, out);
    } else if (fit_items(g, c, axes, site, strides, first)) {
      *out->shape++ = STREAM_AFFINE;
      out->shape = put_loop_strides(out->shape, c, site);
      for (unsigned d = 0; d < g->header->dimensions; d++)
        out->shape = varint_put_zigzag(out->shape, strides[d]);
    } else {
      *out->shape++ = STREAM_ITEM;
      out->shape = put_loop_strides(out->shape, c, site);
      encode_item_bases(g, c, site, first, out);
    }
    g->rest_lengths[first_stream + site] = (uint32_t)(out->numbers - start);
  }
}

/* Returns an upper bound of the count of numbers of the cohort. */
static size_t most_numbers(const struct cohort *c) {
  if (c->any_raw)
    return c->count * c->plan->address_count;
  return c->count == 1 ? 0 : (size_t)c->count * c->plan->site_count;
}

/* Makes room for the addresses of one work-item at a raw site. */
static bool room_to_gather(struct group *g, const struct cohort *c) {
  size_t most = 0;
  for (uint32_t i = 0; c->any_raw && i < c->plan->loop_site_count; i++) {
    const size_t executions = c->plan->site_executions[c->plan->loop_sites[i]];
    most = executions > most ? executions : most;
  }
  return spill_room(&g->gathered, &g->gathered_capacity, most, sizeof *g->gathered);
}

#define BYTES_32 (BYTES_VARINT_MAX / 2) /* the largest number of bytes of a zigzag number of 32 bits */

static bool reserve(struct group *g, const struct cohort *c) {
  const struct plan *plan = c->plan;
  const size_t sites = plan->site_count, strides = sites * g->header->dimensions + plan->first_stride[sites];
  if (!bytes_reserve(&g->record, 1 + sites + strides * BYTES_32 + BYTES_VARINT_MAX) ||
      !bytes_reserve(g->to, most_numbers(c) * BYTES_32 + BYTES_VARINT_MAX) || !room_to_gather(g, c))
    return false;
  group_find_streams(g);
  return true;
}

int group_encode_streams(struct group *g, const struct cohort *c, size_t first_stream, struct error *error) {
  const bool single = c->count == 1, plain = single && !c->any_raw;
  if (!reserve(g, c))
    return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
  struct output out = {g->record.data + g->record.length, g->to->data + g->to->length};
  *out.shape++ = plain;
  if (plain)
    encode_plain(g, c, first_stream, &out);
  else if (single)
    encode_single_item(g, c, first_stream, &out);
  else
    encode_items(g, c, first_stream, &out);
  spill_touched(c->plan->memory + cohort_memory(c) + (size_t)(out.numbers - g->to->data) - g->to->length);
  g->record.length = (size_t)(out.shape - g->record.data);
  g->to->length = (size_t)(out.numbers - g->to->data);
  return 0;
}
