/* Functions by which work-items exchange values: each result equals its definition, computed work-item by work-item in
 * C, for sub-groups and work-groups of many sizes, for every type, and where work-items have taken different paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <stdint.h>

#include "emulate_text.h"
#include "workload/scalar_element.h"

enum { ITEMS = 240 };

/* A work-group size and a sub-group size. The last sub-group of a work-group may have fewer work-items. */
struct shape {
  unsigned local[2], sub_group;
};

static const struct shape shapes[] = {{{60, 1}, 16}, {{240, 1}, 32}, {{120, 1}, 1}, {{5, 4}, 4},
                                      {{12, 2}, 7},  {{16, 1}, 16},  {{1, 1}, 8},   {{240, 1}, 128}};

static unsigned group_size(const struct shape *s) {
  return s->local[0] * s->local[1];
}

/* Work-items are numbered work-group by work-group, and by local id in each. */
struct neighbours {
  unsigned first, end, own; /* the sub-group's or work-group's work-items; this one */
};

static struct neighbours neighbours_of(const struct shape *s, unsigned item, bool whole_group) {
  const unsigned group = item / group_size(s) * group_size(s), local = item - group;
  struct neighbours n = {group, group + group_size(s), item};
  if (!whole_group) {
    n.first = group + local / s->sub_group * s->sub_group;
    n.end = n.first + s->sub_group < n.end ? n.first + s->sub_group : n.end;
  }
  return n;
}

#define HEAD                                                                                                           \
  "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"                                                                    \
  "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"                                                                    \
  "kernel void k(global const T *x, global R *y) {\n"                                                                  \
  "  int i = get_group_id(1) * get_num_groups(0) + get_group_id(0);\n"                                                 \
  "  int id = get_local_linear_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();\n"                  \
  "  i = i * get_local_size(0) * get_local_size(1) + id;\n"                                                            \
  "  T v = (T)(int)x[i];\n"

/* Runs a kernel of which output f of work-item i is y[f * ITEMS + i]. */
static void run(struct emulate_text *t, const char *type, const char *result_type, const char *body, unsigned outputs,
                const struct shape *s) {
  char *kernel = text_format(HEAD "%s}\n", body);
  char *yaml = text_format(
      "options: \"-cl-std=CL3.0 -DT=%s -DR=%s\"\nbuffers:\n  X: {type: %s, count: %d, init: uniform, low: 0, high: 9}\n"
      "  Y: {type: %s, count: %u}\n"
      "launches:\n  - {kernel: k, global: [%u, %u], local: [%u, %u], sub_group: %u, args: [{buffer: X}, {buffer: "
      "Y}]}\n",
      type, result_type, type, ITEMS, result_type, ITEMS * outputs, ITEMS / s->local[1], s->local[1], s->local[0],
      s->local[1], s->sub_group);
  assert_non_null(kernel);
  assert_non_null(yaml);
  if (emulate_text_run(t, "collectives", kernel, yaml, &(struct emulate_options){.quiet = true}))
    fail_msg("%s: %s:%u: %s", type, t->error.file, t->error.line, t->error.text);
  free(kernel);
  free(yaml);
}

/* ---- reductions and scans ---- */

#define OUT(f, call) "  y[" #f " * 240 + i] = " call ";\n"
#define ARITHMETIC(scope)                                                                                              \
  OUT(0, scope "reduce_add(v)")                                                                                        \
  OUT(1, scope "reduce_min(v)")                                                                                        \
  OUT(2, scope "reduce_max(v)")                                                                                        \
  OUT(3, scope "scan_inclusive_add(v)")                                                                                \
  OUT(4, scope "scan_inclusive_min(v)")                                                                                \
  OUT(5, scope "scan_inclusive_max(v)")                                                                                \
  OUT(6, scope "scan_exclusive_add(v)")                                                                                \
  OUT(7, scope "scan_exclusive_min(v)")                                                                                \
  OUT(8, scope "scan_exclusive_max(v)")

