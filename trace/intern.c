#include "trace/intern.h"

#include <stdlib.h>
#include <string.h>

#include "trace/limits.h"
#include "trace/path.h"

static uint64_t mix_in(uint64_t hash, const unsigned char *at) {
  uint64_t word;
  memcpy(&word, at, 8);
  hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
  return hash ^ hash >> 32;
}

/* Eight bytes a step, mixed as in MurmurHash3's finalizer; quality only matters for speed. Four chains beside each
 * other where it is long, because a multiplication has to wait for the one before. The last step may take bytes again.
 */
static uint64_t hash_of(const void *data, size_t length) {
  const unsigned char *at = data, *end = at + length;
  uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), b = 1, c = 2, d = 3;
  for (; end - at >= 128; at += 32) {
    hash = mix_in(hash, at);
    b = mix_in(b, at + 8);
    c = mix_in(c, at + 16);
    d = mix_in(d, at + 24);
  }
  hash ^= b * 3 + c * 5 + d * 7;
  for (; end - at > 8; at += 8)
    hash = mix_in(hash, at);
  if (length >= 8)
    hash = mix_in(hash, end - 8);
  else
    for (; at < end; at++)
      hash = (hash ^ *at) * UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 29);
}

static struct intern_slot *slot_for(struct intern_slot *slots, size_t slot_count, uint64_t hash) {
  size_t i = hash & (slot_count - 1);
  while (slots[i].entry != NULL)
    i = (i + 1) & (slot_count - 1);
  return &slots[i];
}

static bool double_slots(struct intern_slot **slots, size_t *slot_count) {
  const size_t more = *slot_count ? 2 * *slot_count : 256;
  struct intern_slot *grown = calloc(more, sizeof *grown);
  if (grown == NULL)
    return false;
  for (size_t i = 0; i < *slot_count; i++)
    if ((*slots)[i].entry != NULL)
      *slot_for(grown, more, (*slots)[i].hash) = (*slots)[i];
  free(*slots);
  *slots = grown;
  *slot_count = more;
  return true;
}

static void record_path(struct path_table *t, const struct trace_path *path) {
  if (!bytes_reserve(&t->fresh, (2 * (size_t)path->step_count + 1) * BYTES_VARINT_MAX))
    return;
  unsigned char *to = varint_put(t->fresh.data + t->fresh.length, path->step_count);
  for (uint32_t i = 0; i < path->step_count; i++) {
    const struct trace_step *s = &path->steps[i];
    if (s->body == 0) {
      to = varint_put(to, (uint64_t)s->block << 1);
    } else {
      to = varint_put(to, (uint64_t)s->body << 1 | 1);
      to = varint_put(to, s->repeat - 2);
    }
  }
  t->fresh.length = (size_t)(to - t->fresh.data);
  t->fresh_count++;
}

/* Folds; unrolled when two different nodes shared a hash. */
static struct trace_path *fold_path(struct path_table *t, const struct trace_code *code, const uint16_t *blocks,
                                    size_t count, struct error *error) {
  struct trace_step *steps = NULL;
  struct trace_path *path = NULL;
  uint32_t step_count = 0;
  if (fold_blocks(&t->fold, blocks, count, &steps, &step_count, error) != 0)
    return NULL;
  if (path_build(code, steps, step_count, SIZE_MAX, &path, NULL) == 0) {
    if (path_matches(path, blocks, count))
      return path;
    path_destroy(path);
  }
  if (fold_not(blocks, count, &steps, &step_count, error) != 0 ||
      path_build(code, steps, step_count, SIZE_MAX, &path, error) != 0)
    return NULL;
  return path;
}

/* Blocks that the plan of a sequence of `count` keeps. */
static size_t kept_raw(uint64_t count) {
  return count <= SHORT_BLOCKS ? (size_t)count : 0;
}

/* Takes the path over. The memory is counted as if the plan kept its blocks, known or not: tables of the same paths are
 * trimmed at the same work-groups. */
