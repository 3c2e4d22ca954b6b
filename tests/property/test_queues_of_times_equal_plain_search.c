/* A calendar queue gives its entries, id by id, in the order in which a search through all of them finds the smallest.
 * Random entries of one or several ids come in bursts, within a year of a time that goes on or in one of the years
 * after it. A sorted ring of times does the same, and knows the first time: there random entries come before all
 * others, among them and behind them, and it becomes full and empty again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>

#include "base/random.h"
#include "model/policy/calendar_queue.h"
#include "model/policy/time_queue.h"

enum { ROUNDS = 300, MOST = 8192, YEAR = 1 << 20 };

static struct calendar_entry plain[MOST];
static uint32_t plain_count;

/* Adds each id of an entry to `plain`. */
static void plain_add(struct calendar_entry entry) {
  for (uint16_t i = 0; i < entry.count; i++)
    plain[plain_count++] = (struct calendar_entry){entry.time, entry.id + i, entry.kind, 1};
}

/* Takes the smallest entry that is not above `until` out of `plain`. */
static bool plain_take(uint64_t until, struct calendar_entry *next) {
  uint32_t least = 0;
  for (uint32_t i = 1; i < plain_count; i++) {
    const struct calendar_entry *a = &plain[i], *b = &plain[least];
    if (a->time < b->time || (a->time == b->time && (a->kind < b->kind || (a->kind == b->kind && a->id < b->id))))
      least = i;
  }
  if (plain_count == 0 || plain[least].time > until)
    return false;
  *next = plain[least];
  plain[least] = plain[--plain_count];
  return true;
}

static void assert_same_until(struct calendar_queue *queue, uint64_t until) {
  struct calendar_entry expected, found = {0};
  while (plain_take(until, &expected)) {
    if (found.count == 0)
      assert_true(calendar_take(queue, until, &found));
    assert_int_equal(found.time, expected.time);
    assert_int_equal(found.kind, expected.kind);
    assert_int_equal(found.id++, expected.id);
    found.count--;
  }
  assert_int_equal(found.count, 0);
  assert_false(calendar_take(queue, until, &found));
}

static void test_entries_come_in_order(void **state) {
  (void)state;
  struct calendar_queue queue;
  struct random_state random = {7};
  uint64_t now = 0;
  assert_true(calendar_init(&queue, YEAR));
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t spread = 1 + random_next(&random) % (round % 3 == 0 ? 5 : YEAR);
    for (uint64_t burst = random_next(&random) % 100; burst > 0 && plain_count + 8 <= MOST; burst--) {
      const uint64_t drawn = random_next(&random), years = drawn >> 60 == 0 ? (drawn >> 54 & 7) * YEAR : 0;
      const struct calendar_entry entry = {now + years + drawn % spread, drawn >> 50 & 7, drawn >> 40 & 3,
                                           drawn >> 45 & 1 ? 1 : 1 + (drawn >> 46 & 7)};
      plain_add(entry);
      assert_true(calendar_add(&queue, entry));
    }
    now += random_next(&random) % (round % 50 == 0 ? 3 * YEAR : YEAR / 20);
    assert_same_until(&queue, now);
  }
  assert_same_until(&queue, now + 9 * YEAR);
  assert_int_equal(plain_count, 0);
  calendar_clear(&queue);
}

enum { RING = 64, STEPS = 20000 };

static struct time_entry times[RING];
static uint32_t time_count;

static uint32_t least_time(void) {
  uint32_t least = 0;
  for (uint32_t i = 1; i < time_count; i++)
    if (time_before(times[i], times[least]))
      least = i;
  return least;
}

static void test_times_come_in_order(void **state) {
  (void)state;
  struct time_entry entries[RING];
  struct time_queue queue = time_queue_make(entries, RING - 1);
  struct random_state random = {5};
  bool fills = true, was_full = false, was_empty = false;
  for (uint32_t step = 0; step < STEPS; step++) {
    assert_int_equal(queue.count, time_count);
    assert_true(queue.first == (time_count ? times[least_time()].time : UINT64_MAX));
    fills = time_count == 0 || (fills && time_count < RING);
    was_empty |= step > 0 && time_count == 0;
    was_full |= time_count == RING;
    if (time_count < RING && random_next(&random) % 4 < (fills ? 3 : 1)) {
      const struct time_entry entry = {step / 8 + random_next(&random) % 40, step};
      times[time_count++] = entry;
      time_queue_push(&queue, entry);
    } else if (time_count > 0) {
      const uint32_t least = least_time();
      const struct time_entry found = time_queue_pop(&queue);
      assert_true(found.time == times[least].time && found.id == times[least].id);
      times[least] = times[--time_count];
    }
  }
  assert_true(was_full && was_empty);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries_come_in_order),
                                     cmocka_unit_test(test_times_come_in_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
