#include "trace/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/group_streams.h"
#include "trace/limits.h"

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
  free(g->gathered);
  bytes_clear(&g->record);
  bytes_clear(&g->rest);
  *g = (struct group){0};
}

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

static int reserve_streams(struct group *g, size_t streams, struct error *error) {
  if (streams <= g->stream_capacity)
    return 0;
  free(g->firsts);
  free(g->rest_lengths);
  g->stream_capacity = 0;
  g->firsts = malloc(streams * sizeof *g->firsts);
  g->rest_lengths = malloc(streams * sizeof *g->rest_lengths);
  if (g->firsts == NULL || g->rest_lengths == NULL)
    return no_memory(error);
  g->stream_capacity = streams;
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

static int encode_cohorts(struct group *g, struct error *error) {
  g->record.length = g->rest.length = 0;
  order_cohorts(g);
  if (!encode_runs(g))
    return no_memory(error);
  size_t stream = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[g->order[i]];
    if (group_encode_streams(g, c, stream, error) != 0)
      return -1;
    stream += c->plan->leaf_count;
  }
  return g->record.failed ? no_memory(error) : 0;
}

/* Numbers that are written of the work-group, at most. */
static uint64_t count_values(const struct group *g) {
  uint64_t values = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    const struct trace_path *path = c->plan->path;
    values += (uint64_t)c->count * path->leaf_count;
    for (uint32_t leaf = 0; c->any_raw && leaf < path->leaf_count; leaf++)
      values += c->raw[leaf].on ? c->count * (trace_nest_of(path, leaf)->executions - 1) : 0;
  }
  return values;
}

/* Refuses what readers would refuse. */
static int check_group(const struct group *g, uint32_t id, struct error *error) {
  const uint64_t barriers = g->cohorts[0].plan->path->barrier_executions;
  uint64_t addresses = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    const uint64_t passed = c->plan->path->barrier_executions;
    addresses += (uint64_t)c->count * c->plan->address_count;
    if (passed != barriers)
      return error_set(error, ERROR_INPUT,
                       "work-group %u: work-items pass different numbers of barriers (%llu and %llu): every work-item "
                       "of a work-group has to reach each barrier",
                       id, (unsigned long long)barriers, (unsigned long long)passed);
  }
  const uint64_t values = addresses > LIMIT_VALUES ? count_values(g) : 0; /* never more than there are addresses */
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
      encode_cohorts(g, error) != 0)
    return -1;
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
