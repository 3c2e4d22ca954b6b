#include "trace/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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

/* Bytes: a head; words: the streams' first numbers and lengths, the shape's order, the cohorts' paths and the numbers
 * of steps of those that are new; the new paths; the shape; the other numbers. */

struct record_head {
  uint64_t instructions, shape_length, rest_length;
  uint32_t cohort_count, stream_count, first_path, unused;
};

struct known_path {
  struct plan *plan;
  uint64_t forgotten; /* the table's, when `plan` was found there */
  uint64_t hash;
  struct trace_step *steps; /* NULL: not told of */
  uint32_t step_count;
};

static void pack_words(struct bytes *out, const uint32_t *words, size_t count) {
  bytes_append(out, words, count * sizeof *words);
}

static void pack_paths(const struct group_description *d, struct bytes *out) {
  const size_t length = d->cohort_count * sizeof(uint32_t);
  if (!bytes_reserve(out, 2 * length))
    return;
  for (uint32_t i = 0; i < d->cohort_count; i++) {
    const struct plan *plan = d->plans[i];
    unsigned char *id = out->data + out->length + i * sizeof(uint32_t);
    memcpy(id, &plan->id, sizeof(uint32_t));
    memcpy(id + length, &(uint32_t){plan->sent ? 0 : plan->path->step_count}, sizeof(uint32_t));
  }
  out->length += 2 * length;
}

void record_pack(const struct group_description *d, const struct path_table *paths, struct bytes *out) {
  const struct record_head head = {
      d->instructions, d->shape_length, d->rest_length, d->cohort_count, d->stream_count, paths->first_id, 0};
  bytes_append(out, &head, sizeof head);
  pack_words(out, d->firsts, d->stream_count);
  pack_words(out, d->rest_lengths, d->stream_count);
  pack_words(out, d->order, d->cohort_count);
  pack_paths(d, out);
  for (uint32_t i = 0; i < d->cohort_count; i++) {
    struct plan *plan = d->plans[i];
    if (plan->sent)
      continue;
    bytes_append(out, &plan->hash, sizeof plan->hash);
    bytes_append(out, plan->path->steps, plan->path->step_count * sizeof *plan->path->steps);
    plan->sent = true;
  }
  bytes_append(out, d->shape, d->shape_length);
  bytes_append(out, d->rest, d->rest_length);
}

static const void *take(struct byte_reader *r, size_t length) {
  const void *at = r->at;
  if (reader_left(r) < length)
    r->bad = true;
  else
    r->at += length;
  return r->bad ? NULL : at;
}

static void forget_known(struct path_source *s) {
  for (size_t i = 0; i < s->count; i++)
    free(s->paths[i].steps);
  s->count = 0;
}

void path_source_clear(struct path_source *s) {
  forget_known(s);
  free(s->paths);
  free(s->plans);
  *s = (struct path_source){0};
}

/* The place of a path; NULL: it cannot be one, or there is no memory. */
static struct known_path *known_place(struct path_source *s, uint32_t id) {
  const size_t place = id - s->first;
  if (id < s->first || place > LIMIT_PATHS || !array_room(&s->paths, &s->capacity, place + 1, sizeof *s->paths))
    return NULL;
  if (place >= s->count) {
    memset(s->paths + s->count, 0, (place + 1 - s->count) * sizeof *s->paths);
    s->count = place + 1;
  }
  return &s->paths[place];
}

static bool learn_path(struct known_path *k, struct byte_reader *r, uint32_t step_count) {
  const size_t bytes = step_count * sizeof *k->steps;
  const void *hash = take(r, sizeof k->hash), *steps = take(r, bytes);
  if (steps == NULL || k->steps != NULL || (k->steps = malloc(bytes)) == NULL)
    return false;
  memcpy(&k->hash, hash, sizeof k->hash);
  memcpy(k->steps, steps, bytes);
  k->step_count = step_count;
  return true;
}

/* The plan in the writer's own table, which may have forgotten it since. */
static struct plan *plan_of(struct known_path *k, struct path_table *paths, const struct trace_code *code,
                            struct error *error) {
  if (k->plan != NULL && k->forgotten == paths->forgotten)
    return k->plan;
  const size_t bytes = k->step_count * sizeof *k->steps;
  struct trace_step *steps = k->steps != NULL ? malloc(bytes) : NULL;
  if (steps == NULL)
    return NULL;
  memcpy(steps, k->steps, bytes);
  k->plan = path_table_take(paths, code, steps, k->step_count, k->hash, error);
  k->forgotten = paths->forgotten;
  return k->plan;
}

static bool take_plans(struct path_source *s, struct path_table *paths, const struct trace_code *code,
                       struct byte_reader *r, uint32_t count, struct error *error) {
  const uint32_t *ids = take(r, count * sizeof *ids), *step_counts = take(r, count * sizeof *step_counts);
  if (step_counts == NULL || !array_room(&s->plans, &s->plan_capacity, count, sizeof(struct plan *)))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    struct known_path *k = known_place(s, ids[i]);
    if (k == NULL || (step_counts[i] > 0 && !learn_path(k, r, step_counts[i])) ||
        (s->plans[i] = plan_of(k, paths, code, error)) == NULL)
      return false;
  }
  return true;
}

/* Whether streams and numbers are as many as the paths and lengths say. */
static bool fits(const struct group_description *d) {
  uint64_t streams = 0, rest = 0;
  for (uint32_t i = 0; i < d->cohort_count; i++) {
    if (d->order[i] >= d->cohort_count)
      return false;
    streams += d->plans[d->order[i]]->leaf_count;
  }
  for (uint32_t i = 0; i < d->stream_count; i++)
    rest += d->rest_lengths[i];
  return streams == d->stream_count && rest == d->rest_length;
}

int record_unpack(struct path_source *s, struct path_table *paths, const struct trace_code *code, const void *data,
                  size_t length, struct group_description *out, struct error *error) {
  struct byte_reader r = {.at = data, .end = (const unsigned char *)data + length};
  const struct record_head *head = take(&r, sizeof *head);
  bool whole = head != NULL;
  if (whole) {
    *out = (struct group_description){.instructions = head->instructions,
                                      .shape_length = (size_t)head->shape_length,
                                      .rest_length = (size_t)head->rest_length,
                                      .cohort_count = head->cohort_count,
                                      .stream_count = head->stream_count};
    if (head->first_path != s->first) {
      forget_known(s);
      s->first = head->first_path;
    }
    out->firsts = take(&r, out->stream_count * sizeof *out->firsts);
    out->rest_lengths = take(&r, out->stream_count * sizeof *out->rest_lengths);
    out->order = take(&r, out->cohort_count * sizeof *out->order);
    whole = !r.bad && take_plans(s, paths, code, &r, out->cohort_count, error);
    out->plans = s->plans;
    out->shape = take(&r, out->shape_length);
    out->rest = take(&r, out->rest_length);
  }
  return whole && !r.bad && reader_left(&r) == 0 && fits(out)
             ? 0
             : error_set(error, ERROR_WORK,
                         "the record of a work-group did not arrive whole, or there is no memory for it");
}
