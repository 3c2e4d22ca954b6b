#include "trace/write/group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/spill.h"
#include "trace/write/group_streams.h"
#include "trace/format/limits.h"

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
  g->runs = malloc(size * sizeof *g->runs);
  g->numbers = malloc(size * sizeof *g->numbers);
  g->sorting = malloc(size * sizeof *g->sorting);
  g->keys = malloc(size * sizeof *g->keys);
  g->plans = malloc(size * sizeof *g->plans);
  g->columns = calloc(plane, sizeof *g->columns);
  if (!g->cohort_of_item || !g->places || !g->order || !g->rank || !g->runs || !g->numbers || !g->sorting || !g->keys ||
      !g->plans || !g->columns) {
    group_clear(g);
    return error_set(error, ERROR_WORK, "out of memory for a work-group of %u work-items", size);
  }
  number_items(g);
  return 0;
}

#define KEEP_BYTES (16u << 20) /* a cohort with more memory frees it after the work-group */

void group_reset(struct group *g) {
  for (uint32_t i = 0; i < g->cohort_count; i++)
    if (i >= 1024 || cohort_memory(&g->cohorts[i]) > KEEP_BYTES)
      cohort_clear(&g->cohorts[i]);
  g->cohort_count = g->item_count = g->run_count = 0;
  g->ascending = true;
  g->serial++;
  memset(g->cohort_of_item, 0xff, g->local_size * sizeof *g->cohort_of_item);
}

void group_clear(struct group *g) {
  for (size_t i = 0; i < g->cohort_capacity; i++)
    cohort_clear(&g->cohorts[i]);
  free(g->cohorts);
  free(g->cohort_of_item);
  free(g->order);
  free(g->rank);
  free(g->places);
  free(g->runs);
  free(g->numbers);
  free(g->sorting);
  free(g->keys);
  free(g->columns);
  free(g->plans);
  spill_free(g->gathered, g->gathered_capacity * sizeof *g->gathered);
  bytes_clear(&g->record);
  *g = (struct group){0};
}

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for a work-group's trace");
}

static bool begin_streams(struct group *g, struct bytes *to) {
  const size_t bytes = g->stream_count * (sizeof *g->firsts + sizeof *g->rest_lengths);
  if (!bytes_reserve(to, bytes + 1)) /* there may be no streams, but the pointer must not be NULL */
    return false;
  g->to = to;
  g->streams_at = to->length;
  to->length += bytes;
  group_find_streams(g);
  return true;
}

/* Orders cohorts by their first work-item. */
static void order_cohorts(struct group *g) {
  uint32_t next = 0;
  if (g->ascending) { /* the cohorts are then in this order already */
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

/* Finds runs of work-items of one cohort in order of local id. */
static void find_runs(struct group *g) {
  g->run_count = 0;
  for (uint32_t i = 0; i < g->local_size;) {
    const uint32_t cohort = g->cohort_of_item[i];
    uint32_t end = i + 1;
    while (end < g->local_size && g->cohort_of_item[end] == cohort)
      end++;
    g->runs[g->run_count++] = (struct run){cohort, end - i};
    i = end;
  }
}

static bool encode_runs(struct group *g) {
  if (!g->ascending)
    find_runs(g);
  if (!bytes_reserve(&g->record, ((size_t)g->run_count + 1) * 2 * BYTES_VARINT_MAX))
    return false;
  unsigned char *to = g->record.data + g->record.length;
  for (uint32_t i = 0; i < g->run_count; i++) {
    to = varint_put(to, g->rank[g->runs[i].cohort]);
    to = varint_put(to, g->runs[i].count - 1);
  }
  g->record.length = (size_t)(to - g->record.data);
  return true;
}

static int encode_cohorts(struct group *g, struct error *error) {
  g->record.length = 0;
  order_cohorts(g);
  if (!encode_runs(g))
    return no_memory(error);
  size_t stream = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[g->order[i]];
    if (group_encode_streams(g, c, stream, error) != 0)
      return -1;
    stream += c->plan->site_count;
    g->plans[i] = c->plan;
  }
  return g->record.failed ? no_memory(error) : 0;
}

/* Returns an upper bound of the count of numbers that are written for the work-group. */
static uint64_t count_values(const struct group *g) {
  uint64_t values = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    const struct trace_path *path = c->plan->path;
    values += (uint64_t)c->count * path->site_count;
    for (uint32_t site = 0; c->any_raw && site < path->site_count; site++)
      values += cohort_site_is_raw(c, site) ? c->count * (trace_nest_of(path, site)->executions - 1) : 0;
  }
  return values;
}

static int other_barriers(uint32_t id, uint64_t a, uint64_t b, struct error *error) {
  return error_set(error, ERROR_INPUT,
                   "work-group %u: work-items pass different numbers of barriers (%llu and %llu): every work-item of a "
                   "work-group has to reach each barrier",
                   id, (unsigned long long)a, (unsigned long long)b);
}

/* Counts streams and instructions of all cohorts. Refuses a work-group that readers would refuse. */
static int count_all(struct group *g, uint32_t id, struct group_description *out, struct error *error) {
  uint64_t addresses = 0;
  for (uint32_t i = 0; i < g->cohort_count; i++) {
    const struct cohort *c = &g->cohorts[i];
    const struct plan *plan = c->plan;
    uint64_t more;
    if (__builtin_mul_overflow(plan->op_executions, (uint64_t)c->count, &more) ||
        __builtin_add_overflow(out->instructions, more, &out->instructions))
      return error_set(error, ERROR_WORK, "trace writer: more than 2^64 instructions");
    if (plan->barrier_executions != g->cohorts[0].plan->barrier_executions)
      return other_barriers(id, g->cohorts[0].plan->barrier_executions, plan->barrier_executions, error);
    addresses += (uint64_t)c->count * plan->address_count;
    if (plan->site_count > LIMIT_SITES - out->stream_count)
      return error_set(error, ERROR_WORK,
                       "work-group %u: its work-items' ways have more than %u places with accesses: trace a smaller "
                       "launch",
                       id, LIMIT_SITES);
    out->stream_count += plan->site_count;
  }
  const uint64_t values =
      addresses > LIMIT_VALUES ? count_values(g) : 0; /* there are never more numbers than addresses */
  if (values > LIMIT_VALUES)
    return error_set(error, ERROR_WORK,
                     "work-group %u: found %llu irregular addresses, expected at most %llu: trace a smaller launch", id,
                     (unsigned long long)values, (unsigned long long)LIMIT_VALUES);
  return 0;
}

int group_describe(struct group *g, uint32_t id, struct bytes *to, struct group_description *out, struct error *error) {
  *out = (struct group_description){.cohort_count = g->cohort_count};
  if (count_all(g, id, out, error) != 0)
    return -1;
  g->stream_count = out->stream_count;
  if (!begin_streams(g, to))
    return no_memory(error);
  if (encode_cohorts(g, error) != 0)
    return -1;
  out->shape = g->record.data;
  out->shape_length = g->record.length;
  out->firsts = g->firsts;
  out->rest_lengths = g->rest_lengths;
  out->rest = (const unsigned char *)(g->rest_lengths + g->stream_count);
  out->rest_length = (size_t)(to->data + to->length - out->rest);
  return 0;
}
