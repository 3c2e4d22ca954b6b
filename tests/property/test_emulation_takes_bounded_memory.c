/* Memory of an emulation whose work-items all go ways of their own, on random places: it does not grow with the launch
 * or with a work-group, while its trace does; where a work-item is too long the message says what helps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdint.h>
#include <sys/resource.h>

#include "counted_memory.h"
#include "emulate_text.h"
#include "rounds.h"

enum { PLACES = 65536, BUFFERS = 2 * PLACES * sizeof(int) };

#define BEYOND_BUFFERS                                                                                                 \
  (UINT64_C(320) << 20)                   /* with one job; tables of ways and places are emptied when they are full */
#define ANOTHER_JOB (UINT64_C(160) << 20) /* has a table of ways of its own, the writer one for each */

static const char kernel[] = "kernel void wander(global const int *a, global int *b, int steps) {\n"
                             "  uint r = get_global_id(0) * 2654435761u;\n"
                             "  int s = 0;\n"
                             "#ifdef TOGETHER\n"
                             "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "#endif\n"
                             "  for (int i = 0; i < steps; i++) {\n"
                             "    r = r * 1664525u + 1013904223u;\n"
                             "    if (r >> 31) s += a[(r >> 8) & 65535];\n"
                             "    else s -= a[(r >> 9) & 65535];\n"
                             "    if ((r >> 28 & 3) == 1) s ^= i;\n"
                             "  }\n"
                             "  b[get_global_id(0) & 65535] = s;\n"
                             "}\n";

enum way {
  APART,
  TOGETHER
}; /* one work-item behind the other, or with a barrier, so that none ends before the others */

static int wander(struct emulate_text *t, enum way way, unsigned items, unsigned steps,
                  const struct emulate_options *options) {
  char body[512];
  snprintf(body, sizeof body,
           "%sbuffers:\n  a: {type: int, count: %d}\n  b: {type: int, count: %d}\nlaunches:\n"
           "  - {kernel: wander, global: %u, local: 32, args: [{buffer: a}, {buffer: b}, {int: %u}]}\n",
           way == TOGETHER ? "options: -DTOGETHER\n" : "", PLACES, PLACES, items, steps);
  return emulate_text_run(t, "wander", kernel, body, options);
}

/* Bytes of the largest process so far. */
static uint64_t largest(void) {
  struct rusage usage;
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
  return (uint64_t)usage.ru_maxrss << 10;
}

static uint64_t trace_bytes(enum way way, unsigned items, unsigned steps, unsigned jobs) {
  const struct emulate_options options = {.trace_directory = "bounded-traces", .jobs = jobs};
  struct emulate_text t;
  if (wander(&t, way, items, steps, &options))
    fail_msg("%s", t.error.text);
  const uint64_t bytes = t.result.launches[0].trace_bytes;
  unlink(t.result.launches[0].trace_path);
  emulate_text_clear(&t);
  return bytes;
}

/* The record of a work-group ten times as long: in memory alone it took 200 MB, then 1,640. */
static void a_longer_work_group_takes_no_more(void **state) {
  (void)state;
  const uint64_t short_bytes = trace_bytes(TOGETHER, 32, 40000, 1), short_most = largest();
  const uint64_t long_bytes = trace_bytes(TOGETHER, 32, 400000, 1), long_most = largest();
  print_message("traces: %llu and %llu bytes, largest process: %llu and %llu bytes\n", (unsigned long long)short_bytes,
                (unsigned long long)long_bytes, (unsigned long long)short_most, (unsigned long long)long_most);
  assert_true(long_bytes > 9 * short_bytes);
#ifndef REASSEMBLE_SANITIZED
  assert_true(long_most < BUFFERS + BEYOND_BUFFERS);
#endif
}

static void nor_do_several_beside_each_other(void **state) {
  (void)state;
  const uint64_t bytes = trace_bytes(APART, 4 * 32, 100000, 2), most = largest();
  print_message("trace: %llu bytes, largest process: %llu bytes\n", (unsigned long long)bytes,
                (unsigned long long)most);
#ifndef REASSEMBLE_SANITIZED
  assert_true(most < BUFFERS + BEYOND_BUFFERS + ANOTHER_JOB);
#endif
}

static void a_longer_launch_takes_no_more(void **state) {
  const struct emulate_options options = {.trace_directory = "bounded-traces"};
  struct emulate_text t;
  (void)state;
  if (wander(&t, APART, rounds(10) * 32000, 20, &options))
    fail_msg("%s", t.error.text);
  const uint64_t most = largest(), written = t.result.launches[0].trace_bytes;
  print_message("largest process: %llu bytes, trace: %llu bytes (at most %llu beyond buffers of %llu)\n",
                (unsigned long long)most, (unsigned long long)written, (unsigned long long)BEYOND_BUFFERS,
                (unsigned long long)BUFFERS);
  assert_true(written > rounds(10) * (UINT64_C(5) << 19));
#ifndef REASSEMBLE_SANITIZED /* shadow memory counts too */
  assert_true(most < BUFFERS + BEYOND_BUFFERS);
#endif
  unlink(t.result.launches[0].trace_path);
  emulate_text_clear(&t);
}

static void a_work_item_that_is_too_long_says_what_helps(void **state) {
  (void)state;
#ifndef REASSEMBLE_SANITIZED /* there is no limit then */
  const struct emulate_options options = {.trace_directory = "bounded-traces", .memory_bytes = (size_t)192 << 20};
  struct emulate_text t;
  assert_int_not_equal(wander(&t, APART, 32, 24000000, &options), 0);
  assert_non_null(strstr(t.error.text, "kernel wander"));
  assert_non_null(strstr(t.error.text, "a higher --memory"));
  emulate_text_clear(&t);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_longer_work_group_takes_no_more),
      cmocka_unit_test(a_longer_launch_takes_no_more),
      cmocka_unit_test(nor_do_several_beside_each_other), /* the largest process from here on */
      cmocka_unit_test(a_work_item_that_is_too_long_says_what_helps),
  };
  count_small_pages();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
