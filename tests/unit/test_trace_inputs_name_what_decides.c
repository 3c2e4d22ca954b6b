/* The compiler names the parameters of each kernel that determine the blocks and addresses of its traces, by their
 * values or by the contents of the memory that they point to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "emulate_text.h"

/* The kernel has the parameters a, b, n, m: two buffers of int, two numbers. */
#define PARAMETERS                                                                                                     \
  "kernel void k(global int *a, global int *b, int n, int m, local int *part) {\n  int i = get_global_id(0);\n"
#define A 1
#define B 2
#define N 4
#define M 8

static const char body[] =
    "buffers:\n"
    "  a: {type: int, count: 64, init: index}\n"
    "  b: {type: int, count: 64, init: index}\n"
    "launches:\n"
    "  - {kernel: k, global: [32], local: [16], args: [{buffer: a}, {buffer: b}, {int: 2}, {int: 1}, {local: 64}]}\n";

static const struct {
  const char *name, *kernel;
  uint64_t values, contents;
  bool everything;
} rows[] = {
    {"a value that is stored", "a[i] = b[i] + n; }", 0, 0, false},
    {"a value in an address", "a[i + n] = b[i] * m; }", N, 0, false},
    {"a value in a branch", "if (i < n) a[i] = m; }", N, 0, false},
    {"a value that counts turns", "for (int t = 0; t < n; t++) a[i] = a[i] + m; }", N, 0, false},
    {"contents in an address", "a[i] = b[b[i] & 31]; }", 0, B, false},
    {"contents in a branch", "if (b[i] > 9) a[i] = n; }", 0, B, false},
    {"contents in a divisor", "a[i] = m / (b[i] + 1); }", M, B, false},
    {"a choice without a branch", "a[i] = b[i] > 9 ? n : m; }", 0, 0, false},
    {"contents through another buffer", "a[i] = b[i]; barrier(CLK_GLOBAL_MEM_FENCE); if (a[i ^ 1] > 9) a[i] = 1; }", 0,
     A | B, false},
    {"a value through a buffer", "b[i] = n; barrier(CLK_GLOBAL_MEM_FENCE); a[b[i ^ 1] & 31] = 1; }", N, B, false},
    {"a value through local memory",
     "part[i & 15] = n + i; barrier(CLK_LOCAL_MEM_FENCE); a[part[(i & 15) ^ 1] & 31] = b[i]; }", N, 0, false},
    {"contents through private memory",
     "int own[4]; for (int t = 0; t < 4; t++) own[t] = b[i + t]; own[n & 3] = 5; a[own[m & 3] & 31] = 1; }", N | M, B,
     false},
    {"a function's argument", "a[i] = (int)(sin((float)b[i]) * n); }", 0, 0, false},
    {"an atomic operation that nothing reads", "atomic_add(&a[i & n], b[i]); }", N, 0, false},
    {"an atomic operation's result in an address", "b[atomic_add(&a[0], m) & 31] = n; }", M, A, false},
    {"print", "a[i] = 1; if (i == 0) printf(\"%d\\n\", b[i]); }", 0, 0, true},
};

static void parameters_that_decide_are_named(void **state) {
  (void)state;
  const struct emulate_options options = {.trace_directory = ".", .quiet = true, .no_print = true};
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    struct emulate_text t;
    char *kernel = text_format("%s  %s\n", PARAMETERS, rows[r].kernel);
    if (emulate_text_run(&t, "k", kernel, body, &options))
      fail_msg("%s: %s", rows[r].name, t.error.text);
    const struct launch_inputs found = t.result.launches[0].inputs;
    if (found.everything != rows[r].everything ||
        (!found.everything && (found.values != rows[r].values || found.contents != rows[r].contents)))
      fail_msg("%s: found values %llx, contents %llx, everything %d; expected %llx, %llx, %d", rows[r].name,
               (unsigned long long)found.values, (unsigned long long)found.contents, found.everything,
               (unsigned long long)rows[r].values, (unsigned long long)rows[r].contents, rows[r].everything);
    emulate_text_clear(&t);
    free(kernel);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_that_decide_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
