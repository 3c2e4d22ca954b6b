/* A journal that ends anywhere gives the result of an uninterrupted run; one of another run is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "tune_fixture.h"
#include "tuner/evaluate/point_journal.h"

#define RANGES "arith=0.1..4,l1_hit=0.5..20,l1_miss=5..200"
static char path[] = "tune.journal";
static const struct point_journal_fact facts[] = {{"seed", "1"}, {"board", "b"}};

/* Runs with the journal at `path`; the result and how many points were not in it. */
static size_t run(double tuned[SPACE_MOST], size_t *asked) {
  struct tune_fixture f;
  struct error error = ERROR_INIT;
  struct point_journal *journal;
  const struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", "coordinate");
  assert_int_equal(tune_init(&f.tune, &setup, &error), 0);
  if (point_journal_open(path, facts, 2, &f.tune.evaluator, &journal, &error) != 0)
    fail_msg("%s", error.text);
  assert_int_equal(tune_search(&f.tune, &error), 0);
  memcpy(tuned, f.tune.tuned, sizeof f.tune.tuned);
  *asked = f.tune.evaluator.asked;
  const size_t simulated = f.tune.evaluator.simulated;
  assert_int_equal(point_journal_close(journal, &error), 0);
  tune_clear(&f.tune);
  return simulated;
}

static void write_file(const char *text, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  fclose(file);
}

static void test_any_cut(void **state) {
  (void)state;
  double whole[SPACE_MOST] = {0}, resumed[SPACE_MOST] = {0};
  size_t asked, asked_again, length, length_again;
  char *text, *again;
  unlink(path);
  const size_t simulated = run(whole, &asked);
  assert_int_equal(simulated, asked);
  assert_int_equal(file_read(path, 1 << 24, &text, &length, NULL), 0);
  assert_int_equal(run(resumed, &asked_again), 0);
  struct random_state random = {1};
  for (int i = 0; i < 50; i++) {
    const size_t cut = i == 0 ? 0 : random_below(&random, (uint32_t)length);
    write_file(text, cut);
    assert_true(run(resumed, &asked_again) <= simulated);
    assert_int_equal(asked_again, asked);
    assert_memory_equal(resumed, whole, 3 * sizeof(double));
    assert_int_equal(file_read(path, 1 << 24, &again, &length_again, NULL), 0);
    assert_int_equal(length_again, length); /* the same journal in the end */
    assert_memory_equal(again, text, length);
    free(again);
  }
  free(text);
}

/* The message that opening gives. */
static void expect_refusal(const struct point_journal_fact *own, double arith, const char *message) {
  struct tune_fixture f;
  struct error error = ERROR_INIT;
  struct point_journal *journal;
  const struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", "coordinate");
  f.spec.store_cycles = arith; /* not tuned: what every point predicts */
  assert_int_equal(tune_init(&f.tune, &setup, &error), 0);
  assert_int_equal(point_journal_open(path, own, 2, &f.tune.evaluator, &journal, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  if (!strstr(error.text, message))
    fail_msg("%s", error.text);
  tune_clear(&f.tune);
}

static void test_foreign_journals(void **state) {
  (void)state;
  double tuned[SPACE_MOST];
  size_t asked;
  unlink(path);
  run(tuned, &asked);
  const struct point_journal_fact other[] = {{"seed", "2"}, {"board", "b"}};
  expect_refusal(other, 4, "of another run: found 1, this run has 2");
  expect_refusal(facts, 5, "its first point predicts other times now");
  write_file("not a journal\n", 14);
  expect_refusal(facts, 4, "found no JSON object");
  write_file("not a journal", 13);
  expect_refusal(facts, 4, "found no JSON object");
  write_file("{\"schema\": \"reassemble.tune-journal/1\", \"seed\": \"1\", \"board\": \"b\"}\n{\"point\": [1]}\n", 82);
  expect_refusal(facts, 4, "found no point with its predictions");
}

static void test_one_process_at_a_time(void **state) {
  (void)state;
  struct tune_fixture f, g;
  struct error error = ERROR_INIT;
  struct point_journal *journal, *second;
  unlink(path);
  const struct tune_setup setup = tune_fixture_setup(&f, RANGES, "mape", "coordinate");
  const struct tune_setup setup_second = tune_fixture_setup(&g, RANGES, "mape", "coordinate");
  assert_int_equal(tune_init(&f.tune, &setup, &error), 0);
  assert_int_equal(tune_init(&g.tune, &setup_second, &error), 0);
  assert_int_equal(point_journal_open(path, facts, 2, &f.tune.evaluator, &journal, &error), 0);
  assert_int_equal(point_journal_open(path, facts, 2, &g.tune.evaluator, &second, &error), -1);
  assert_non_null(strstr(error.text, "another run has this journal open"));
  assert_int_equal(point_journal_close(journal, NULL), 0);
  tune_clear(&f.tune);
  tune_clear(&g.tune);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_cut),
      cmocka_unit_test(test_foreign_journals),
      cmocka_unit_test(test_one_process_at_a_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
