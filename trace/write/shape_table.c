#include "trace/write/shape_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/format/limits.h"

static struct shape_entry *known_shape(const struct shape_table *t, const struct bytes *record, uint64_t hash) {
  for (uint32_t at = hash_table_first(&t->by_hash, hash), i;
       (i = hash_table_next(&t->by_hash, hash, &at)) != HASH_INDEX_NONE;) {
    struct shape_entry *e = t->entries[i];
    if (e->length == record->length && memcmp(e->record, record->data, e->length) == 0)
      return e;
  }
  return NULL;
}

struct shape_entry *shape_table_find(struct shape_table *t, const struct bytes *record, size_t streams) {
  const uint64_t hash = hash_bytes(record->data, record->length);
  struct shape_entry *e = known_shape(t, record, hash);
  if (e)
    return e;
  e = pool_take(&t->pool, sizeof *e + streams * sizeof *e->before + record->length);
  bytes_append(&t->fresh, record->data, record->length);
  if (!e || t->fresh.failed || !array_room_for_one(&t->entries, t->by_hash.count, sizeof *t->entries) ||
      !hash_table_add(&t->by_hash, hash, t->by_hash.count))
    return NULL;
  t->entries[t->by_hash.count - 1] = e;
  *e = (struct shape_entry){.id = t->next_id, .length = record->length};
  e->record = (unsigned char *)(e->before + streams);
  memcpy(e->record, record->data, record->length);
  t->next_id++;
  t->fresh_count++;
  t->memory += sizeof *e + e->length + streams * sizeof *e->before;
  return e;
}

static void empty_table(struct shape_table *t) {
  pool_clear(&t->pool);
  hash_table_clear(&t->by_hash);
  free(t->entries);
  t->entries = NULL;
  t->memory = 0;
}

void shape_table_trim(struct shape_table *t) {
  if (t->memory > WRITER_TABLE_BYTES)
    empty_table(t);
}

void shape_table_clear(struct shape_table *t) {
  empty_table(t);
  bytes_clear(&t->fresh);
  *t = (struct shape_table){0};
}