/* The sum, least (1) or greatest value (2) of the work-items of [first, end) that take part. Values are small whole
 * numbers, so that sums are exact in every type. */
static double combined(const double *x, unsigned first, unsigned end, unsigned operation, double start) {
  double result = start;
  for (unsigned i = first; i < end; i++)
    result = operation == 0 ? result + x[i] : operation == 1 ? fmin(result, x[i]) : fmax(result, x[i]);
  return result;
}

struct type {
  const char *name;
  double least, greatest;
};

static const struct type types[] = {
    {"int", INT32_MIN, INT32_MAX},    {"uint", 0, UINT32_MAX},        {"long", INT64_MIN, (double)INT64_MAX},
    {"ulong", 0, (double)UINT64_MAX}, {"float", -INFINITY, INFINITY}, {"double", -INFINITY, INFINITY},
    {"half", -INFINITY, INFINITY},    {"char", INT8_MIN, INT8_MAX},   {"ushort", 0, UINT16_MAX},
};

static double element(const struct emulate_text *t, size_t buffer, size_t i) {
  const double value = scalar_element_value(t->workload->buffers[buffer].type, t->result.buffers[buffer], i);
  return buffer == 0 ? trunc(value) : value; /* as the kernel does */
}

static void check_arithmetic(const struct emulate_text *t, const struct type *type, const struct shape *s,
                             bool whole_group) {
  double x[ITEMS];
  for (unsigned i = 0; i < ITEMS; i++)
    x[i] = element(t, 0, i);
  for (unsigned i = 0; i < ITEMS; i++) {
    const struct neighbours n = neighbours_of(s, i, whole_group);
    for (unsigned f = 0; f < 9; f++) {
      const double start = f % 3 == 0 ? 0 : f % 3 == 1 ? type->greatest : type->least;
      const unsigned end = f < 3 ? n.end : f < 6 ? i + 1 : i;
      const double expected = combined(x, n.first, end, f % 3, start), found = element(t, 1, f * ITEMS + i);
      if (found != expected && !(strcmp(type->name, "char") == 0 && f % 3 == 0)) /* sums of chars wrap around */
        fail_msg("%s, function %u, work-item %u of groups of %u, sub-groups of %u: found %g, expected %g", type->name,
                 f, i, group_size(s), s->sub_group, found, expected);
    }
  }
}

static void reductions_and_scans(void **state) {
  (void)state;
  struct emulate_text t;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      run(&t, types[k].name, types[k].name, ARITHMETIC("sub_group_"), 9, &shapes[s]);
      check_arithmetic(&t, &types[k], &shapes[s], false);
      emulate_text_clear(&t);
      if (k >= 6) /* work-group functions have no small types but half, which the header of this clang leaves out */
        continue;
      run(&t, types[k].name, types[k].name, ARITHMETIC("work_group_"), 9, &shapes[s]);
      check_arithmetic(&t, &types[k], &shapes[s], true);
      emulate_text_clear(&t);
    }
}

static void small_sums_wrap_around(void **state) {
  (void)state;
  struct emulate_text t;
  run(&t, "uchar", "uchar", OUT(0, "sub_group_reduce_add((uchar)(v + 250))"), 1, &shapes[1]);
  for (unsigned i = 0; i < ITEMS; i++) {
    const struct neighbours n = neighbours_of(&shapes[1], i, false);
    unsigned sum = 0;
    for (unsigned j = n.first; j < n.end; j++)
      sum += (unsigned)element(&t, 0, j) + 250;
    assert_int_equal((unsigned)element(&t, 1, i), sum % 256);
  }
  emulate_text_clear(&t);
}

/* ---- work-items that have taken different paths ---- */

