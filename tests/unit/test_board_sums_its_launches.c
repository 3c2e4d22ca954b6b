/* Boards whose measurements are weighted sums of launches: rows of a table, lists of terms, and a table alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "tuner/board/board_launches.h"

static void write_file(const char *path, const void *data, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text) {
  write_file(path, text, strlen(text));
}

static struct board *load(const char *name) {
  struct board *board = NULL;
  struct error error = ERROR_INIT;
  if (board_load(name, &board, &error) != 0)
    fail_msg("%s", error.text);
  return board;
}

static const char table[] = "n,\"time, ms\",sd,kind\r\n64,4,0.5,\"a \"\"b\"\"\"\r\n128,10,0.25,c\r\n";
static const char head[] = "{\"schema\": \"reassemble.board/1\", \"name\": \"sums\", \"unit\": \"ms\", \"points\": {"
                           "\"file\": \"%s\", \"value\": \"time, ms\", \"spread\": \"sd * n\", \"group\": \"kind\", "
                           "\"name\": \"size ${n}\", \"terms\": ["
                           "{\"workload\": \"w:N=${n * 2}\", \"weight\": \"n / 64\"},"
                           "{\"workload\": \"w:N=128\", \"launch\": 3, \"weight\": \"0 - 0.5\"}]}}";

static void check_sums(const struct board *board) {
  assert_int_equal(board->count, 2);
  assert_true(board_unit_ns(board) == 1e6);
  const struct board_measurement *m = board->measurements;
  assert_string_equal(m[0].name, "size 64");
  assert_string_equal(m[0].group, "a \"b\"");
  assert_true(m[0].value == 4 && m[0].spread == 32 && m[1].value == 10 && m[1].spread == 32);
  assert_string_equal(m[0].workload, "w:N=128 - 0.5 x w:N=128.3");
  assert_string_equal(m[1].workload, "2 x w:N=256 - 0.5 x w:N=128.3");
  struct board_launches launches;
  struct error error = ERROR_INIT;
  assert_int_equal(board_launches_make(board, &launches, &error), 0);
  assert_int_equal(launches.count, 3); /* those of w:N=128 side by side: 0, 3; then w:N=256 */
  assert_true(launches.all[0].launch == 0 && launches.all[1].launch == 3 && launches.all[2].launch == 0);
  assert_string_equal(launches.all[2].workload, "w:N=256");
  const double times[] = {10, 4, 7};
  assert_true(board_launches_sum(&launches, 0, times) == 8);
  assert_true(board_launches_sum(&launches, 1, times) == 12);
  board_launches_clear(&launches);
}

static void test_points(void **state) {
  char text[1024], frame[1024];
  write_text("sums.csv", table);
  snprintf(text, sizeof text, head, "sums.csv");
  write_text("sums.json", text);
  struct board *plain = load("sums.json");
  check_sums(plain);
  const size_t length = ZSTD_compress(frame, sizeof frame, table, strlen(table), 3);
  assert_false(ZSTD_isError(length));
  write_file("sums.csv.zst", frame, length);
  snprintf(text, sizeof text, head, "sums.csv.zst");
  write_text("sums.json", text);
  struct board *compressed = load("sums.json");
  check_sums(compressed);
  assert_int_equal(board_hash(plain), board_hash(compressed));
  board_destroy(plain);
  board_destroy(compressed);
  unlink("sums.csv");
  unlink("sums.csv.zst");
  unlink("sums.json");
  (void)state;
}

/* The launch of a record may stand in a column. */
static void test_launches_of_a_column(void **state) {
  write_text("launches.csv", "us,which,n\n4,0,64\n9,18,64\n");
  write_text("launches.json", "{\"schema\": \"reassemble.board/1\", \"name\": \"l\", \"unit\": \"us\", \"points\": "
                              "{\"file\": \"launches.csv\", \"value\": \"us\", \"workload\": \"w:N=${n}\", "
                              "\"launch\": \"which\"}}");
  struct board *board = load("launches.json");
  assert_int_equal(board->count, 2);
  assert_string_equal(board->measurements[0].workload, "w:N=64");
  assert_string_equal(board->measurements[1].workload, "w:N=64");
  assert_int_equal(board->measurements[1].terms[0].launch, 18);
  board_destroy(board);
  unlink("launches.csv");
  unlink("launches.json");
  (void)state;
}

static void test_terms(void **state) {
  write_text("net.json", "{\"schema\": \"reassemble.board/1\", \"name\": \"net\", \"unit\": \"us\", \"measurements\": ["
                         "{\"name\": \"n\", \"value\": 5, \"terms\": [{\"workload\": \"a\", \"weight\": 2}, "
                         "{\"workload\": \"b\"}]}, {\"name\": \"b\", \"value\": 3, \"workload\": \"b\"}]}");
  struct board *board = load("net.json");
  assert_true(board_unit_ns(board) == 1e3 && !board->gpu && !board->free_scale);
  assert_string_equal(board->measurements[0].workload, "2 x a + b");
  assert_string_equal(board->measurements[1].workload, "b");
  struct board_launches launches;
  struct error error = ERROR_INIT;
  assert_int_equal(board_launches_make(board, &launches, &error), 0);
  const double times[] = {10, 4};
  assert_int_equal(launches.count, 2);
  assert_true(board_launches_sum(&launches, 0, times) == 24 && board_launches_sum(&launches, 1, times) == 4);
  board_launches_clear(&launches);
  board_destroy(board);
  unlink("net.json");
  (void)state;
}

static void test_table_alone(void **state) {
  write_text("alone.csv", "workload,value\na,5\nb,3\n");
  struct board *board = load("alone.csv:1");
  assert_int_equal(board->count, 1);
  assert_true(board->free_scale && board_unit_ns(board) == 0);
  assert_string_equal(board->name, "alone");
  assert_string_equal(board->choice, "1");
  board_destroy(board);
  unlink("alone.csv");
  (void)state;
}

int main(void) {
  char folder[] = "/tmp/board-sums-XXXXXX";
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_launches_of_a_column),
                                     cmocka_unit_test(test_terms), cmocka_unit_test(test_table_alone)};
  if (!mkdtemp(folder) || chdir(folder) != 0)
    return 1;
  const int status = cmocka_run_group_tests(tests, NULL, NULL);
  return rmdir(folder) == 0 ? status : 1;
}
