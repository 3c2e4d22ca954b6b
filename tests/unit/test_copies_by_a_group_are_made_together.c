/* async_work_group_copy, its strided kin and wait_group_events: all work-items of a group make the same calls with the
 * same arguments; a prefetch is each one's own. */
#include "kernel_verdicts.h"

#define BODY                                                                                                           \
  "buffers:\n  A: {type: int, count: 64, init: index}\n"                                                               \
  "launches:\n  - {kernel: k, global: 64, local: 16, args: [{buffer: A}]}\n"
#define KERNEL                                                                                                         \
  "__kernel void k(__global int *a) {\n  int i = get_global_id(0), l = get_local_id(0), g = i / 16;\n"                 \
  "  __local int t[32], u[32];\n  event_t e;\n"
#define WAIT "  wait_group_events(1, &e);\n"
#define END  "  a[i] = t[0];\n}\n"

static const struct kernel_mistake bad[] = {
    {KERNEL "  if (l < 8) {\n    e = async_work_group_copy(t, a, 16, 0);\n    wait_group_events(1, &e);\n  }\n" END, 6,
     0, "calls async_work_group_copy, and work-item (8, 0, 0) of its work-group does not"},
    {KERNEL "  t[0] = i;\n  if (i == 33)\n    e = async_work_group_copy(t, a, 16, 0);\n" END, 7, 33,
     "calls async_work_group_copy, and work-item (32, 0, 0) of its work-group does not"},
    {KERNEL "  e = async_work_group_copy(t, a, 16, 0);\n  if (l >= 8)\n    wait_group_events(1, &e);\n" END, 7, 8,
     "calls wait_group_events, and work-item (0, 0, 0) of its work-group does not"},
    {KERNEL "  if (l & 1)\n    e = async_work_group_copy(t, a, 16, 0);\n  else\n"
            "    e = async_work_group_copy(t, a, 16, 0);\n" WAIT END,
     6, 1,
     "calls async_work_group_copy where work-item (0, 0, 0) of its work-group calls async_work_group_copy in line 8"},
    {KERNEL "  for (int j = 0; j < (l < 5 ? 3 : 2); j++)\n    e = async_work_group_copy(t, a, 16, 0);\n" WAIT END, 7, 5,
     "calls wait_group_events where work-item (0, 0, 0) of its work-group calls async_work_group_copy in line 6"},
    {KERNEL "  e = async_work_group_copy(t + l, a, 16, 0);\n" WAIT END, 5, 1,
     "gives async_work_group_copy another destination than work-item (0, 0, 0) of its work-group"},
    {KERNEL "  e = async_work_group_copy(l > 6 ? t : u, a, 16, 0);\n" WAIT END, 5, 7,
     "gives async_work_group_copy another destination than work-item (0, 0, 0) of its work-group"},
    {KERNEL "  e = async_work_group_copy(t, a + (l & 1), 16, 0);\n" WAIT END, 5, 1,
     "gives async_work_group_copy another source than work-item (0, 0, 0) of its work-group"},
    {KERNEL
     "  t[l] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  e = async_work_group_copy(a + 16 * g, t, i == 63 ? 3 : 16, 0);"
     "\n" WAIT END,
     7, 63, "gives async_work_group_copy another number of elements than work-item (48, 0, 0) of its work-group"},
    {KERNEL "  e = async_work_group_strided_copy(t, a, 8, l == 3 ? 3 : 2, 0);\n" WAIT END, 5, 3,
     "gives async_work_group_strided_copy another stride than work-item (0, 0, 0) of its work-group"},
};

static const char *const good[] = {
    KERNEL "  event_t f[2];\n  f[0] = async_work_group_copy(t, a + 16 * g, 16, 0);\n"
           "  f[1] = async_work_group_copy(u, a, 16, 0);\n  f[0] = async_work_group_copy(t, a, 16, f[0]);\n"
           "  wait_group_events(2, f);\n" END,
    KERNEL
    "  t[0] = 3;\n  for (int j = 0; j < g; j++) {\n    e = async_work_group_strided_copy(t, a + 16 * g, 8, 2, 0);"
    "\n    wait_group_events(1, &e);\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n" END,
    KERNEL "  t[l] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (g < 3) {\n"
           "    e = async_work_group_copy(a + 16 * g, t, 16, 0);\n    wait_group_events(1, &e);\n  }\n" END,
    KERNEL "  t[0] = 1;\n  if (i == 3)\n    prefetch(a + l, 2);\n" END,
};

static void each_call_is_named(void **state) {
  expect_mistakes("together", bad, sizeof bad / sizeof *bad, BODY,
                  "; all work-items of a work-group must make this call, with the same arguments");
  (void)state;
}

static void good_kernels_pass(void **state) {
  (void)state;
  expect_good("alike", good, sizeof good / sizeof *good, BODY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_is_named),
      cmocka_unit_test(good_kernels_pass),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
