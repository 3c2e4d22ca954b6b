#include "trace/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/limits.h"

/* Where find_along met a column last: in which search, and by which of the cohort's items. */
struct column {
  uint64_t serial;
  uint32_t item;
};

static void number_items(struct group *g) {
  const uint32_t *local = g->header->local;
  for (uint32_t i = 0; i < g->local_size; i++) {
    g->places[i] = (struct place){{i % local[0], i / local[0] % local[1], i / local[0] / local[1]}};
    g->numbers[i] = i;
  }
}

int group_init(struct group *g, const struct trace_header *header, struct error *error) {
  const uint32_t size = trace_local_size(header), plane = header->local[0] * header->local[1];
  *g = (struct group){.header = header, .local_size = size};
  g->cohort_of_item = malloc(size * sizeof *g->cohort_of_item);
  g->places = malloc(size * sizeof *g->places);
  g->order = malloc(size * sizeof *g->order);
  g->rank = malloc(size * sizeof *g->rank);
  g->numbers = malloc(size * sizeof *g->numbers);
  g->sorting = malloc(size * sizeof *g->sorting);
  g->keys = malloc(size * sizeof *g->keys);
  g->plans = malloc(size * sizeof *g->plans);
  g->columns = calloc(plane, sizeof *g->columns);
  if (!g->cohort_of_item || !g->places || !g->order || !g->rank || !g->numbers || !g->sorting || !g->keys ||
      !g->plans || !g->columns) {
    group_clear(g);
    return error_set(error, ERROR_WORK, "out of memory for a work-group of %u work-items", size);
  }
  number_items(g);
  return 0;
}

#define KEEP_BYTES (16u << 20) /* a cohort's memory that is kept for the next work-group */

void group_reset(struct group *g) {
  for (uint32_t i = 0; i < g->cohort_count; i++)
    if (i >= 1024 || cohort_memory(&g->cohorts[i]) > KEEP_BYTES)
      cohort_clear(&g->cohorts[i]);
  g->cohort_count = g->item_count = 0;
  g->ascending = true;
  g->serial++;
  memset(g->cohort_of_item, 0xff, g->local_size * sizeof *g->cohort_of_item);
}

void group_clear(struct group *g) {
  for (uint32_t i = 0; i < g->cohort_capacity; i++)
    cohort_clear(&g->cohorts[i]);
  free(g->cohorts);
  free(g->cohort_of_item);
  free(g->order);
  free(g->rank);
  free(g->places);
  free(g->numbers);
  free(g->sorting);
  free(g->keys);
  free(g->columns);
  free(g->plans);
  free(g->firsts);
  free(g->rest_lengths);
  free(g->kinds);
  free(g->gathered);
  bytes_clear(&g->record);
  bytes_clear(&g->rest);
  *g = (struct group){0};
}

/* Two items of a cohort (positions in `sorted`) that differ along one dimension only, and by how much; 0: no such. */
struct axis {
  uint32_t a, b, distance;
};

/* Of the cohort's item number k in order of local id. */
static struct place place_of(const struct group *g, const struct cohort *c, uint32_t k) {
  return g->places[c->items[g->sorted[k]]];
}

