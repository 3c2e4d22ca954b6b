/* Errors of every command with --json: one document on stderr, nothing on stdout, the exit code; and as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "json_documents.h"

static void check_refusal(const char *arguments, int code, const char *kind) {
  struct outcome outcome = run(arguments);
  if (outcome.code != code)
    print_error("%s\n", arguments);
  assert_int_equal(outcome.code, code);
  assert_string_equal(outcome.out, "");
  json_t *root = parse(outcome.err);
  assert_string_equal(text(root, "schema"), "reassemble.error/1");
  const json_t *error = json_object_get(root, "error");
  assert_string_equal(text(error, "kind"), kind);
  assert_true(strlen(text(error, "text")) > 0);
  text(error, "file");
  text(error, "key");
  assert_true(whole(error, "line") >= 0 && whole(error, "column") >= 0);
  json_decref(root);
  clear(&outcome);
}

static void test_errors(void **state) {
  (void)state;
  const char *const input[] = {
      "trace saxpi --json",
      "trace --json",
      "info --json none.rtrace",
      "simulate --json saxpy",
      "simulate --json -g mali-g71-mp8 saxpy none",
      "validate --json",
      "validate --json --board none",
      "rank --json -g none saxpy",
      "params --json --gpu none",
      "list --json nothing",
      "simulate --json --no-such-option",
      "no-such-command --json",
  };
  for (size_t i = 0; i < sizeof input / sizeof input[0]; i++)
    check_refusal(input[i], 2, "input");
  check_refusal("trace saxpy --json -o /dev/null/folder", 1, "work");
}

/* The same without --json: text on stderr, nothing on stdout. */
static void test_errors_as_text(void **state) {
  (void)state;
  struct outcome outcome = run("simulate -g mali-g71-mp8 saxpi");
  assert_int_equal(outcome.code, 2);
  assert_string_equal(outcome.out, "");
  assert_int_equal(strncmp(outcome.err, "reassemble: ", 12), 0);
  clear(&outcome);
}

/* An output that cannot be written is an error, not a success without results. */
static void test_full_output(void **state) {
  (void)state;
  char command[4096];
  snprintf(command, sizeof command, "'%s' list workloads --json >/dev/full 2>stderr.txt", getenv("REASSEMBLE_PROGRAM"));
  const int status = system(command);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  char *err = contents("stderr.txt");
  json_decref(parse(err));
  free(err);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_errors), cmocka_unit_test(test_errors_as_text),
                                     cmocka_unit_test(test_full_output)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
