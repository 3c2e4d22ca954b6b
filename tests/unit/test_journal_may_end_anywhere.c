/* A journal that ends at any byte (every one of the head and of two results is tried), or whose lines are damaged,
 * gives back every whole undamaged result and can be gone on with; results that contradict each other are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "dse/run/sweep_journal.h"

enum { DESIGNS = 5, WORKLOADS = 2 };

static char path[64];

static json_t *head_of(const char *sweep) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:b, s:[]}", "schema", "s", "version", "v", "sweep", sweep,
                   "sweep_digest", "1", "gpu", "g", "designs", DESIGNS, "designs_digest", "2", "exact", false,
                   "workloads");
}

static void numbers(size_t design, size_t workload, double *values) {
  for (size_t i = 0; i < outcome_value_count(); i++)
    values[i] = (double)(1 + design * 10 + workload) / (double)(3 + i);
}

static void init(struct outcomes *outcomes) {
  assert_int_equal(outcomes_init(outcomes, DESIGNS, WORKLOADS, NULL), 0);
}

static int open_it(bool resume, struct outcomes *outcomes, struct journal **journal, struct error *error) {
  json_t *head = head_of("a");
  const int status = sweep_journal_open(path, head, resume, outcomes, journal, error);
  json_decref(head);
  return status;
}

/* Writes every result that is missing and closes the journal. */
static void write_missing(struct journal *journal, struct outcomes *outcomes) {
  for (size_t d = 0; d < DESIGNS; d++)
    for (size_t w = 0; w < WORKLOADS; w++) {
      double values[MOST_OUTCOME_VALUES];
      numbers(d, w, values);
      if (outcomes->state[d * WORKLOADS + w] == OUTCOME_MISSING)
        assert_int_equal(sweep_journal_append(journal, d, w, values, outcomes->value_count,
                                              d % 2 == 0 ? OUTCOME_EXACT : OUTCOME_APPROXIMATE, NULL),
                         0);
    }
  journal_close(journal);
}

static void check_whole(void) {
  struct outcomes outcomes;
  json_t *head = head_of("a");
  init(&outcomes);
  assert_int_equal(sweep_journal_read(path, head, &outcomes, NULL), 0);
  assert_int_equal(outcomes_missing(&outcomes), 0);
  for (size_t d = 0; d < DESIGNS; d++)
    for (size_t w = 0; w < WORKLOADS; w++) {
      double values[MOST_OUTCOME_VALUES];
      numbers(d, w, values);
      assert_memory_equal(outcomes_at(&outcomes, d, w), values, outcomes.value_count * sizeof *values);
      assert_int_equal(outcomes.state[d * WORKLOADS + w], d % 2 == 0 ? OUTCOME_EXACT : OUTCOME_APPROXIMATE);
    }
  outcomes_clear(&outcomes);
  json_decref(head);
}