static int compare_keys(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* sorted[k]: the cohort's item number k in order of local id. Items mostly come in this order. */
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

/* Looks for two items in the same column: columns are numbered by `first` and, for z, second coordinate. */
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

static uint32_t base_of(const struct group *g, const struct cohort *c, uint32_t k, uint32_t leaf) {
  return c->bases[(size_t)g->sorted[k] * c->plan->leaf_count + leaf];
}

/* The same base for every item of a work-group of one row, whose items came in order: most groups of most kernels. */
static bool fits_row(const struct cohort *c, uint32_t leaf, uint32_t stride, uint32_t *base) {
  const size_t leaves = c->plan->leaf_count;
  const uint32_t *at = c->bases + leaf;
  *base = *at - stride * c->items[0];
  for (uint32_t k = 1; k < c->count; k++)
    if (*(at += leaves) - stride * c->items[k] != *base)
      return false;
  return true;
}

/* Strides along local ids that give every item's base; false when there are none. *base belongs to local id 0. */
static bool fit_items(const struct group *g, const struct cohort *c, const struct axis axes[3], uint32_t leaf,
                      int32_t strides[3], uint32_t *base) {
  for (unsigned d = 0; d < 3; d++) {
    strides[d] = 0;
    if (axes[d].distance == 0)
      continue;
    const int32_t difference = (int32_t)(base_of(g, c, axes[d].b, leaf) - base_of(g, c, axes[d].a, leaf));
    if (difference % (int64_t)axes[d].distance != 0)
      return false;
    strides[d] = (int32_t)(difference / (int64_t)axes[d].distance);
  }
  if (c->in_order && g->local_size == g->header->local[0])
    return fits_row(c, leaf, (uint32_t)strides[0], base);
  for (uint32_t k = 0; k < c->count; k++) {
    const struct place p = place_of(g, c, k);
    const uint32_t origin = base_of(g, c, k, leaf) - (uint32_t)strides[0] * p.at[0] - (uint32_t)strides[1] * p.at[1] -
                            (uint32_t)strides[2] * p.at[2];
    if (k == 0)
      *base = origin;
    else if (origin != *base)
      return false;
  }
  return true;
}

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

static int reserve_streams(struct group *g, size_t streams, struct error *error) {
  if (streams <= g->stream_capacity)
    return 0;
  free(g->firsts);
  free(g->rest_lengths);
  free(g->kinds);
  g->stream_capacity = 0;
  g->firsts = malloc(streams * sizeof *g->firsts);
  g->rest_lengths = malloc(streams * sizeof *g->rest_lengths);
  g->kinds = malloc(streams);
  if (g->firsts == NULL || g->rest_lengths == NULL || g->kinds == NULL)
    return no_memory(error);
  g->stream_capacity = streams;
  return 0;
}

static unsigned char *put_zigzag(unsigned char *to, int64_t value) {
  return varint_put(to, zigzag(value));
}

static inline unsigned char *put_loop_strides(const struct cohort *c, uint32_t leaf, unsigned char *to) {
  for (uint32_t s = c->plan->first_stride[leaf]; s < c->plan->first_stride[leaf + 1]; s++)
    to = put_zigzag(to, (int32_t)c->strides[s]);
  return to;
}

/* One work-item, none of its streams raw: all are affine, and no work-item's stride is needed. */
static unsigned char *encode_plain_streams(struct group *g, const struct cohort *c, size_t first_stream,
                                           unsigned char *to) {
  const uint32_t leaves = c->plan->leaf_count;
  if (leaves == 0) /* then there may be no arrays either */
    return to;
  memset(g->kinds + first_stream, STREAM_AFFINE, leaves);
  memcpy(g->firsts + first_stream, c->bases, leaves * sizeof *c->bases);
  for (uint32_t leaf = 0; !c->plan->flat && leaf < leaves; leaf++)
    to = put_loop_strides(c, leaf, to);
  return to;
}

/* One work-item with raw streams: the others are affine, with strides of 0 from work-item to work-item. */
static unsigned char *encode_single_item(struct group *g, const struct cohort *c, size_t first_stream,
                                         unsigned char *to) {
  const uint32_t leaves = c->plan->leaf_count;
  uint8_t *kinds = g->kinds + first_stream;
  memcpy(g->firsts + first_stream, c->bases, leaves * sizeof *c->bases);
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    *to++ = kinds[leaf] = c->raw[leaf].on ? STREAM_RAW : STREAM_AFFINE;
    if (kinds[leaf] == STREAM_RAW)
      continue;
    to = put_loop_strides(c, leaf, to);
    memset(to, 0, 3);
    to += g->header->dimensions;
  }
  return to;
}

