#include "trace/path/path_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/format/limits.h"

struct named_path {
  uint32_t id;
  size_t length;
  unsigned char record[];
};

struct source_path {
  struct path_name name;
  bool named; /* name.id is valid while the names' `emptied` equals the next member */
  uint64_t emptied;
  struct path_record record;
};

static int no_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory for the table of paths");
}

static int new_id(struct path_names *n, const struct path_record *record, uint32_t *id, struct error *error) {
  if (n->next_id == LIMIT_PATHS)
    return error_set(error, ERROR_WORK, "more than %u different paths: trace a smaller launch", LIMIT_PATHS);
  struct named_path *path = pool_take(&n->pool, sizeof *path + record->length);
  bytes_append(&n->fresh, record->bytes, record->length);
  if (!path || n->fresh.failed || !array_room_for_one(&n->paths, n->by_hash.count, sizeof *n->paths) ||
      !hash_table_add(&n->by_hash, record->hash, n->by_hash.count))
    return no_memory(error);
  n->paths[n->by_hash.count - 1] = path;
  *path = (struct named_path){n->next_id++, record->length};
  memcpy(path->record, record->bytes, record->length);
  n->fresh_count++;
  n->memory += sizeof *path + record->length;
  *id = path->id;
  return 0;
}

int path_names_id(struct path_names *n, const struct path_record *record, uint32_t *id, struct error *error) {
  for (uint32_t at = hash_table_first(&n->by_hash, record->hash), i;
       (i = hash_table_next(&n->by_hash, record->hash, &at)) != HASH_INDEX_NONE;) {
    const struct named_path *path = n->paths[i];
    if (path->length == record->length && memcmp(path->record, record->bytes, record->length) == 0) {
      *id = path->id;
      return 0;
    }
  }
  return new_id(n, record, id, error);
}

static void empty_table(struct path_names *n) {
  hash_table_clear(&n->by_hash);
  free(n->paths);
  n->paths = NULL;
  pool_clear(&n->pool);
  n->memory = 0;
  n->emptied++;
}

void path_names_trim(struct path_names *n) {
  if (n->memory > WRITER_TABLE_BYTES)
    empty_table(n);
}

void path_names_clear(struct path_names *n) {
  empty_table(n);
  bytes_clear(&n->fresh);
  *n = (struct path_names){0};
}

void path_source_begin(struct path_source *s, uint32_t first) {
  if (s->first != first)
    pool_empty(&s->pool);
  s->first = first;
}

int path_source_add(struct path_source *s, uint32_t number, const struct path_record *record, uint32_t site_count,
                    const uint32_t *site_op, struct error *error) {
  const size_t place = number - s->first, ops = site_count * sizeof *site_op;
  char *copy = pool_take(&s->pool, ops + record->length);
  if (!copy || !array_room(&s->paths, &s->capacity, place + 1, sizeof *s->paths))
    return no_memory(error);
  if (ops > 0)
    memcpy(copy, site_op, ops);
  memcpy(copy + ops, record->bytes, record->length);
  s->paths[place] = (struct source_path){
      .name = {.site_count = site_count, .site_op = (const uint32_t *)(const void *)copy},
      .record = {record->hash, record->length, (const unsigned char *)copy + ops},
  };
  return 0;
}

const struct path_name *path_source_name(struct path_source *s, uint32_t number, struct path_names *names,
                                         struct error *error) {
  struct source_path *path = &s->paths[number - s->first];
  if (path->named && path->emptied == names->emptied)
    return &path->name;
  path->named = path_names_id(names, &path->record, &path->name.id, error) == 0;
  path->emptied = names->emptied;
  return path->named ? &path->name : NULL;
}

void path_source_clear(struct path_source *s) {
  free(s->paths);
  pool_clear(&s->pool);
  *s = (struct path_source){0};
}
