/* Emulations in a row: each uses the compiler that was started before it, whatever became of the one before; none is
 * left in the end. */
#include "expect_error.h"

#include <errno.h>
#include <sys/wait.h>

#include "emulate_text.h"

static const char good[] = "__kernel void k(__global int *x) {\n  x[get_global_id(0)] += 7;\n}\n";
static const char bad[] = "__kernel void k(__global int *x) {\n  x[get_global_id(0)] = y;\n}\n";
static const char endless[] = "__kernel void k(__global int *x) {\n  while (x[0] == 0)\n    x[1]++;\n}\n";

#define BUFFER "buffers:\n  X: {type: int, count: 64, init: index}\n"
#define LAUNCH BUFFER "launches:\n  - {kernel: k, global: 64, local: 8, args: [{buffer: X}]}\n"
#define UNEVEN BUFFER "launches:\n  - {kernel: k, global: 64, local: 7, args: [{buffer: X}]}\n"

static void works(bool more_follow) {
  struct emulate_text t;
  const struct emulate_options options = {.more_follow = more_follow};
  assert_int_equal(emulate_text_run(&t, "good", good, LAUNCH, &options), 0);
  const int *x = t.result.buffers[0];
  for (int i = 0; i < 64; i++)
    assert_int_equal(x[i], i + 7);
  emulate_text_clear(&t);
}

static void fails(const char *kernel, const char *body, const char *message) {
  struct emulate_text t;
  const struct emulate_options options = {.more_follow = true, .timeout_s = kernel == endless ? 0.1 : 0};
  assert_int_equal(emulate_text_run(&t, "fails", kernel, body, &options), -1);
  if (!strstr(t.error.text, message))
    fail_msg("found \"%s\", expected \"%s\"", t.error.text, message);
  emulate_text_clear(&t);
}

static void none_is_left(void) {
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
}

static void whatever_became_of_the_one_before(void **state) {
  (void)state;
  emulate_expect(NULL);
  works(true);
  fails(bad, LAUNCH, "use of undeclared identifier 'y'");
  works(true);
  fails(endless, LAUNCH, "took more than");
  fails(good, UNEVEN, "local");
  works(true);
  works(false);
  none_is_left();
}

static void one_that_was_not_expected(void **state) {
  (void)state;
  works(false);
  none_is_left();
}

static void expecting_twice_is_expecting_once(void **state) {
  (void)state;
  emulate_expect(NULL);
  emulate_expect(NULL);
  works(false);
  none_is_left();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whatever_became_of_the_one_before),
                                     cmocka_unit_test(one_that_was_not_expected),
                                     cmocka_unit_test(expecting_twice_is_expecting_once)};
  setenv("REASSEMBLE_CACHE", "none", 1); /* what is kept needs no compiler */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