/* Chooses the simplest kind for each leaf of the cohort. */
static unsigned char *encode_kinds(struct group *g, const struct cohort *c, size_t first_stream, unsigned char *to) {
  struct axis axes[3];
  sort_items(g, c);
  find_axes(g, c, axes);
  for (uint32_t leaf = 0; leaf < c->plan->leaf_count; leaf++) {
    int32_t item_strides[3];
    const size_t stream = first_stream + leaf;
    if (cohort_leaf_is_raw(c, leaf))
      g->kinds[stream] = STREAM_RAW;
    else
      g->kinds[stream] = fit_items(g, c, axes, leaf, item_strides, &g->firsts[stream]) ? STREAM_AFFINE : STREAM_ITEM;
    *to++ = g->kinds[stream];
    if (g->kinds[stream] == STREAM_RAW)
      continue;
    to = put_loop_strides(c, leaf, to);
    for (unsigned d = 0; d < g->header->dimensions && g->kinds[stream] == STREAM_AFFINE; d++)
      to = put_zigzag(to, item_strides[d]);
  }
  return to;
}

/* The cohort's streams in the shape's record. */
static int encode_streams(struct group *g, const struct cohort *c, size_t first_stream, struct error *error) {
  const struct plan *plan = c->plan;
  const size_t leaves = plan->leaf_count;
  const bool plain = c->count == 1 && !c->any_raw;
  if (!bytes_reserve(&g->record,
                     1 + leaves +
                         (leaves * g->header->dimensions + plan->first_stride[leaves]) * (BYTES_VARINT_MAX / 2)))
    return no_memory(error);
  unsigned char *to = g->record.data + g->record.length;
  *to++ = plain;
  if (plain)
    to = encode_plain_streams(g, c, first_stream, to);
  else
    to = c->count == 1 ? encode_single_item(g, c, first_stream, to) : encode_kinds(g, c, first_stream, to);
  g->record.length = (size_t)(to - g->record.data);
  return 0;
}

/* Cohorts in order of their first item. */
static void order_cohorts(struct group *g) {
  uint32_t next = 0;
  if (g->ascending) { /* they began in this order */
    for (uint32_t i = 0; i < g->cohort_count; i++)
      g->order[i] = g->rank[i] = i;
    return;
  }
  memset(g->rank, 0xff, g->cohort_count * sizeof *g->rank);
  for (uint32_t i = 0; i < g->local_size; i++) {
    const uint32_t cohort = g->cohort_of_item[i];
    if (g->rank[cohort] != UINT32_MAX)
      continue;
    g->rank[cohort] = next;
    g->order[next++] = cohort;
  }
  assert(next == g->cohort_count);
}

static bool encode_runs(struct group *g) {
  if (!bytes_reserve(&g->record, (size_t)g->local_size * BYTES_VARINT_MAX))
    return false;
  unsigned char *to = g->record.data + g->record.length;
  for (uint32_t i = 0; i < g->local_size;) {
    const uint32_t cohort = g->cohort_of_item[i];
    uint32_t end = i + 1;
    while (end < g->local_size && g->cohort_of_item[end] == cohort)
      end++;
    to = varint_put(to, g->rank[cohort]);
    to = varint_put(to, end - i - 1);
    i = end;
  }
  g->record.length = (size_t)(to - g->record.data);
  return true;
}

static int encode_shape(struct group *g, struct error *error) {
  g->record.length = 0;
  order_cohorts(g);
  if (!encode_runs(g))
    return no_memory(error);
  size_t stream = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[g->order[i]];
    if (encode_streams(g, c, stream, error) != 0)
      return -1;
    stream += c->plan->leaf_count;
  }
  return g->record.failed ? no_memory(error) : 0;
}

static unsigned char *put_difference(unsigned char *to, uint32_t value, uint32_t before) {
  return put_zigzag(to, (int32_t)(value - before));
}

/* All numbers of one stream but the first go to `to`, where there is room; returns the place behind. */

static unsigned char *encode_item_bases(const struct group *g, const struct cohort *c, uint32_t leaf, uint32_t *first,
                                        unsigned char *to) {
  uint32_t last = base_of(g, c, 0, leaf);
  *first = last;
  for (uint32_t k = 1; k < c->count; k++) {
    const uint32_t value = base_of(g, c, k, leaf);
    to = put_difference(to, value, last);
    last = value;
  }
  return to;
}