static struct plan *insert_path(struct path_table *t, const struct trace_code *code, struct trace_path *path,
                                uint64_t hash, const uint16_t *blocks, struct error *error) {
  if (t->next_id == LIMIT_PATHS || path->access_executions > PLAN_MOST_ADDRESSES) {
    if (t->next_id == LIMIT_PATHS)
      error_set(error, ERROR_WORK, "more than %u different paths: trace a smaller launch", LIMIT_PATHS);
    else
      error_set(error, ERROR_WORK, "a work-item makes %llu accesses, expected at most %u: trace a smaller launch",
                (unsigned long long)path->access_executions, PLAN_MOST_ADDRESSES);
    path_destroy(path);
    return NULL;
  }
  record_path(t, path);
  struct plan *plan = plan_create(code, path, t->next_id, hash, blocks);
  if (plan == NULL || t->fresh.failed ||
      (2 * (t->count + 1) > t->slot_count && !double_slots(&t->slots, &t->slot_count))) {
    plan_destroy(plan);
    error_set(error, ERROR_WORK, "out of memory for the table of paths");
    return NULL;
  }
  t->next_id++;
  *slot_for(t->slots, t->slot_count, hash) = (struct intern_slot){hash, plan};
  t->count++;
  t->memory += plan->memory + kept_raw(plan->block_count) * sizeof(uint16_t);
  return plan;
}

static struct plan *new_path(struct path_table *t, const struct trace_code *code, const uint16_t *blocks, size_t count,
                             uint64_t hash, struct error *error) {
  for (size_t i = 0; i < count; i++)
    if (blocks[i] >= code->block_count) {
      error_set(error, ERROR_WORK, "trace writer: found block %u, expected less than %u", blocks[i], code->block_count);
      return NULL;
    }
  struct trace_path *path = fold_path(t, code, blocks, count, error);
  const uint16_t *kept = kept_raw(count) > 0 ? blocks : NULL;
  return path != NULL ? insert_path(t, code, path, hash, kept, error) : NULL;
}

static bool is_sequence(const struct plan *plan, const uint16_t *blocks, size_t count) {
  if (plan->blocks == NULL)
    return path_matches(plan->path, blocks, count);
  return plan_keeps(plan, blocks, count);
}

static struct plan *known_path(const struct path_table *t, const uint16_t *blocks, size_t count, uint64_t hash) {
  if (t->slot_count == 0)
    return NULL;
  for (size_t i = hash & (t->slot_count - 1); t->slots[i].entry != NULL; i = (i + 1) & (t->slot_count - 1))
    if (t->slots[i].hash == hash && is_sequence(t->slots[i].entry, blocks, count))
      return t->slots[i].entry;
  return NULL;
}

static struct plan *recent_path(struct path_table *t, const uint16_t *blocks, size_t count) {
  for (size_t i = 0; i < RECENT_PATHS; i++) {
    struct recent_path *r = &t->recent[i];
    if (r->plan != NULL && r->count == count && memcmp(r->blocks, blocks, count * sizeof *blocks) == 0) {
      r->used = ++t->clock;
      return r->plan;
    }
  }
  return NULL;
}

