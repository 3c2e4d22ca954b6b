/* --out-of-bounds read-zero: loads from outside of a buffer give zeros and are counted, in every way in which a load
 * is checked; everything else that leaves a buffer still ends the launch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emulate_text.h"
#include "trace/read/reader.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: int, count: 64, init: index}\n  B: {type: int, count: 256}\n"                                 \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}, {buffer: B}, {local: 64}, {int: 64}]}\n"
#define KERNEL                                                                                                         \
  "__kernel void k(__global int *a, __global int *b, __local int *l, int n) {\n  int i = get_global_id(0);\n"
#define END "}\n"

struct passing {
  const char *kernel;
  uint64_t count;
  const char *first; /* the beginning of the message */
  int at;            /* B[at] has to be `value` */
  int value;
};

#define ITEM(n) "line 3: kernel k, work-item (" #n ", 0, 0): load of "

static const struct passing passing[] = {
    {KERNEL "  b[i] = a[i + 1] + 5;\n" END, 1, ITEM(63) "4 bytes at byte offset 256 of buffer \"A\"", 63, 5},
    {KERNEL "  b[i] = a[i - 1] + 5;\n" END, 1, ITEM(0) "4 bytes at byte offset -4 of buffer \"A\"", 0, 5},
    {KERNEL "  b[i] = a[i + ((long)1 << 34)] + 5;\n" END, 64, ITEM(0) "4 bytes at byte offset 68719476736 of", 9, 5},
    {KERNEL "  b[i] = vload4(i, a).y + 5;\n" END, 48, ITEM(16) "16 bytes at byte offset 256 of buffer \"A\"", 16, 5},
    {KERNEL "  b[i] = ((__global int8 *)a)[i & 15].s7 + 5;\n" END, 32, ITEM(8) "32 bytes at byte offset 256", 8, 5},
    {/* the buffer is only known while the kernel runs */
     KERNEL "  __global int *p = n > 70 ? b : a;\n  b[i] = p[i + 1] + 5;\n" END, 1,
     "line 4: kernel k, work-item (63, 0, 0): load of 4 bytes of global memory lies in no buffer", 63, 5},
    {/* with barriers */
     KERNEL "  l[i & 15] = a[i + 1]; barrier(CLK_LOCAL_MEM_FENCE);\n  b[i] = l[15 - (i & 15)] + 5;\n" END, 1,
     ITEM(63) "4 bytes at byte offset 256", 48, 5},
    {/* the optimiser moves the load behind the branch: a dry run meets it */
     KERNEL "  int x = a[i + 1]; if (i < 60)\n    b[i] = x;\n" END, 0, "", 59, 60},
    {/* a copy of zeros is defined where the buffer's own contents are not */
     KERNEL "  b[i + 64] = b[i + 256];\n  b[i] = b[i + 64] + 5;\n" END, 64, ITEM(0) "4 bytes at byte offset 1024 of", 3,
     5},
    {"__constant int t[4] = {1, 2, 3, 4};\n" KERNEL "  b[i] = t[i] + 5;\n" END, 60,
     "line 4: kernel k, work-item (4, 0, 0): load of 4 bytes at byte offset 16 of constant variable \"t\"", 4, 5},
};

static const struct {
  const char *kernel, *message;
} refused[] = {
    {KERNEL "  a[i + 1] = 1;\n" END, "store of 4 bytes at byte offset 256 of buffer \"A\""},
    {KERNEL "  atomic_inc(a + i + 1);\n" END, "atomic operation of 4 bytes at byte offset 256 of buffer \"A\""},
    {KERNEL "  l[i & 15] = 1;\n  b[i] = l[(i & 15) + 1];\n" END, "of local memory \"l\""},
    {KERNEL "  int p[4] = {0};\n  p[i & 3] = i;\n  b[i] = p[a[i]];\n" END, "of private variable \"p\""},
    {KERNEL "  __global int *p = (__global int *)(size_t)(n - 64);\n  b[i] = *p;\n" END, "through a null pointer"},
    {KERNEL "  b[i] = *(__global int *)((__global char *)a + 255);\n" END, "values lie at multiples of their size"},
};

static const struct emulate_options zeros = {
    .timeout_s = 60, .quiet = true, .trace_directory = "outside-traces", .out_of_bounds = OUT_OF_BOUNDS_READ_ZERO};

static void loads_outside_give_zeros(void **state) {
  for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
    const struct passing *p = &passing[i];
    struct emulate_text t;
    if (emulate_text_run(&t, "outside", p->kernel, BODY, &zeros))
      fail_msg("kernel %zu: %s", i, t.error.text);
    const struct outside_loads *outside = &t.result.launches[0].outside;
    print_message("kernel %zu: %llu loads, %s\n", i, (unsigned long long)outside->count, outside->first);
    assert_int_equal(outside->count, p->count);
    assert_memory_equal(outside->first, p->first, strlen(p->first));
    assert_int_equal(((int *)t.result.buffers[1])[p->at], p->value);
    emulate_text_clear(&t);
  }
  (void)state;
}

static void everything_else_is_refused(void **state) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct emulate_text t;
    assert_int_equal(emulate_text_run(&t, "outside", refused[i].kernel, BODY, &zeros), -1);
    if (!strstr(t.error.text, refused[i].message))
      fail_msg("found \"%s\", expected \"%s\"", t.error.text, refused[i].message);
    emulate_text_clear(&t);
  }
  (void)state;
}

/* The first load is that of the first work-group, whichever thread meets one first. */
static void any_number_of_threads_counts_the_same(void **state) {
  static const char body[] = "buffers:\n  A: {type: int, count: 64, init: index}\n  B: {type: int, count: 262144}\n"
                             "launches:\n  - {kernel: k, global: 262144, local: 64, args: [{buffer: A}, {buffer: B}, "
                             "{local: 64}, {int: 64}]}\n";
  for (unsigned jobs = 1; jobs <= 3; jobs++) {
    struct emulate_options options = zeros;
    struct emulate_text t;
    options.jobs = jobs;
    assert_int_equal(emulate_text_run(&t, "outside", KERNEL "  b[i] = a[i ^ 64];\n" END, body, &options), 0);
    const struct outside_loads *outside = &t.result.launches[0].outside;
    assert_int_equal(outside->count, 262144 - 64);
    assert_memory_equal(outside->first, ITEM(0), strlen(ITEM(0)));
    emulate_text_clear(&t);
  }
  (void)state;
}

static void the_trace_says_how_many(void **state) {
  struct emulate_text t;
  struct trace *trace;
  assert_int_equal(emulate_text_run(&t, "outside", passing[0].kernel, BODY, &zeros), 0);
  assert_int_equal(trace_load(t.result.launches[0].trace_path, &trace, NULL), 0);
  assert_true(trace->header.reads_zero);
  assert_int_equal(trace->outside_loads, 1);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_outside_give_zeros),
      cmocka_unit_test(everything_else_is_refused),
      cmocka_unit_test(any_number_of_threads_counts_the_same),
      cmocka_unit_test(the_trace_says_how_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