static unsigned char *encode_raw(const struct group *g, const struct cohort *c, uint32_t leaf, uint32_t *first,
                                 unsigned char *to) {
  const size_t executions = (size_t)c->plan->path->leaves[leaf].executions;
  const struct cohort_raw *raw = &c->raw[leaf];
  uint32_t item_first = 0;
  for (uint32_t k = 0; k < c->count; k++) {
    const uint32_t number = g->sorted[k];
    const uint32_t *addresses = g->gathered;
    if (number >= raw->first_item)
      addresses = raw->values + (number - raw->first_item) * executions;
    else
      cohort_leaf_addresses(c, number, leaf, g->gathered);
    uint32_t last = addresses[0];
    if (k == 0)
      *first = last;
    else
      to = put_difference(to, last, item_first);
    item_first = last;
    for (size_t e = 1; e < executions; e++) {
      to = put_difference(to, addresses[e], last);
      last = addresses[e];
    }
  }
  return to;
}

/* An upper bound for the bytes of the cohort's numbers; room for one item's addresses of each raw leaf. */
static bool room_for_values(struct group *g, const struct cohort *c, size_t first_stream) {
  size_t count = 0, gathered = 0;
  for (uint32_t leaf = 0; leaf < c->plan->leaf_count; leaf++) {
    const uint8_t kind = g->kinds[first_stream + leaf];
    const size_t executions = kind == STREAM_RAW ? (size_t)c->plan->path->leaves[leaf].executions : 1;
    count += kind == STREAM_AFFINE ? 0 : c->count * executions;
    gathered = executions > gathered ? executions : gathered;
  }
  return bytes_reserve(&g->rest, count * (BYTES_VARINT_MAX / 2) + BYTES_VARINT_MAX) &&
         array_room(&g->gathered, &g->gathered_capacity, gathered, sizeof *g->gathered);
}

static int encode_values(struct group *g, const struct cohort *c, size_t first_stream, struct error *error) {
  const uint32_t leaves = c->plan->leaf_count;
  if (leaves == 0)
    return 0;
  if (c->count == 1 && !c->any_raw) { /* all are affine */
    memset(g->rest_lengths + first_stream, 0, leaves * sizeof *g->rest_lengths);
    return 0;
  }
  if (!room_for_values(g, c, first_stream))
    return no_memory(error);
  sort_items(g, c);
  unsigned char *to = g->rest.data + g->rest.length;
  for (uint32_t leaf = 0; leaf < leaves; leaf++) {
    const size_t stream = first_stream + leaf;
    unsigned char *start = to;
    if (g->kinds[stream] == STREAM_RAW)
      to = encode_raw(g, c, leaf, &g->firsts[stream], to);
    else if (g->kinds[stream] == STREAM_ITEM)
      to = encode_item_bases(g, c, leaf, &g->firsts[stream], to);
    g->rest_lengths[stream] = (uint32_t)(to - start);
  }
  g->rest.length = (size_t)(to - g->rest.data);
  return 0;
}

/* Refuses what readers would refuse. */
static int check_group(const struct group *g, uint32_t id, struct error *error) {
  uint64_t values = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    const struct trace_path *path = c->plan->path;
    values += (uint64_t)c->count * path->leaf_count;
    for (uint32_t leaf = 0; c->any_raw && leaf < path->leaf_count; leaf++)
      values += c->raw[leaf].on ? c->count * (path->leaves[leaf].executions - 1) : 0;
    if (c->plan->path->barrier_executions != g->cohorts[0].plan->path->barrier_executions)
      return error_set(error, ERROR_INPUT,
                       "work-group %u: work-items pass different numbers of barriers (%llu and %llu): every work-item "
                       "of a work-group has to reach each barrier",
                       id, (unsigned long long)g->cohorts[0].plan->path->barrier_executions,
                       (unsigned long long)c->plan->path->barrier_executions);
  }
  if (values > LIMIT_VALUES)
    return error_set(error, ERROR_WORK,
                     "work-group %u: found %llu irregular addresses, expected at most %llu: trace a smaller launch", id,
                     (unsigned long long)values, (unsigned long long)LIMIT_VALUES);
  return 0;
}

