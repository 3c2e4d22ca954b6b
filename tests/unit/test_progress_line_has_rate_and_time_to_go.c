#include "base/progress.h"

#include <pthread.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void line_after(uint64_t total, uint64_t done, int64_t elapsed_ns, const char *expected) {
  struct progress p;
  char line[200];
  progress_start(&p, "sweep", "points", total, true);
  assert_false(p.shown);
  progress_add(&p, done);
  assert_string_equal(progress_format(&p, elapsed_ns, line, sizeof line), expected);
  progress_end(&p);
}

static void formats(void **state) {
  (void)state;
  line_after(400, 100, 2000000000, "sweep: 100/400 points (25%), 50 points/s, 6 s to go");
  line_after(400, 400, 2000000000, "sweep: 400/400 points (100%), 200 points/s, 0 s to go");
  line_after(400, 0, 2000000000, "sweep: 0/400 points");
  line_after(0, 30, 2000000000, "sweep: 30 points, 15 points/s");
  line_after(0, 0, 0, "sweep: 0 points, 0 points/s");
}

/* Where amounts are not equally much work, the remaining time follows from the work. */
static void works(void **state) {
  (void)state;
  struct progress p;
  char line[200];
  progress_start(&p, "sweep", "results", 400, true);
  progress_work(&p, 80);
  assert_string_equal(progress_format(&p, 2000000000, line, sizeof line), "sweep: 0/400 results");
  progress_add_work(&p, 100, 60);
  assert_string_equal(progress_format(&p, 3000000000, line, sizeof line),
                      "sweep: 100/400 results (25%), 33.3 results/s, 1 s to go");
  progress_add_work(&p, 300, 60);
  assert_string_equal(progress_format(&p, 4000000000, line, sizeof line),
                      "sweep: 400/400 results (100%), 100 results/s, 0 s to go");
  progress_end(&p);
}

/* A search says what it can at most take, and how good its best point is. */
static void searches(void **state) {
  (void)state;
  struct progress p;
  char line[200];
  progress_start(&p, "binary", "evaluations", 0, true);
  progress_limit(&p, 500);
  progress_add(&p, 100);
  assert_string_equal(progress_format(&p, 2000000000, line, sizeof line),
                      "binary: 100 evaluations, 50 evaluations/s, at most 8 s to go");
  progress_best(&p, 8.1875);
  assert_string_equal(progress_format(&p, 2000000000, line, sizeof line),
                      "binary: 100 evaluations, 50 evaluations/s, at most 8 s to go, best 8.188 %");
  assert_string_equal(progress_format(&p, 2000000000, line, 30), "binary: 100 evaluations, 50 e");
  progress_end(&p);
}

static void *add_thousand(void *p) {
  for (int i = 0; i < 1000; i++)
    progress_add(p, 1);
  return NULL;
}

static void threads_lose_no_count(void **state) {
  (void)state;
  struct progress p;
  pthread_t threads[4];
  progress_start(&p, "x", "y", 4000, true);
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, add_thousand, &p), 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  assert_true(atomic_load(&p.done) == 4000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(formats), cmocka_unit_test(searches), cmocka_unit_test(works),
                                     cmocka_unit_test(threads_lose_no_count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