#define PATHS                                                                                                          \
  "  if ((int)v & 1) {\n" OUT(0, "sub_group_non_uniform_reduce_mul(v)")                                                \
      OUT(1, "sub_group_non_uniform_scan_exclusive_add(v)") OUT(2, "sub_group_elect()") "  } else {\n" OUT(            \
          0, "sub_group_non_uniform_reduce_add(v)")                                                                    \
          OUT(1, "sub_group_broadcast_first(v)") "  }\n" OUT(                                                          \
              3,                                                                                                       \
              "sub_group_clustered_reduce_add(v, 4)") "  for (int k = 0, n = v; k < n; k++)\n    y[4 * 240 + i] += "   \
                                                      "sub_group_non_uniform_reduce_add(1);\n" OUT(5, "sub_group_"     \
                                                                                                      "reduce_add(1)")

static void check_paths(const struct emulate_text *t, const struct shape *s, unsigned i) {
  const struct neighbours n = neighbours_of(s, i, false);
  const int own = (int)element(t, 0, i);
  int product = 1, sum = 0, before = 0, first = -1, elected = -1, cluster = 0, trips = 0;
  for (unsigned j = n.first; j < n.end; j++) {
    const int v = (int)element(t, 0, j);
    product *= v & 1 ? v : 1;
    sum += v & 1 ? 0 : v;
    before += v & 1 && j < i ? v : 0;
    first = first < 0 && !(v & 1) ? v : first;
    elected = elected < 0 && v & 1 ? (int)j : elected;
    cluster += (j - n.first) / 4 == (i - n.first) / 4 ? v : 0;
    trips += v < own ? v : own;
  }
  assert_int_equal((int)element(t, 1, i), own & 1 ? product : sum);
  assert_int_equal((int)element(t, 1, ITEMS + i), own & 1 ? before : first);
  assert_int_equal((int)element(t, 1, 2 * ITEMS + i), (own & 1) && elected == (int)i);
  assert_int_equal((int)element(t, 1, 3 * ITEMS + i), cluster);
  assert_int_equal((int)element(t, 1, 4 * ITEMS + i), trips);
  assert_int_equal((int)element(t, 1, 5 * ITEMS + i), (int)(n.end - n.first));
}

static void divergent_work_items_meet_where_paths_join(void **state) {
  (void)state;
  struct emulate_text t;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    if (shapes[s].sub_group > 16) /* products of more odd numbers would overflow */
      continue;
    run(&t, "long", "long", PATHS, 6, &shapes[s]);
    for (unsigned i = 0; i < ITEMS; i++)
      check_paths(&t, &shapes[s], i);
    emulate_text_clear(&t);
  }
}

/* ---- values of other work-items, votes and ballots ---- */

#define EXCHANGES                                                                                                      \
  OUT(0, "sub_group_broadcast(v, 0)")                                                                                  \
  OUT(1, "sub_group_shuffle(v, (lane + 3) % size)")                                                                    \
  OUT(2, "sub_group_shuffle_xor(v, 1)")                                                                                \
  OUT(3, "sub_group_shuffle_up(v, 2)")                                                                                 \
  OUT(4, "sub_group_shuffle_down(v, 1)")                                                                               \
  OUT(5, "sub_group_all(v < 9)")                                                                                       \
  OUT(6, "sub_group_any(v == 3)")                                                                                      \
  OUT(7, "sub_group_non_uniform_all_equal(v / 9)")                                                                     \
  "  uint4 b = sub_group_ballot(v > 4);\n" OUT(8, "sub_group_ballot_bit_count(b)")                                     \
      OUT(9, "sub_group_ballot_exclusive_scan(b)") OUT(10, "sub_group_ballot_inclusive_scan(b)")                       \
          OUT(11, "sub_group_inverse_ballot(b)") OUT(12, "sub_group_ballot_bit_extract(b, 0)")                         \
              OUT(13, "sub_group_ballot_find_lsb(b)") OUT(14, "sub_group_ballot_find_msb(b)")                          \
                  OUT(15, "sub_group_ballot_bit_count(get_sub_group_lt_mask())")                                       \
                      OUT(16, "sub_group_ballot_bit_count(get_sub_group_ge_mask())")                                   \
                          OUT(17, "work_group_broadcast(v, 0, get_local_size(1) - 1)")                                 \
                              OUT(18, "lane | get_sub_group_id() << 8 | size << 16 | get_num_sub_groups() << 24")      \
                                  OUT(19, "get_max_sub_group_size()") OUT(                                             \
                                      20, "work_group_any(v == 3)") "  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"     \
                                                                    "  float4 w = sub_group_broadcast((float4)(v, "    \
                                                                    "lane, 2, 3), size - 1);\n" OUT(                   \
                                                                        21, "w.x + 10 * w.y + w.z - w.w")

