#include "tracegen/program/timeline/busy_times.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct busy_times *t) {
  if (t->count < t->room)
    return true;
  const size_t room = t->room > 0 ? 2 * t->room : 16;
  struct busy_time *items = realloc(t->items, room * sizeof *items);
  if (!items)
    return false;
  t->items = items;
  t->room = room;
  return true;
}

bool busy_times_take(struct busy_times *t, int64_t ready, int64_t ns, uint32_t command, int64_t *start) {
  size_t i = 0;
  *start = ready;
  if (ns == 0)
    return true;
  if (!make_room(t))
    return false;
  for (; i < t->count && t->items[i].start < *start + ns; i++)
    if (t->items[i].end > *start)
      *start = t->items[i].end;
  memmove(&t->items[i + 1], &t->items[i], (t->count - i) * sizeof *t->items);
  t->items[i] = (struct busy_time){*start, *start + ns, command};
  t->count++;
  return true;
}

void busy_times_forget(struct busy_times *t, int64_t now) {
  size_t past = 0;
  while (past < t->count && t->items[past].end <= now)
    past++;
  if (past == 0)
    return;
  t->count -= past;
  memmove(t->items, t->items + past, t->count * sizeof *t->items);
}

const struct busy_time *busy_times_at(const struct busy_times *t, int64_t at, int64_t *until) {
  size_t i = 0;
  while (i < t->count && t->items[i].end <= at)
    i++;
  *until = INT64_MAX;
  if (i == t->count)
    return NULL;
  const bool busy = t->items[i].start <= at;
  *until = busy ? t->items[i].end : t->items[i].start;
  return busy ? &t->items[i] : NULL;
}

void busy_times_clear(struct busy_times *t) {
  free(t->items);
  *t = (struct busy_times){0};
}
