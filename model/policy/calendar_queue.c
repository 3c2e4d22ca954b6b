#include "model/policy/calendar_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define DAYS      1024
#define FEW       24 /* entries that are sorted by insertion as fast as by qsort */
#define DAY_OF(t) ((t) & (DAYS - 1))

bool calendar_init(struct calendar_queue *queue, uint64_t year) {
  *queue = (struct calendar_queue){.days = calloc(DAYS, sizeof *queue->days)};
  /* The last day of a year must differ from the first, whatever the time of day. */
  while (year >> queue->shift > DAYS - 2)
    queue->shift++;
  return queue->days;
}

void calendar_clear(struct calendar_queue *queue) {
  for (int day = 0; day < DAYS && queue->days; day++)
    free(queue->days[day].entries);
  free(queue->days);
}

static bool is_before(const struct calendar_entry *a, const struct calendar_entry *b) {
  if (a->time != b->time)
    return a->time < b->time;
  return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

static int compare(const void *a, const void *b) {
  return is_before(b, a) - is_before(a, b);
}

/* Moves the last of `count` entries to its place among the others, which are sorted. */
static void insert_last(struct calendar_entry *entries, uint32_t count) {
  const struct calendar_entry entry = entries[count - 1];
  uint32_t at = count - 1;
  for (; at > 0 && is_before(&entry, &entries[at - 1]); at--)
    entries[at] = entries[at - 1];
  entries[at] = entry;
}

static void begin_day(struct calendar_queue *queue, uint64_t today) {
  queue->today = today;
  queue->served = 0;
  struct calendar_day *day = &queue->days[DAY_OF(today)];
  if (day->count > FEW)
    qsort(day->entries, day->count, sizeof *day->entries, compare);
  else
    for (uint32_t count = 2; count <= day->count; count++)
      insert_last(day->entries, count);
}

bool calendar_add(struct calendar_queue *queue, struct calendar_entry entry) {
  const uint64_t number = entry.time >> queue->shift;
  const uint64_t at = number > queue->today ? DAY_OF(number) : DAY_OF(queue->today);
  struct calendar_day *day = &queue->days[at];
  if (!array_room_u32(&day->entries, &day->capacity, (uint64_t)day->count + 1, sizeof *day->entries))
    return false;
  day->entries[day->count++] = entry;
  if (at == DAY_OF(queue->today))
    insert_last(day->entries + queue->served, day->count - queue->served);
  return true;
}

/* Ends today: the entries that are left belong to the same day of later years. */
static void end_day(struct calendar_queue *queue, struct calendar_day *day) {
  day->count -= queue->served;
  if (day->count > 0 && queue->served > 0)
    memmove(day->entries, day->entries + queue->served, day->count * sizeof *day->entries);
  queue->served = 0;
}

bool calendar_take(struct calendar_queue *queue, uint64_t until, struct calendar_entry *next) {
  for (;;) {
    struct calendar_day *day = &queue->days[DAY_OF(queue->today)];
    if (queue->served < day->count && day->entries[queue->served].time >> queue->shift <= queue->today) {
      *next = day->entries[queue->served];
      queue->served += next->time <= until;
      return next->time <= until;
    }
    end_day(queue, day);
    if (queue->today >= until >> queue->shift)
      return false;
    begin_day(queue, queue->today + 1);
  }
}
