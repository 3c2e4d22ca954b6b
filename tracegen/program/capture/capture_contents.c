#include "tracegen/program/capture/capture_contents.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define MOST_NUMBERS ((uint64_t)1 << 32) /* a program that captures more would run for years */

char *contents_path(const char *folder, uint64_t number) {
  return text_format("%s/content-%" PRIu64, folder, number);
}

/* Returns the list with room for entry `index`; new entries are zero. NULL: error, and the list is as it was. */
static void *grow(void *list, size_t *count, uint64_t index, size_t size, struct error *error) {
  if (index < *count)
    return list;
  const size_t more = (size_t)index + 1 + *count;
  char *larger = index < MOST_NUMBERS ? realloc(list, more * size) : NULL;
  if (!larger) {
    error_set(error, ERROR_WORK, "no memory for number %" PRIu64 " of the capture", index);
    return NULL;
  }
  memset(larger + *count * size, 0, (more - *count) * size);
  *count = more;
  return larger;
}

void contents_drop(struct contents *c, uint64_t number) {
  if (number == 0 || number >= c->count || c->list[number].uses == 0 || --c->list[number].uses > 0)
    return;
  char *path = contents_path(c->folder, number);
  if (path && unlink(path) == 0)
    atomic_fetch_add(&c->control->freed_bytes, c->list[number].bytes);
  free(path);
}

void contents_forget(struct contents *c, uint64_t buffer) {
  if (buffer >= c->buffers)
    return;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = 0;
}

static int make_room(struct contents *c, uint64_t buffer, uint64_t number, struct error *error) {
  struct content *list = grow(c->list, &c->count, number, sizeof *list, error);
  if (!list)
    return -1;
  c->list = list;
  uint64_t *last = grow(c->last, &c->buffers, buffer, sizeof *last, error);
  if (!last)
    return -1;
  c->last = last;
  return 0;
}

int contents_use(struct contents *c, uint64_t buffer, uint64_t number, uint64_t bytes, struct error *error) {
  if (make_room(c, buffer, number, error))
    return -1;
  c->list[number].bytes = bytes;
  c->list[number].uses++;
  if (c->last[buffer] == number)
    return 0;
  contents_drop(c, c->last[buffer]);
  c->last[buffer] = number;
  c->list[number].uses++;
  return 0;
}

void contents_clear(struct contents *c) {
  free(c->list);
  free(c->last);
  *c = (struct contents){0};
}
