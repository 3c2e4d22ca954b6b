#include "trace/path/path_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/spill.h"
#include "trace/format/limits.h"
#include "trace/path/path.h"

/* Folds the sequence and builds its path. If two different nodes had the same hash, the path is unrolled. For want of
 * memory it is not: the same launch gives the same trace, or none. */
static struct trace_path *fold_path(struct path_table *t, const struct trace_code *code, const uint16_t *blocks,
                                    size_t count, struct error *error) {
  const struct trace_step *steps;
  struct trace_path *path;
  uint32_t step_count;
  if (fold_blocks(&t->fold, blocks, count, &steps, &step_count, error) != 0)
    return NULL;
  struct error reason = ERROR_INIT;
  if (path_build(code, steps, step_count, SIZE_MAX, &t->pool, &path, &reason) == 0 && path_matches(path, blocks, count))
    return path;
  if (reason.kind == ERROR_WORK) {
    error_set(error, ERROR_WORK, "%s", reason.text);
    return NULL;
  }
  return fold_not(&t->fold, blocks, count, &steps, &step_count, error) == 0 &&
                 path_build(code, steps, step_count, SIZE_MAX, &t->pool, &path, error) == 0
             ? path
             : NULL;
}

static struct plan *insert_path(struct path_table *t, const struct trace_code *code, const struct trace_path *path,
                                uint64_t hash, const uint16_t *blocks, struct error *error) {
  if (path->access_executions > PLAN_MOST_ADDRESSES) {
    error_set(error, ERROR_WORK, "a work-item makes %llu accesses, expected at most %u: trace a smaller launch",
              (unsigned long long)path->access_executions, PLAN_MOST_ADDRESSES);
    return NULL;
  }
  struct plan *plan = plan_create(code, path, t->next, hash, blocks, &t->pool);
  const uint32_t number = t->by_hash.count;
  if (!plan || !array_room_for_one(&t->plans, number, sizeof *t->plans) || !hash_table_add(&t->by_hash, hash, number)) {
    error_set(error, ERROR_WORK, "out of memory for the table of paths");
    return NULL;
  }
  t->plans[number] = plan;
  t->next++;
  t->memory += plan->memory;
  return plan;
}

static uint16_t largest_of(const uint16_t *blocks, size_t count) {
  uint16_t largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = blocks[i] > largest ? blocks[i] : largest;
  return largest;
}

static struct plan *new_path(struct path_table *t, const struct trace_code *code, const uint16_t *blocks, size_t count,
                             uint64_t hash, struct error *error) {
  const uint16_t largest = largest_of(blocks, count);
  if (count > 0 && largest >= code->block_count) {
    error_set(error, ERROR_WORK, "trace writer: found block %u, expected less than %u", largest, code->block_count);
    return NULL;
  }
  const struct trace_path *path = fold_path(t, code, blocks, count, error);
  const uint16_t *kept = count <= SHORT_BLOCKS ? blocks : NULL;
  return path ? insert_path(t, code, path, hash, kept, error) : NULL;
}

static bool is_sequence(const struct plan *plan, const uint16_t *blocks, size_t count) {
  if (!plan->blocks)
    return path_matches(plan->path, blocks, count);
  return plan_keeps(plan, blocks, count);
}

static struct plan *known_path(const struct path_table *t, const uint16_t *blocks, size_t count, uint64_t hash) {
  for (uint32_t at = hash_table_first(&t->by_hash, hash), i;
       (i = hash_table_next(&t->by_hash, hash, &at)) != HASH_INDEX_NONE;)
    if (is_sequence(t->plans[i], blocks, count))
      return t->plans[i];
  return NULL;
}

static struct plan *recent_path(struct path_table *t, const uint16_t *blocks, size_t count) {
  for (size_t i = 0; i < RECENT_PATHS; i++) {
    struct recent_path *r = &t->recent[i];
    if (r->plan && r->count == count && memcmp(r->blocks, blocks, count * sizeof *blocks) == 0) {
      r->used = ++t->clock;
      return r->plan;
    }
  }
  return NULL;
}

/* Replaces the recent sequence that was used least recently by this one. If memory runs out, the sequence is not
 * kept. */
static void remember(struct path_table *t, struct plan *plan, const uint16_t *blocks, size_t count) {
  struct recent_path *r = &t->recent[0];
  for (size_t i = 1; i < RECENT_PATHS; i++)
    if (t->recent[i].used < r->used)
      r = &t->recent[i];
  if (count > RECENT_BLOCKS)
    return;
  if (count > r->capacity) {
    uint16_t *more = spill_resize(r->blocks, r->capacity * sizeof *more, count * sizeof *more);
    if (!more)
      return;
    r->blocks = more;
    r->capacity = count;
  }
  memcpy(r->blocks, blocks, count * sizeof *blocks);
  r->count = count;
  r->plan = plan;
  r->used = ++t->clock;
}

static struct plan *find_by_hash(struct path_table *t, const struct trace_code *code, const uint16_t *blocks,
                                 size_t count, struct error *error) {
  const uint64_t hash = hash_bytes(blocks, count * sizeof *blocks);
  struct plan *plan = known_path(t, blocks, count, hash);
  t->met_again += plan != NULL;
  return plan ? plan : new_path(t, code, blocks, count, hash, error);
}

struct plan *path_table_find(struct path_table *t, const struct trace_code *code, const uint16_t *blocks, size_t count,
                             struct error *error) {
  if (count <= SHORT_BLOCKS) {
    struct plan *found = find_by_hash(t, code, blocks, count, error);
    *path_table_place(t, blocks, count) = found && found->blocks ? found : NULL;
    return found;
  }
  struct plan *plan = recent_path(t, blocks, count);
  if (plan)
    return plan;
  plan = find_by_hash(t, code, blocks, count, error);
  if (plan)
    remember(t, plan, blocks, count);
  return plan;
}

static void empty_table(struct path_table *t) {
  hash_table_clear(&t->by_hash);
  free(t->plans);
  t->plans = NULL;
  pool_empty(&t->pool);
  t->memory = t->met_again = 0;
  t->first = t->next;
  memset(t->last, 0, sizeof t->last);
  for (size_t i = 0; i < RECENT_PATHS; i++) {
    t->recent[i].plan = NULL;
    t->recent[i].used = 0;
  }
}

#define USELESS_BYTES (4u << 20) /* a table of fewer bytes is always kept */

void path_table_trim(struct path_table *t) {
  const bool useless = t->memory > USELESS_BYTES && t->met_again < t->by_hash.count / 4;
  if (useless || t->memory > WRITER_TABLE_BYTES)
    empty_table(t);
}

void path_table_clear(struct path_table *t) {
  empty_table(t);
  for (size_t i = 0; i < RECENT_PATHS; i++)
    spill_free(t->recent[i].blocks, t->recent[i].capacity * sizeof *t->recent[i].blocks);
  pool_clear(&t->pool);
  fold_clear(&t->fold);
  *t = (struct path_table){0};
}
