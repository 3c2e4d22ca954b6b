/* The documents of `reassemble trace --json` and `info --json`: the same counts; traces under any name and from
 * pipes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_documents.h"

static void test_trace_then_info(void **state) {
  (void)state;
  json_t *root = document("trace saxpy reduction -o traces --json --quiet", "reassemble.trace/1");
  assert_true(strlen(text(root, "front_end")) > 0);
  const json_t *traces = list(root, "traces", 2), *first = json_array_get(traces, 0);
  assert_string_equal(text(first, "workload"), "saxpy");
  assert_string_equal(text(first, "kernel"), "saxpy");
  assert_string_equal(text(first, "file"), "traces/saxpy.rtrace");
  const json_int_t instructions = whole(first, "work_item_instructions"), bytes = whole(first, "trace_bytes");
  assert_true(number(first, "build_s") >= 0 && number(first, "run_s") >= 0);

  json_t *info = document("info --json traces/saxpy.rtrace", "reassemble.info/1");
  const json_t *entry = json_array_get(list(info, "traces", 1), 0);
  assert_string_equal(text(entry, "kernel"), "saxpy");
  assert_int_equal(whole(entry, "work_item_instructions"), instructions);
  assert_int_equal(whole(entry, "file_bytes"), bytes);
  assert_int_equal(whole(entry, "groups"), 1024);
  assert_int_equal(json_array_size(json_object_get(entry, "global")), 1);
  assert_int_equal(whole(json_array_get(list(entry, "buffers", 2), 0), "bytes"), 65000 * 4);
  assert_int_equal(whole(json_object_get(entry, "operations"), "float_fma"), 65000);
  json_decref(info);
  json_decref(root);
}

static const char *const kernel_arguments =
    "--kernel saxpy --global 4096 --local 64 --arg 'float[4096]=uniform' --arg 'float[4096]=index' --arg float=2 "
    "--arg int=4000 --options -DUNUSED=1 -o traces --json --quiet";

/* A kernel file with its launch on the command line, then the launch that --save kept: the same instructions. */
static void test_kernel_file(void **state) {
  (void)state;
  char arguments[4096];
  snprintf(arguments, sizeof arguments, "trace '%s/datasets/kernels/saxpy.cl' %s --save kept.yaml",
           getenv("REASSEMBLE_DATA"), kernel_arguments);
  json_t *root = document(arguments, "reassemble.trace/1");
  const json_int_t instructions = whole(json_array_get(list(root, "traces", 1), 0), "work_item_instructions");
  json_decref(root);

  root = document("info --json traces/saxpy.saxpy.4096.64.rtrace", "reassemble.info/1");
  const json_t *entry = json_array_get(list(root, "traces", 1), 0);
  assert_string_equal(text(entry, "options"), "-DUNUSED=1");
  assert_int_equal(whole(entry, "groups"), 64);
  assert_int_equal(whole(json_object_get(entry, "operations"), "float_fma"), 4000);
  assert_int_equal(whole(json_object_get(entry, "operations"), "load"), 8000);
  json_decref(root);

  root = document("trace kept.yaml -o kept --json --quiet", "reassemble.trace/1");
  assert_int_equal(whole(json_array_get(list(root, "traces", 1), 0), "work_item_instructions"), instructions);
  json_decref(root);
}

/* A file name that is not UTF-8 is still one entry of the results. */
static void test_names_that_are_not_utf8(void **state) {
  (void)state;
  assert_int_equal(system("cp \"$REASSEMBLE_DATA/tests/golden/gemm-4.rtrace\" \"$(printf '\\377.rtrace')\""), 0);
  json_t *root = document("info --json \"$(printf '\\377.rtrace')\"", "reassemble.info/1");
  assert_string_equal(text(json_array_get(list(root, "traces", 1), 0), "file"), "?.rtrace");
  json_decref(root);
  root = document("simulate --json -q -g mali-g71-mp8 \"$(printf '\\377.rtrace')\"", "reassemble.simulate/1");
  check_simulated(json_array_get(list(root, "kernels", 1), 0));
  json_decref(root);
  root = document("rank --json -q -g mali-g71-mp8 \"$(printf '\\377.rtrace')\"", "reassemble.rank/1");
  list(root, "variants", 1);
  json_decref(root);
}

static const char *name_of_kernel(const json_t *root) {
  return text(json_array_get(list(root, "kernels", 1), 0), "name");
}

/* A trace is one under any file name, and from a pipe, where it goes by its workload's name. */
static void test_traces_under_other_names(void **state) {
  (void)state;
  assert_int_equal(system("\"$REASSEMBLE_PROGRAM\" trace saxpy -q -o other >/dev/null"), 0);
  assert_int_equal(rename("other/saxpy.rtrace", "other/kept.bin"), 0);
  json_t *file = document("simulate -q --json -g mali-g71-mp8 other/kept.bin", "reassemble.simulate/1");
  assert_string_equal(name_of_kernel(file), "kept");

  const int status =
      system("cat other/kept.bin | \"$REASSEMBLE_PROGRAM\" simulate -q --json -g mali-g71-mp8 - >piped.txt");
  assert_int_equal(status, 0);
  char *printed = contents("piped.txt");
  json_t *piped = parse(printed);
  assert_string_equal(name_of_kernel(piped), "saxpy");
  assert_true(number(json_array_get(list(piped, "kernels", 1), 0), "cycles") ==
              number(json_array_get(list(file, "kernels", 1), 0), "cycles"));
  json_decref(piped);
  json_decref(file);
  free(printed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_trace_then_info), cmocka_unit_test(test_kernel_file),
                                     cmocka_unit_test(test_names_that_are_not_utf8),
                                     cmocka_unit_test(test_traces_under_other_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
