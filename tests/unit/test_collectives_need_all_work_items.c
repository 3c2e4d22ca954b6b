/* Functions of whole sub-groups and work-groups: a work-item that does not call one is named, and so is an undefined
 * value that others would get. Functions for those that are there pass. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "options: -cl-std=CL3.0\nbuffers:\n  A: {type: int, count: 64, init: index}\n"                                       \
  "launches:\n  - {kernel: k, global: 64, local: 32, sub_group: 8, args: [{buffer: A}]}\n"
#define KERNEL "__kernel void k(__global int *a) {\n  int i = get_global_id(0), l = get_local_id(0);\n  int v = a[i];\n"
#define END    "  a[i] = v;\n}\n"
#define SUB    "waits for ever at sub_group_reduce_add, which all work-items of the sub-group must reach; waiting: "

static const struct kernel_mistake bad[] = {
    {KERNEL "  if (i != 11)\n    v = sub_group_reduce_add(v);\n" END, 5, 8,
     SUB "(8, 0, 0) (9, 0, 0) (10, 0, 0) (12, 0, 0) (13, 0, 0) (14, 0, 0) (15, 0, 0); finished: (11, 0, 0)"},
    {KERNEL "  if (l >= 30)\n    return;\n  v = sub_group_reduce_add(v);\n" END, 6, 24,
     SUB "(24, 0, 0) (25, 0, 0) (26, 0, 0) (27, 0, 0) (28, 0, 0) (29, 0, 0); finished: (30, 0, 0) (31, 0, 0)"},
    {KERNEL "  if (l == 1)\n    v = sub_group_reduce_add(v);\n  else\n    v = sub_group_all(v);\n" END, 7, 0,
     "waits for ever at sub_group_all, which all work-items of the sub-group must reach; waiting: (0, 0, 0) (2, 0, 0) "
     "(3, "
     "0, 0) (4, 0, 0) (5, 0, 0) (6, 0, 0) (7, 0, 0); at sub_group_reduce_add in line 5: (1, 0, 0)"},
    {KERNEL "  if (l < 8)\n    v = work_group_reduce_add(v);\n" END, 5, 0,
     "waits for ever at work_group_reduce_add, which all work-items of the work-group must reach; waiting: (0, 0, 0) "
     "(1, "
     "0, 0) (2, 0, 0) (3, 0, 0) (4, 0, 0) (5, 0, 0) (6, 0, 0) (7, 0, 0); finished: (8, 0, 0) (9, 0, 0) (10, 0, 0) (11, "
     "0, 0) (12, 0, 0) (13, 0, 0) (14, 0, 0) (15, 0, 0) and 16 more"},
    {KERNEL "  if (l < 8)\n    barrier(CLK_LOCAL_MEM_FENCE);\n  else\n    v = work_group_any(v);\n" END, 5, 0,
     "waits for ever at this barrier, which all work-items of the work-group must reach; waiting: (0, 0, 0) (1, 0, 0) "
     "(2, "
     "0, 0) (3, 0, 0) (4, 0, 0) (5, 0, 0) (6, 0, 0) (7, 0, 0); at work_group_any in line 7: (8, 0, 0) (9, 0, 0) (10, "
     "0, "
     "0) (11, 0, 0) (12, 0, 0) (13, 0, 0) (14, 0, 0) (15, 0, 0) and 16 more"},
};

static const char *const good[] = {
    KERNEL "  if (l < 11)\n    v = sub_group_non_uniform_reduce_add(v);\n" END,
    KERNEL "  if (l == 5)\n    return;\n  v = sub_group_shuffle_xor(v, 1);\n" END,
    KERNEL "  if (l < 16)\n    v = sub_group_reduce_add(v);\n" END,
    KERNEL "  for (int j = 0; j < l / 8; j++)\n    v = sub_group_scan_inclusive_add(v);\n"
           "  barrier(CLK_LOCAL_MEM_FENCE);\n  v += work_group_reduce_max(v);\n" END,
    KERNEL "  v = get_sub_group_local_id() + get_sub_group_id();\n" END,
};

static void each_missing_work_item_is_named(void **state) {
  (void)state;
  expect_mistakes("missing", bad, sizeof bad / sizeof *bad, BODY, "");
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("meet", good, sizeof good / sizeof *good, BODY);
}

static void undefined_values_are_not_passed_on(void **state) {
  (void)state;
  expect_refusal(0, "undefined", KERNEL "  int u;\n  if (v > 3)\n    u = 1;\n  v = sub_group_broadcast(u, 7);\n" END,
                 BODY,
                 "undefined.cl:7: kernel k, work-item (0, 0, 0): reads private variable \"u\", which it has not "
                 "written: the value "
                 "is undefined; trace --undefined-reads none lets it pass");
}

static void too_large_sub_groups_are_refused(void **state) {
  (void)state;
  expect_refusal(0, "large",
                 "__attribute__((intel_reqd_sub_group_size(256)))\n" KERNEL "  v = sub_group_reduce_add(v);\n" END,
                 BODY,
                 "large.yaml:8:5: kernel: kernel k has __attribute__((intel_reqd_sub_group_size(256))); at most 128 "
                 "work-items are supported");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_missing_work_item_is_named),
      cmocka_unit_test(good_kernels_pass),
      cmocka_unit_test(undefined_values_are_not_passed_on),
      cmocka_unit_test(too_large_sub_groups_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