/* Takes the place of the one not used for longest; without memory the sequence is just not remembered. */
static void remember(struct path_table *t, struct plan *plan, const uint16_t *blocks, size_t count) {
  struct recent_path *r = &t->recent[0];
  for (size_t i = 1; i < RECENT_PATHS; i++)
    if (t->recent[i].used < r->used)
      r = &t->recent[i];
  if (count > RECENT_BLOCKS)
    return;
  if (count > r->capacity) {
    uint16_t *more = realloc(r->blocks, count * sizeof *more);
    if (more == NULL)
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
  const uint64_t hash = hash_of(blocks, count * sizeof *blocks);
  struct plan *plan = known_path(t, blocks, count, hash);
  return plan != NULL ? plan : new_path(t, code, blocks, count, hash, error);
}

struct plan *path_table_find(struct path_table *t, const struct trace_code *code, const uint16_t *blocks, size_t count,
                             struct error *error) {
  if (count <= SHORT_BLOCKS) {
    struct plan *found = find_by_hash(t, code, blocks, count, error);
    *path_table_place(t, blocks, count) = found != NULL && found->blocks != NULL ? found : NULL;
    return found;
  }
  struct plan *plan = recent_path(t, blocks, count);
  if (plan != NULL)
    return plan;
  plan = find_by_hash(t, code, blocks, count, error);
  if (plan != NULL)
    remember(t, plan, blocks, count);
  return plan;
}

static bool same_steps(const struct trace_path *path, const struct trace_step *steps, uint32_t count) {
  if (path->step_count != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (path->steps[i].body != steps[i].body || path->steps[i].repeat != steps[i].repeat ||
        (steps[i].body == 0 && path->steps[i].block != steps[i].block))
      return false;
  return true;
}

struct plan *path_table_take(struct path_table *t, const struct trace_code *code, struct trace_step *steps,
                             uint32_t step_count, uint64_t hash, struct error *error) {
  for (size_t i = hash & (t->slot_count - 1); t->slot_count > 0 && t->slots[i].entry != NULL;
       i = (i + 1) & (t->slot_count - 1)) {
    struct plan *plan = t->slots[i].entry;
    if (t->slots[i].hash == hash && same_steps(plan->path, steps, step_count)) {
      free(steps);
      return plan;
    }
  }
  struct trace_path *path;
  return path_build(code, steps, step_count, SIZE_MAX, &path, error) == 0
             ? insert_path(t, code, path, hash, NULL, error)
             : NULL;
}

static void forget_paths(struct path_table *t) {
  for (size_t i = 0; i < t->slot_count; i++)
    plan_destroy(t->slots[i].entry);
  free(t->slots);
  t->slots = NULL;
  t->slot_count = t->count = t->memory = 0;
  t->first_id = t->next_id;
  t->forgotten++;
  memset(t->last, 0, sizeof t->last);
  for (size_t i = 0; i < RECENT_PATHS; i++) {
    t->recent[i].plan = NULL;
    t->recent[i].used = 0;
  }
}

void path_table_trim(struct path_table *t) {
  if (t->memory > INTERN_BYTES)
    forget_paths(t);
}

void path_table_clear(struct path_table *t) {
  forget_paths(t);
  for (size_t i = 0; i < RECENT_PATHS; i++)
    free(t->recent[i].blocks);
  fold_clear(&t->fold);
  bytes_clear(&t->fresh);
  *t = (struct path_table){0};
}

static struct shape_entry *known_shape(const struct shape_table *t, const struct bytes *record, uint64_t hash) {
  if (t->slot_count == 0)
    return NULL;
  for (size_t i = hash & (t->slot_count - 1); t->slots[i].entry != NULL; i = (i + 1) & (t->slot_count - 1)) {
    struct shape_entry *e = t->slots[i].entry;
    if (t->slots[i].hash == hash && e->length == record->length && memcmp(e->record, record->data, e->length) == 0)
      return e;
  }
  return NULL;
}

struct shape_entry *shape_table_find(struct shape_table *t, const struct bytes *record, size_t streams) {
  const uint64_t hash = hash_of(record->data, record->length);
  struct shape_entry *e = known_shape(t, record, hash);
  if (e != NULL)
    return e;
  if (2 * (t->count + 1) > t->slot_count && !double_slots(&t->slots, &t->slot_count))
    return NULL;
  e = pool_take(&t->pool, sizeof *e + streams * sizeof *e->before + record->length);
  bytes_append(&t->fresh, record->data, record->length);
  if (e == NULL || t->fresh.failed)
    return NULL;
  *e = (struct shape_entry){.id = t->next_id, .length = record->length};
  e->record = (unsigned char *)(e->before + streams);
  memcpy(e->record, record->data, record->length);
  t->next_id++;
  t->fresh_count++;
  *slot_for(t->slots, t->slot_count, hash) = (struct intern_slot){hash, e};
  t->count++;
  t->memory += sizeof *e + e->length + streams * sizeof *e->before;
  return e;
}

static void forget_shapes(struct shape_table *t) {
  pool_clear(&t->pool);
  free(t->slots);
  t->slots = NULL;
  t->slot_count = t->count = t->memory = 0;
}

void shape_table_trim(struct shape_table *t) {
  if (t->memory > INTERN_BYTES)
    forget_shapes(t);
}

void shape_table_clear(struct shape_table *t) {
  forget_shapes(t);
  bytes_clear(&t->fresh);
  *t = (struct shape_table){0};
}
