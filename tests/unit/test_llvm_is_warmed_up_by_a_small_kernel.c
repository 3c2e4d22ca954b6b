/* The kernel that warms LLVM up passes all stages, and leaves nothing behind that others would notice. */
#include "expect_error.h"

#include <string.h>

#include "base/file.h"
#include "emulate_text.h"
#include "tracegen/abi/kernel_abi.h"

#define KERNEL "__kernel void k(__global int *x) {\n  x[get_global_id(0)] = 7;\n}\n"
#define BODY                                                                                                           \
  "buffers:\n  X: {type: int, count: 64, init: index}\n"                                                               \
  "launches:\n  - {kernel: k, global: 64, local: 8, args: [{buffer: X}]}\n"

static void run(char **trace, size_t *length) {
  const struct emulate_options options = {.trace_directory = "warm"};
  struct emulate_text t;
  struct error error = ERROR_INIT;
  if (emulate_text_run(&t, "warm_up_test", KERNEL, BODY, &options))
    fail_msg("%s", t.error.text);
  assert_int_equal(((const int *)t.result.buffers[0])[63], 7);
  assert_int_equal(file_read(t.result.launches[0].trace_path, 1 << 20, trace, length, &error), 0);
  emulate_text_clear(&t);
}

static void it_compiles_and_changes_no_trace(void **state) {
  struct error error = ERROR_INIT;
  char *before, *after;
  size_t before_length, after_length;
  (void)state;
  run(&before, &before_length);
  if (kernel_warm_up(&error))
    fail_msg("%s", error.text);
  assert_int_equal(kernel_warm_up(&error), 0); /* once a process */
  run(&after, &after_length);
  assert_int_equal(before_length, after_length);
  assert_memory_equal(before, after, before_length);
  free(before);
  free(after);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(it_compiles_and_changes_no_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
