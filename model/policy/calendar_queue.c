#include "model/policy/calendar_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define DAYS      1024
#define HOURS     128 /* of a day, in which it is sorted */
#define HOUR_BITS 7   /* log2 of them */
#define FEW       24  /* entries that are sorted by insertion as fast as by qsort */
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
  free(queue->spare.entries);
}

static bool is_before(const struct calendar_entry *a, const struct calendar_entry *b) {
  if (a->time != b->time)
    return a->time < b->time;
  return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

static int compare(const void *a, const void *b) {
  return is_before(b, a) - is_before(a, b);
}

/* Keeps the ids of the entry in front that do not come before those of the next one. `count`: entries of the day, from
 * the one in front on. Returns whether there are any. */
static bool divide_first(struct calendar_entry *entries, uint32_t count, struct calendar_entry *first) {
  if (count < 2 || entries[1].time != first->time || entries[1].kind != first->kind ||
      entries[1].id - first->id + 1 >= first->count)
    return false;
  struct calendar_entry rest = *first;
  first->count = (uint16_t)(entries[1].id - first->id + 1);
  rest.id += first->count;
  rest.count -= first->count;
  uint32_t at = 0;
  for (; at + 1 < count && is_before(&entries[at + 1], &rest); at++)
    entries[at] = entries[at + 1];
  entries[at] = rest;
  return true;
}

/* Moves the last of `count` entries to its place among the others, which are sorted. */
static void insert_last(struct calendar_entry *entries, uint32_t count) {
  const struct calendar_entry entry = entries[count - 1];
  uint32_t at = count - 1;
  for (; at > 0 && is_before(&entry, &entries[at - 1]); at--)
    entries[at] = entries[at - 1];
  entries[at] = entry;
}

static void sort_some(struct calendar_entry *entries, uint32_t count) {
  if (count > FEW)
    qsort(entries, count, sizeof *entries, compare);
  else
    for (uint32_t some = 2; some <= count; some++)
      insert_last(entries, some);
}

/* Returns the hour of an entry of today, or HOURS if it belongs to a later year. */
static uint32_t hour_of(const struct calendar_queue *queue, const struct calendar_entry *entry) {
  if (entry->time >> queue->shift > queue->today)
    return HOURS;
  return (uint32_t)(queue->shift > HOUR_BITS ? entry->time >> (queue->shift - HOUR_BITS) : entry->time) & (HOURS - 1);
}

/* Sorts the entries of a day, whose hours are sorted one by one (Knuth, "The art of computer programming", vol. 3,
 * section 5.2, algorithm D). Takes queue->spare into use, and keeps the memory that the day had there. */
static void sort_by_hours(struct calendar_queue *queue, struct calendar_day *day) {
  uint32_t begins[HOURS + 2] = {0};
  struct calendar_entry *sorted = queue->spare.entries;
  for (uint32_t i = 0; i < day->count; i++)
    begins[hour_of(queue, &day->entries[i]) + 1]++;
  for (uint32_t hour = 0; hour <= HOURS; hour++)
    begins[hour + 1] += begins[hour];
  for (uint32_t i = 0; i < day->count; i++)
    sorted[begins[hour_of(queue, &day->entries[i])]++] = day->entries[i];
  for (uint32_t hour = 0, from = 0; hour <= HOURS; from = begins[hour++])
    sort_some(sorted + from, begins[hour] - from);
  const struct calendar_day unsorted = *day;
  *day = (struct calendar_day){sorted, day->count, queue->spare.capacity};
  queue->spare = (struct calendar_day){unsorted.entries, 0, unsorted.capacity};
}

static void begin_day(struct calendar_queue *queue, uint64_t today) {
  queue->today = today;
  queue->served = 0;
  struct calendar_day *day = &queue->days[DAY_OF(today)], *spare = &queue->spare;
  if (day->count > FEW && array_room_u32(&spare->entries, &spare->capacity, day->count, sizeof *spare->entries))
    sort_by_hours(queue, day);
  else
    sort_some(day->entries, day->count);
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
      if (next->time > until)
        return false;
      if (next->count == 1 || !divide_first(day->entries + queue->served, day->count - queue->served, next))
        queue->served++;
      return true;
    }
    end_day(queue, day);
    if (queue->today >= until >> queue->shift)
      return false;
    begin_day(queue, queue->today + 1);
  }
}
