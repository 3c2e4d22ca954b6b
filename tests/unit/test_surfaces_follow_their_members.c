/* Times of many GPUs that are interpolated between some: against the functions that they are taken from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "model/retime/many/retime_surface.h"

enum { MEMBERS = 200, USED = 4 };

static struct surface_member members[MEMBERS];
static const struct surface_rule alike = {.tolerance = 0.003}, learned = {.tolerance = 0.003, .learns = true};
/* The range of coordinates that are not learned: of a share, so that values change by about as much. */
static double range = 1;

static double uniform(struct random_state *r) {
  return (double)random_below(r, 1000001) / 1e6;
}

static void place_members(uint64_t seed) {
  struct random_state r = {seed};
  memset(members, 0, sizeof members);
  for (size_t i = 0; i < MEMBERS; i++)
    for (size_t d = 0; d < USED; d++)
      members[i].at[d] = range * (1 + uniform(&r));
}

/* Returns a coordinate in the unit of the functions. */
static double coordinate(size_t member, size_t dimension) {
  return 100 * (double)(dimension + 1) * members[member].at[dimension] / range;
}

/* A core that only waits: a sum of latencies. */
static bool sum_of_latencies(void *context, size_t member, double *value) {
  (void)context;
  *value =
      5000 + 10 * coordinate(member, 0) + 3 * coordinate(member, 1) + 7 * coordinate(member, 2) + coordinate(member, 3);
  return true;
}

/* A core that waits for its latencies or for memory, whichever takes longer. */
static bool latencies_or_memory(void *context, size_t member, double *value) {
  sum_of_latencies(context, member, value);
  *value = fmax(*value, 10400);
  return true;
}

/* Only one of the latencies matters. */
static bool one_latency(void *context, size_t member, double *value) {
  (void)context;
  *value = 1000 + fmax(20 * coordinate(member, 2), 9000);
  return true;
}

/* Times without any order. */
static bool without_order(void *context, size_t member, double *value) {
  (void)context;
  *value = 1000 + (double)(member * 7919 % 1000);
  return true;
}

static bool fails_once(void *context, size_t member, double *value) {
  size_t *left = context;
  *value = 1;
  (void)member;
  return (*left)-- > 0;
}

static size_t timed_count(size_t count) {
  size_t timed = 0;
  for (size_t i = 0; i < count; i++)
    timed += members[i].timed;
  return timed;
}

/* Sets the mean and the largest error of the values, and checks that timed ones have none. */
static void errors_of(surface_timer *function, double *mean, double *most) {
  *mean = *most = 0;
  for (size_t i = 0; i < MEMBERS; i++) {
    double value;
    function(NULL, i, &value);
    const double error = fabs(members[i].value / value - 1);
    assert_true(!members[i].timed || error == 0);
    assert_true(members[members[i].near].timed);
    *mean += error / MEMBERS;
    *most = fmax(*most, error);
  }
}

static void sums_need_few(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double mean, most;
    place_members(seed);
    assert_int_equal(surface_make(members, MEMBERS, alike, sum_of_latencies, NULL), SURFACE_MADE);
    errors_of(sum_of_latencies, &mean, &most);
    assert_true(timed_count(MEMBERS) <= 20);
    assert_true(most < 1e-6);
  }
}

static void bends_need_more(void **state) {
  double sum = 0;
  size_t timed = 0;
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double mean, most;
    place_members(seed);
    assert_int_equal(surface_make(members, MEMBERS, alike, latencies_or_memory, NULL), SURFACE_MADE);
    errors_of(latencies_or_memory, &mean, &most);
    assert_true(mean < 0.012 && most < 0.08);
    timed += timed_count(MEMBERS);
    sum += mean / 20;
  }
  assert_true(sum < 0.004);
  assert_true(timed > 15 * 20 && timed < 20 * MEMBERS / 2);
}

/* A coordinate that changes nothing does not count where that is learned, whatever its unit. */
static void learned_coordinates_count_by_what_they_change(void **state) {
  size_t timed[2] = {0};
  (void)state;
  range = 1e6;
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int learns = 0; learns < 2; learns++) {
      double mean, most;
      place_members(seed);
      assert_int_equal(surface_make(members, MEMBERS, learns ? learned : alike, one_latency, NULL), SURFACE_MADE);
      errors_of(one_latency, &mean, &most);
      assert_true(mean < 0.01);
      timed[learns] += timed_count(MEMBERS);
    }
  range = 1;
  print_message("%zu members timed with learned scales, %zu without\n", timed[1], timed[0]);
  assert_true(4 * timed[1] < 3 * timed[0]);
}

static void times_without_order_are_all_timed(void **state) {
  (void)state;
  place_members(3);
  assert_int_equal(surface_make(members, MEMBERS, alike, without_order, NULL), SURFACE_MADE);
  assert_int_equal(timed_count(MEMBERS), MEMBERS);
}

static void times_without_order_are_given_up(void **state) {
  struct surface_rule rule = alike;
  (void)state;
  rule.most_timed = 30;
  place_members(3);
  assert_int_equal(surface_make(members, MEMBERS, rule, without_order, NULL), SURFACE_OPEN);
  assert_true(timed_count(MEMBERS) >= 30 && timed_count(MEMBERS) < 40);
}

/* Of members at one place one is timed, and the others have its value. */
static void a_place_is_timed_once(void **state) {
  enum { PLACES = 25 };
  (void)state;
  place_members(6);
  for (size_t i = PLACES; i < MEMBERS; i++)
    members[i] = members[i % PLACES];
  assert_int_equal(surface_make(members, MEMBERS, alike, sum_of_latencies, NULL), SURFACE_MADE);
  assert_true(timed_count(MEMBERS) <= PLACES);
  for (size_t i = 0; i < MEMBERS; i++) {
    double value;
    sum_of_latencies(NULL, i, &value);
    assert_true(fabs(members[i].value / value - 1) < 1e-6);
  }
}

static void few_members_are_all_timed(void **state) {
  (void)state;
  place_members(4);
  assert_int_equal(surface_make(members, SURFACE_LEAST - 1, alike, sum_of_latencies, NULL), SURFACE_MADE);
  assert_int_equal(timed_count(SURFACE_LEAST - 1), SURFACE_LEAST - 1);
  assert_int_equal(surface_make(members, 0, alike, sum_of_latencies, NULL), SURFACE_MADE);
}

static void a_member_that_fails_ends_it(void **state) {
  (void)state;
  place_members(5);
  for (size_t left = 0; left < 9; left++) {
    size_t rest = left;
    assert_int_equal(surface_make(members, MEMBERS, alike, fails_once, &rest), SURFACE_FAILED);
    assert_int_equal(timed_count(MEMBERS), left);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_need_few),
                                     cmocka_unit_test(bends_need_more),
                                     cmocka_unit_test(learned_coordinates_count_by_what_they_change),
                                     cmocka_unit_test(times_without_order_are_all_timed),
                                     cmocka_unit_test(times_without_order_are_given_up),
                                     cmocka_unit_test(a_place_is_timed_once),
                                     cmocka_unit_test(few_members_are_all_timed),
                                     cmocka_unit_test(a_member_that_fails_ends_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
