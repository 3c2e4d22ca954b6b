/* Kernels that do what none should, by kind, with what has to be said about each: kernels.txt holds a case a line.
 * REASSEMBLE_UPDATE_CASES=1 writes what is said now into that file; the diff is the review. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emulate_text.h"

enum { LINE_BYTES = 8192 };

static const char launch[] =
    "buffers:\n  A: {type: int, count: 64, init: index}\n"
    "launches:\n  - {kernel: k, global: 64, local: 8, args: [{buffer: A}, {local: 32}, {int: 64}]}\n";

static char *case_file(void) {
  const char *root = getenv("REASSEMBLE_DATA");
  char *path = text_format("%s/tests/hostile/kernels.txt", root ? root : ".");
  assert_non_null(path);
  return path;
}

/* Writes what the emulator says: "ends well", or the error without the name of the file. */
static void emulate(const char *body, double limit_s, char *said, size_t size) {
  const bool zeros = body[0] == '~';
  const struct emulate_options options = {.timeout_s = limit_s,
                                          .quiet = true,
                                          .no_print = true,
                                          .more_follow = true,
                                          .out_of_bounds = zeros ? OUT_OF_BOUNDS_READ_ZERO : OUT_OF_BOUNDS_TRAP};
  struct emulate_text t;
  body += zeros;
  char *source = body[0] == '@' ? strdup(body + 1)
                                : text_format("__kernel void k(__global int *a, __local int *l, int n) { %s }\n", body);
  assert_non_null(source);
  const int status = emulate_text_run(&t, "hostile", source, launch, &options);
  snprintf(said, size, "%s", status == 0 ? "ends well" : t.error.text);
  said[strcspn(said, "\n")] = '\0';
  emulate_text_clear(&t);
  free(source);
}

/* The limits of time, in seconds: a busy machine may not get to the end of a kernel, or to its endless loop, within the
 * first. What is expected names the first. */
static const double limits_s[] = {0.5, 5, 50};

/* Replaces the limit in what is said by the first limit. */
static void name_first_limit(char *said, size_t size, double limit_s) {
  char found[64], *at, *rest;
  snprintf(found, sizeof found, "took more than %g s", limit_s);
  if (!(at = strstr(said, found)))
    return;
  rest = strdup(at + strlen(found));
  assert_non_null(rest);
  snprintf(at, size - (size_t)(at - said), "took more than %g s%s", limits_s[0], rest);
  free(rest);
}

static bool same_text(const char *said, const char *expected, size_t length) {
  return strlen(said) == length && strncmp(said, expected, length) == 0;
}

/* A case is "body of the kernel => what is said"; a body behind "@" is a whole source. Other lines are comments. */
static int check(const char *line, FILE *update) {
  char said[4096], body[LINE_BYTES];
  const char *arrow = strstr(line, " => ");
  if (line[0] == '#' || !arrow) {
    fputs(line, update);
    return 0;
  }
  snprintf(body, sizeof body, "%.*s", (int)(arrow - line), line);
  const size_t length = strcspn(arrow + 4, "\n");
  const size_t attempts = getenv("REASSEMBLE_UPDATE_CASES") ? 1 : sizeof limits_s / sizeof limits_s[0];
  bool same = false;
  for (size_t i = 0; i < attempts && !same; i++) {
    emulate(body, limits_s[i], said, sizeof said);
    name_first_limit(said, sizeof said, limits_s[i]);
    same = same_text(said, arrow + 4, length);
  }
  fprintf(update, "%s => %s\n", body, said);
  if (!same)
    print_error("%s\n  said:     %s\n  expected: %.*s\n", body, said, (int)length, arrow + 4);
  return same ? 0 : 1;
}

static void every_kernel_gets_its_message(void **state) {
  char line[LINE_BYTES], *path = case_file(), *text = NULL;
  size_t length;
  FILE *in = fopen(path, "r"), *update = open_memstream(&text, &length);
  int wrong = 0;
  (void)state;
  assert_true(in && update);
  while (fgets(line, sizeof line, in))
    wrong += check(line, update);
  assert_int_equal(fclose(in) | fclose(update), 0);
  if (getenv("REASSEMBLE_UPDATE_CASES"))
    write_text(path, text);
  else
    assert_int_equal(wrong, 0);
  free(text);
  free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kernel_gets_its_message)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
