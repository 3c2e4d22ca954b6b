/* A buffer after emulation is compared with OpenCL's: to the bit, to some ULPs, and with subnormal numbers that a
 * device may treat as zero. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tracegen/program/capture/capture_compare.h"

static enum capture_agreement compared(const char *type, const void *actual, const void *expected, size_t bytes) {
  char copy[16], difference[256];
  memcpy(copy, actual, bytes);
  json_t *launch =
      json_pack("{s: [{s: i, s: s, s: i, s: i}]}", "args", "buffer", 3, "type", type, "offset", 0, "bytes", (int)bytes);
  char name[] = "b";
  struct workload_buffer buffer = {.name = name};
  const enum capture_agreement found =
      capture_compare(launch, 3, &buffer, copy, expected, bytes, 16, difference, sizeof difference);
  json_decref(launch);
  return found;
}

static enum capture_agreement of_floats(uint32_t actual, uint32_t expected) {
  return compared("float*", &actual, &expected, sizeof actual);
}

static void numbers_agree_to_some_ulps(void **state) {
  (void)state;
  assert_int_equal(of_floats(0x3f800000, 0x3f800000), CAPTURE_EQUAL);
  assert_int_equal(of_floats(0x3f800000, 0x3f800010), CAPTURE_CLOSE);
  assert_int_equal(of_floats(0x3f800000, 0x3f800011), CAPTURE_DIFFERS);
}

static void subnormal_numbers_may_be_flushed(void **state) {
  (void)state;
  assert_int_equal(of_floats(0x00000040, 0x00000000), CAPTURE_CLOSE);
  assert_int_equal(of_floats(0x807fffff, 0x80000000), CAPTURE_CLOSE);
  assert_int_equal(of_floats(0x00ffffff, 0x00000000), CAPTURE_DIFFERS); /* a normal number */
}

static void other_types_are_not(void **state) {
  (void)state;
  const uint64_t subnormal = 0x40, zero = 0;
  assert_int_equal(compared("double*", &subnormal, &zero, sizeof zero), CAPTURE_DIFFERS);
  assert_int_equal(compared("int*", &subnormal, &zero, sizeof zero), CAPTURE_DIFFERS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_agree_to_some_ulps),
      cmocka_unit_test(subnormal_numbers_may_be_flushed),
      cmocka_unit_test(other_types_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
