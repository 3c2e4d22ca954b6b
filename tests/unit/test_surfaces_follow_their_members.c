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

static double uniform(struct random_state *r) {
  return (double)random_below(r, 1000001) / 1e6;
}

static void place_members(uint64_t seed) {
  struct random_state r = {seed};
  memset(members, 0, sizeof members);
  for (size_t i = 0; i < MEMBERS; i++)
    for (size_t d = 0; d < USED; d++)
      members[i].at[d] = 100 * (double)(d + 1) * (1 + uniform(&r));
}

/* A core that only waits: a sum of latencies. */
static bool sum_of_latencies(void *context, size_t member, double *value) {
  const double *at = members[member].at;
  (void)context;
  *value = 5000 + 10 * at[0] + 3 * at[1] + 7 * at[2] + at[3];
  return true;
}

/* A core that waits for its latencies or for memory, whichever takes longer. */
static bool latencies_or_memory(void *context, size_t member, double *value) {
  sum_of_latencies(context, member, value);
  *value = fmax(*value, 10400);
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
    assert_true(surface_make(members, MEMBERS, sum_of_latencies, NULL));
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
    assert_true(surface_make(members, MEMBERS, latencies_or_memory, NULL));
    errors_of(latencies_or_memory, &mean, &most);
    assert_true(mean < 0.012 && most < 0.08);
    timed += timed_count(MEMBERS);
    sum += mean / 20;
  }
  assert_true(sum < 0.004);
  assert_true(timed > 15 * 20 && timed < 20 * MEMBERS / 2);
}

static void times_without_order_are_all_timed(void **state) {
  (void)state;
  place_members(3);
  assert_true(surface_make(members, MEMBERS, without_order, NULL));
  assert_int_equal(timed_count(MEMBERS), MEMBERS);
}

static void few_members_are_all_timed(void **state) {
  (void)state;
  place_members(4);
  assert_true(surface_make(members, SURFACE_LEAST - 1, sum_of_latencies, NULL));
  assert_int_equal(timed_count(SURFACE_LEAST - 1), SURFACE_LEAST - 1);
  assert_true(surface_make(members, 0, sum_of_latencies, NULL));
}

static void a_member_that_fails_ends_it(void **state) {
  (void)state;
  place_members(5);
  for (size_t left = 0; left < 9; left++) {
    size_t rest = left;
    assert_false(surface_make(members, MEMBERS, fails_once, &rest));
    assert_int_equal(timed_count(MEMBERS), left);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_need_few), cmocka_unit_test(bends_need_more),
                                     cmocka_unit_test(times_without_order_are_all_timed),
                                     cmocka_unit_test(few_members_are_all_timed),
                                     cmocka_unit_test(a_member_that_fails_ends_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