/* Of all cohorts; false: more than 2^64. */
static bool count_all(struct group *g, struct group_description *out) {
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    uint64_t more;
    if (__builtin_mul_overflow(c->plan->path->op_executions, (uint64_t)c->count, &more) ||
        __builtin_add_overflow(out->instructions, more, &out->instructions))
      return false;
    out->stream_count += c->plan->leaf_count;
    g->plans[i] = c->plan;
  }
  return true;
}

int group_describe(struct group *g, uint32_t id, struct group_description *out, struct error *error) {
  *out = (struct group_description){.cohort_count = g->cohort_count};
  if (!count_all(g, out))
    return error_set(error, ERROR_WORK, "trace writer: more than 2^64 instructions");
  if (check_group(g, id, error) != 0 || reserve_streams(g, out->stream_count, error) != 0 ||
      encode_shape(g, error) != 0)
    return -1;
  g->rest.length = 0;
  size_t stream = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[g->order[i]];
    if (encode_values(g, c, stream, error) != 0)
      return -1;
    stream += c->plan->leaf_count;
  }
  out->plans = g->plans;
  out->order = g->order;
  out->shape = g->record.data;
  out->shape_length = g->record.length;
  out->firsts = g->firsts;
  out->rest_lengths = g->rest_lengths;
  out->rest = g->rest.data;
  out->rest_length = g->rest.length;
  return 0;
}

static struct shape_entry *find_shape(const struct group_description *d, struct shape_table *shapes,
                                      struct bytes *record) {
  record->length = 0;
  if (!bytes_reserve(record, ((size_t)d->cohort_count + 1) * BYTES_VARINT_MAX + d->shape_length))
    return NULL;
  unsigned char *to = varint_put(record->data, d->cohort_count);
  for (uint32_t i = 0; i < d->cohort_count; i++)
    to = varint_put(to, d->plans[d->order[i]]->id);
  memcpy(to, d->shape, d->shape_length);
  record->length = (size_t)(to - record->data) + d->shape_length;
  return shape_table_find(shapes, record, d->stream_count);
}

/* The cohort's streams from number `stream` on; the place behind its last byte. *rest moves along. */
static unsigned char *write_cohort(const struct group_description *d, const struct plan *plan, size_t stream,
                                   struct shape_entry *shape, uint32_t *last, const unsigned char **rest,
                                   unsigned char *to) {
  for (uint32_t leaf = 0; leaf < plan->leaf_count; leaf++, stream++) {
    const uint32_t first = d->firsts[stream], length = d->rest_lengths[stream];
    uint32_t *last_of_op = &last[plan->leaf_op[leaf]];
    to = put_difference(to, first, shape->met ? shape->before[stream] : *last_of_op);
    shape->before[stream] = *last_of_op = first;
    if (length == 0)
      continue;
    memcpy(to, *rest, length);
    to += length;
    *rest += length;
  }
  return to;
}

int group_write(const struct group_description *d, struct shape_table *shapes, struct group_before *before,
                struct bytes *out, struct error *error) {
  struct shape_entry *shape = find_shape(d, shapes, &before->record);
  if (shape == NULL || !bytes_reserve(out, (d->stream_count + (size_t)2) * BYTES_VARINT_MAX + d->rest_length))
    return no_memory(error);
  if (shape->id >= LIMIT_SHAPES)
    return error_set(error, ERROR_WORK, "more than %u different work-groups: trace a smaller launch", LIMIT_SHAPES);
  unsigned char *to = put_zigzag(out->data + out->length, (int64_t)shape->id - before->shape);
  const unsigned char *rest = d->rest;
  size_t stream = 0;
  for (uint32_t i = 0; i < d->cohort_count; i++) {
    const struct plan *plan = d->plans[d->order[i]];
    to = write_cohort(d, plan, stream, shape, before->last, &rest, to);
    stream += plan->leaf_count;
  }
  out->length = (size_t)(to - out->data);
  shape->met = true;
  before->shape = shape->id;
  return 0;
}
