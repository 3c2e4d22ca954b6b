#include "tracegen/program/capture/capture_uninitialised.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct uninitialised_buffer *find(const struct uninitialised *u, uint64_t id) {
  for (size_t i = u->count; i-- > 0;)
    if (u->list[i].id == id)
      return &u->list[i];
  return NULL;
}

static int mark_gaps(const json_t *gaps, char *marks, size_t bytes, const char *place, struct error *error) {
  for (size_t i = 0; i < json_array_size(gaps); i++) {
    const json_t *gap = json_array_get(gaps, i);
    const json_int_t offset = json_integer_value(json_array_get(gap, 0));
    const json_int_t length = json_integer_value(json_array_get(gap, 1));
    if (json_array_size(gap) != 2 || offset < 0 || length < 0 || (uint64_t)offset > bytes ||
        (uint64_t)length > bytes - (uint64_t)offset)
      return error_at(error, ERROR_WORK, place, 0, 0, "undefined",
                      "found bytes %lld to %lld, expected a part of %zu bytes", (long long)offset,
                      (long long)(offset + length), bytes);
    memset(marks + offset, 1, (size_t)length);
  }
  return 0;
}

int uninitialised_find(const struct uninitialised *u, uint64_t id, const json_t *gaps, size_t bytes, const char *place,
                       char **out, struct error *error) {
  const struct uninitialised_buffer *known = find(u, id);
  *out = NULL;
  if (!gaps || (known && !known->bytes))
    return 0;
  char *marks = calloc(bytes + 1, 1);
  if (!marks)
    return error_no_memory(error);
  if (mark_gaps(gaps, marks, bytes, place, error)) {
    free(marks);
    return -1;
  }
  for (size_t i = 0; known && i < bytes; i++)
    marks[i] &= known->bytes[i];
  *out = marks;
  return 0;
}

static struct uninitialised_buffer *add(struct uninitialised *u, uint64_t id) {
  if (!array_room(&u->list, &u->capacity, u->count + 1, sizeof *u->list))
    return NULL;
  u->list[u->count] = (struct uninitialised_buffer){.id = id};
  return &u->list[u->count++];
}

int uninitialised_keep(struct uninitialised *u, uint64_t id, const char *bytes, size_t count, struct error *error) {
  struct uninitialised_buffer *known = find(u, id);
  if (!known && !(known = add(u, id)))
    return error_no_memory(error);
  free(known->bytes);
  known->bytes = NULL;
  if (!bytes || !memchr(bytes, 1, count))
    return 0;
  known->bytes = malloc(count);
  if (!known->bytes)
    return error_no_memory(error);
  memcpy(known->bytes, bytes, count);
  return 0;
}

void uninitialised_clear(struct uninitialised *u) {
  for (size_t i = 0; i < u->count; i++)
    free(u->list[i].bytes);
  free(u->list);
  *u = (struct uninitialised){0};
}
