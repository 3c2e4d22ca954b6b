/* Every shipped sweep loads and has possible points; the references beside them name points that exist; the searches
 * are as large as they claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input/json.h"
#include "dse/answer/answers.h"

static size_t check_reference(const struct points *points, const char *path) {
  size_t rows = 0, i, j;
  json_t *document, *groups, *list, *group, *row;
  assert_int_equal(json_load_document(path, &document, NULL), 0);
  assert_int_equal(json_check_schema(document, "reassemble.reference/1", path, NULL), 0);
  assert_int_equal(json_need_array(document, "groups", &groups, path, NULL), 0);
  json_array_foreach(groups, i, group) {
    assert_int_equal(json_need_array(group, "rows", &list, path, NULL), 0);
    json_array_foreach(list, j, row) {
      const char *name;
      assert_int_equal(json_need_string(row, "point", &name, path, NULL), 0);
      if (answer_find_point(points, name, NULL) == POINT_IMPOSSIBLE)
        fail_msg("%s: %s is no point of %s", path, name, points->sweep->name);
      rows++;
    }
  }
  json_decref(document);
  return rows;
}

static void check_size(const struct points *points, size_t rows) {
  const char *name = points->sweep->name;
  if (strcmp(name, "tables-5.11-5.18") == 0) {
    assert_int_equal(points->count, 121);
    assert_int_equal(rows, 120);
  } else if (strcmp(name, "fig-5.6") == 0) {
    assert_int_equal(points->sweep->axis_count, 10);
    assert_int_equal(rows, 11);
  } else if (strstr(name, "-search")) {
    assert_true(points->design_count >= 5000);
  }
}

static void test_all(void **state) {
  (void)state;
  char **names;
  size_t count;
  assert_int_equal(data_list(DATA_SWEEP, &names, &count, NULL), 0);
  assert_true(count >= 7);
  for (size_t i = 0; i < count; i++) {
    struct sweep *sweep;
    struct points points;
    struct error error = ERROR_INIT;
    if (sweep_load(names[i], &sweep, &error) != 0 || points_enumerate(sweep, false, &points, &error) != 0)
      fail_msg("%s:%u: %s: %s", error.file, error.line, error.key, error.text);
    assert_string_equal(sweep->name, names[i]);
    assert_int_equal(points.impossible_count, 0);
    char *path = sweep->reference ? sweep_resolve(sweep, sweep->reference) : NULL;
    check_size(&points, path ? check_reference(&points, path) : 0);
    free(path);
    points_clear(&points);
    sweep_destroy(sweep);
  }
  data_list_free(names, count);
}

/* The text between the first "```yaml" and the next "```" of docs/sweeps.md. */
static void write_documented_sweep(const char *to) {
  char path[512], line[512];
  snprintf(path, sizeof path, "%s/docs/sweeps.md", getenv("REASSEMBLE_DATA"));
  FILE *in = fopen(path, "r"), *out = fopen(to, "w");
  bool inside = false;
  assert_non_null(in);
  assert_non_null(out);
  while (fgets(line, sizeof line, in) && !(inside && strncmp(line, "```", 3) == 0)) {
    if (inside)
      fputs(line, out);
    inside = inside || strcmp(line, "```yaml\n") == 0;
  }
  fclose(in);
  fclose(out);
}

/* The example that people start from. */
static void test_documented(void **state) {
  (void)state;
  struct sweep *sweep;
  struct points points;
  struct error error = ERROR_INIT;
  char path[64];
  snprintf(path, sizeof path, "documented-%ld.yaml", (long)getpid());
  write_documented_sweep(path);
  if (sweep_load(path, &sweep, &error) != 0 || points_enumerate(sweep, false, &points, &error) != 0)
    fail_msg("%s:%u: %s: %s", error.file, error.line, error.key, error.text);
  unlink(path);
  assert_string_equal(sweep->name, "more-cores");
  assert_int_equal(points.count, 1 + 1 + 4 * 2 * 4 * 3);
  assert_true(points.impossible_count > 0 && points.impossible_count < 4 * 2 * 4 * 3 / 2);
  points_clear(&points);
  sweep_destroy(sweep);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all), cmocka_unit_test(test_documented)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
