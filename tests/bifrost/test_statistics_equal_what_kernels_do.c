/* Statistics of recorded jobs: sums agree for every recording, and numbers that follow from a kernel's source are
 * those. */
#include "bifrost_recordings.h"

#include <stdlib.h>

#include "tracegen/bifrost/isa/operations.h"
#include "tracegen/bifrost/statistics/job_statistics.h"

static struct bifrost_statistics statistics_of(const char *name, struct bifrost_recording *recording) {
  struct bifrost_statistics s;
  struct error error = ERROR_INIT;
  if (bifrost_statistics_run(recording, &s, &error) != 0)
    fail_msg("%s: %s", name, error.text);
  return s;
}

/* Returns how many work-items come to a clause from others. */
static uint64_t inflow(const struct bifrost_statistics *s, const struct clause_flow *to) {
  uint64_t sum = 0;
  for (size_t i = 0; i < s->flow_count; i++) {
    const struct clause_flow *f = &s->flow[i];
    if (f->job != to->job)
      continue;
    sum += f->target == to->clause ? f->taken : 0;
    sum += f->next == to->clause ? f->lanes - f->taken : 0;
  }
  return sum;
}

/* As many work-items come to a clause as execute it, and those of all jobs start at their first clause. */
static void check_flow(const struct bifrost_statistics *s) {
  uint64_t warps = 0, lanes = 0, divergent = 0, started = 0;
  for (size_t i = 0; i < s->flow_count; i++) {
    const struct clause_flow *f = &s->flow[i];
    warps += f->warps;
    lanes += f->lanes;
    divergent += f->divergent;
    started += f->lanes - inflow(s, f);
    assert_true(f->clause == 0 || f->lanes == inflow(s, f));
  }
  assert_int_equal(warps, s->clauses);
  assert_int_equal(lanes, s->active_lanes);
  assert_int_equal(divergent, s->divergent_branches);
  assert_int_equal(started, s->work_items);
}

static void check_sums(const char *name, struct bifrost_recording *recording) {
  struct bifrost_statistics s = statistics_of(name, recording);
  uint64_t clauses = 0, tuples = 0, messages = 0;
  for (unsigned size = 1; size <= CLAUSE_MAX_TUPLES; size++) {
    clauses += s.clauses_of_size[size];
    tuples += size * s.clauses_of_size[size];
  }
  for (int i = MESSAGE_NONE + 1; i < MESSAGE_COUNT; i++)
    messages += s.messages[i];
  assert_int_equal(clauses, s.clauses);
  assert_int_equal(tuples, s.tuples);
  for (int unit = 0; unit < 2; unit++) {
    assert_int_equal(s.slots[unit], s.tuples);
    assert_true(s.empty_slots[unit] < s.slots[unit]);
  }
  assert_true(messages > 0 && messages <= s.clauses);
  assert_true(s.active_lanes <= s.lanes);
  assert_true(s.divergent_branches <= s.branches);
  check_flow(&s);
  bifrost_statistics_clear(&s);
}

static void sums_agree(void **state) {
  (void)state;
  assert_true(for_each_recording(check_sums) >= 96);
}

static void check_known(const char *name, struct bifrost_recording *recording) {
  if (strcmp(name, "g71/reverse") != 0)
    return;
  struct bifrost_statistics s = statistics_of(name, recording);
  assert_int_equal(s.jobs, 1);
  assert_int_equal(s.groups, 4);
  assert_int_equal(s.work_items, 128);
  assert_int_equal(s.warps, 32);
  assert_int_equal(s.accesses[SPACE_GLOBAL], 2 * 128); /* it reads an element, and writes one */
  assert_int_equal(s.bytes[SPACE_GLOBAL], 4 * 2 * 128);
  assert_int_equal(s.accesses[SPACE_LOCAL], 2 * 128);
  assert_int_equal(s.accesses[SPACE_PRIVATE], 0);
  assert_int_equal(s.messages[MESSAGE_BARRIER], 32);
  assert_int_equal(s.messages[MESSAGE_LOAD], 2 * 32);
  assert_int_equal(s.messages[MESSAGE_STORE], 2 * 32);
  assert_int_equal(s.divergent_branches, 0);
  assert_int_equal(s.active_lanes, s.lanes);
  assert_int_equal(s.pages, 2); /* a buffer each */
  bifrost_statistics_clear(&s);
}

static void numbers_of_a_kernel_are_known(void **state) {
  (void)state;
  for_each_recording(check_known);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sums_agree), cmocka_unit_test(numbers_of_a_kernel_are_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