struct exchanged {
  unsigned size, lane, set, before, lsb, msb;
  bool all, any, equal, any_of_group;
};

static struct exchanged examine(const struct emulate_text *t, const struct neighbours *n,
                                const struct neighbours *group) {
  struct exchanged e = {.size = n->end - n->first, .lane = n->own - n->first, .all = true, .equal = true};
  for (unsigned j = n->first; j < n->end; j++) {
    const int v = (int)element(t, 0, j);
    e.all &= v < 9;
    e.any |= v == 3;
    e.equal &= v / 9 == (int)element(t, 0, n->first) / 9;
    e.before += v > 4 && j < n->own;
    e.lsb = v > 4 && e.set == 0 ? j - n->first : e.lsb;
    e.msb = v > 4 ? j - n->first : e.msb;
    e.set += v > 4;
  }
  for (unsigned j = group->first; j < group->end; j++)
    e.any_of_group |= (int)element(t, 0, j) == 3;
  return e;
}

static void check_exchanges(const struct emulate_text *t, const struct shape *s, unsigned i) {
  const struct neighbours n = neighbours_of(s, i, false), group = neighbours_of(s, i, true);
  const struct exchanged e = examine(t, &n, &group);
  const int own = (int)element(t, 0, i);
  const unsigned last = n.end - 1, local = i - group.first;
#define AT(j) (int)element(t, 0, j)
  const int expected[] = {AT(n.first),
                          AT(n.first + (e.lane + 3) % e.size),
                          n.first + (e.lane ^ 1) < n.end ? AT(n.first + (e.lane ^ 1)) : own,
                          e.lane >= 2 ? AT(i - 2) : own,
                          i < last ? AT(i + 1) : own,
                          e.all,
                          e.any,
                          e.equal,
                          (int)e.set,
                          (int)e.before,
                          (int)e.before + (own > 4),
                          own > 4,
                          AT(n.first) > 4,
                          (int)e.lsb,
                          (int)e.msb,
                          (int)e.lane,
                          (int)(e.size - e.lane),
                          AT(group.first + (s->local[1] - 1) * s->local[0]),
                          (int)(e.lane | local / s->sub_group << 8 | e.size << 16 |
                                (group_size(s) + s->sub_group - 1) / s->sub_group << 24),
                          (int)(group_size(s) < s->sub_group ? group_size(s) : s->sub_group),
                          e.any_of_group,
                          AT(last) + 10 * (int)(e.size - 1) + 2 - 3};
  for (unsigned f = 0; f < sizeof expected / sizeof *expected; f++)
    if ((int)element(t, 1, f * ITEMS + i) != expected[f])
      fail_msg("function %u, work-item %u of groups of %u, sub-groups of %u: found %d, expected %d", f, i,
               group_size(s), s->sub_group, (int)element(t, 1, f * ITEMS + i), expected[f]);
}

static void exchanges_votes_and_ballots(void **state) {
  (void)state;
  struct emulate_text t;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    run(&t, "int", "int", EXCHANGES, 22, &shapes[s]);
    for (unsigned i = 0; i < ITEMS; i++)
      check_exchanges(&t, &shapes[s], i);
    emulate_text_clear(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reductions_and_scans),
      cmocka_unit_test(small_sums_wrap_around),
      cmocka_unit_test(divergent_work_items_meet_where_paths_join),
      cmocka_unit_test(exchanges_votes_and_ballots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