static void store(const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static char *whole_journal(size_t *length) {
  struct outcomes outcomes;
  struct journal *journal;
  char *text;
  init(&outcomes);
  unlink(path);
  assert_int_equal(open_it(false, &outcomes, &journal, NULL), 0);
  write_missing(journal, &outcomes);
  outcomes_clear(&outcomes);
  check_whole();
  assert_int_equal(file_read(path, 1 << 20, &text, length, NULL), 0);
  return text;
}

static void resume_and_check(size_t missing) {
  struct outcomes outcomes;
  struct journal *journal;
  struct error error = ERROR_INIT;
  init(&outcomes);
  if (open_it(true, &outcomes, &journal, &error) != 0)
    fail_msg("%s", error.text);
  assert_int_equal(outcomes_missing(&outcomes), missing);
  write_missing(journal, &outcomes);
  outcomes_clear(&outcomes);
  check_whole();
}

static size_t lines_in(const char *text, size_t length) {
  size_t lines = 0;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  return lines;
}

static void test_cut_at_any_byte(void **state) {
  (void)state;
  size_t length;
  char *text = whole_journal(&length);
  const size_t head = (size_t)(strchr(text, '\n') - text) + 1, line = (length - head) / (DESIGNS * WORKLOADS);
  for (size_t cut = 0; cut <= length; cut += cut > head + line && cut + line < length ? 41 : 1) {
    const size_t lines = lines_in(text, cut);
    store(text, cut);
    resume_and_check(DESIGNS * WORKLOADS - (lines > 0 ? lines - 1 : 0));
  }
  free(text);
}

static void test_damaged_line_counts_as_missing(void **state) {
  (void)state;
  size_t length;
  char *text = whole_journal(&length);
  const size_t head = (size_t)(strchr(text, '\n') - text) + 1;
  for (size_t i = head; i < length; i += 29) {
    if (text[i] == '\n')
      continue;
    const char kept = text[i];
    text[i] = kept == '1' ? '2' : '1';
    store(text, length);
    resume_and_check(1);
    text[i] = kept;
  }
  free(text);
}

static void test_damaged_head_and_other_sweeps_are_refused(void **state) {
  (void)state;
  size_t length;
  struct outcomes outcomes;
  struct journal *journal;
  struct error error = ERROR_INIT;
  char *text = whole_journal(&length);
  init(&outcomes);
  json_t *other = head_of("b");
  assert_int_equal(sweep_journal_read(path, other, &outcomes, &error), -1);
  assert_non_null(strstr(error.text, "the sweep differs (found a, expected b)"));
  text[30] ^= 1;
  store(text, length);
  error = (struct error)ERROR_INIT;
  assert_int_equal(open_it(true, &outcomes, &journal, &error), -1);
  assert_non_null(strstr(error.text, "first line is damaged"));
  assert_int_equal(outcomes_missing(&outcomes), DESIGNS * WORKLOADS);
  outcomes_clear(&outcomes);
  json_decref(other);
  free(text);
}

/* Whatever of a journal's head differs is named, and the file stays as it is. */
static void test_other_runs_are_refused_by_name(void **state) {
  (void)state;
  static const struct {
    const char *key, *says;
  } members[] = {{"version", "the program's version differs (found v, expected 9.9)"},
                 {"sweep_digest", "the text of the sweep's file differs"},
                 {"gpu", "the base GPU differs (found g, expected 9.9)"},
                 {"designs_digest", "the designs (has a GPU file changed?) differs"}};
  size_t length, after;
  char *text = whole_journal(&length);
  for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
    struct outcomes outcomes;
    struct journal *journal;
    struct error error = ERROR_INIT;
    json_t *other = head_of("a");
    json_object_set_new(other, members[i].key, json_string("9.9"));
    init(&outcomes);
    assert_int_equal(sweep_journal_open(path, other, true, &outcomes, &journal, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.text, members[i].says));
    assert_int_equal(outcomes_missing(&outcomes), DESIGNS * WORKLOADS);
    outcomes_clear(&outcomes);
    json_decref(other);
  }
  char *kept;
  assert_int_equal(file_read(path, 1 << 20, &kept, &after, NULL), 0);
  assert_int_equal(after, length);
  assert_memory_equal(kept, text, length);
  free(kept);
  free(text);
}

static void test_contradiction_is_refused(void **state) {
  (void)state;
  struct outcomes outcomes;
  struct journal *journal;
  struct error error = ERROR_INIT;
  double values[MOST_OUTCOME_VALUES];
  init(&outcomes);
  unlink(path);
  assert_int_equal(open_it(false, &outcomes, &journal, NULL), 0);
  numbers(1, 1, values);
  assert_int_equal(sweep_journal_append(journal, 1, 1, values, outcomes.value_count, OUTCOME_EXACT, NULL), 0);
  assert_int_equal(sweep_journal_append(journal, 1, 1, values, outcomes.value_count, OUTCOME_EXACT, NULL),
                   0); /* the same again */
  values[3] += 1;
  assert_int_equal(sweep_journal_append(journal, 1, 1, values, outcomes.value_count, OUTCOME_EXACT, NULL), 0);
  journal_close(journal);
  assert_int_equal(open_it(true, &outcomes, &journal, &error), -1);
  assert_int_equal(error.line, 4);
  assert_non_null(strstr(error.text, "contradicts"));
  outcomes_clear(&outcomes);
}

static void test_one_writer_at_a_time(void **state) {
  (void)state;
  struct outcomes outcomes;
  struct journal *first, *second;
  struct error error = ERROR_INIT;
  init(&outcomes);
  unlink(path);
  assert_int_equal(open_it(false, &outcomes, &first, NULL), 0);
  assert_int_equal(open_it(true, &outcomes, &second, &error), -1);
  assert_non_null(strstr(error.text, "another run is writing"));
  journal_close(first);
  outcomes_clear(&outcomes);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_cut_at_any_byte),
                                     cmocka_unit_test(test_damaged_line_counts_as_missing),
                                     cmocka_unit_test(test_damaged_head_and_other_sweeps_are_refused),
                                     cmocka_unit_test(test_contradiction_is_refused),
                                     cmocka_unit_test(test_one_writer_at_a_time),
                                     cmocka_unit_test(test_other_runs_are_refused_by_name)};
  snprintf(path, sizeof path, "journal-%ld", (long)getpid());
  return cmocka_run_group_tests(tests, NULL, NULL);
}
