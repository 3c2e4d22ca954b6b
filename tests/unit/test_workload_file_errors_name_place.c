/* A workload file is read into its parts, or refused with the exact place and reason. */
#include "expect_error.h"

#include <string.h>

#include "base/file.h"
#include "workload/workload.h"

#define HEAD "schema: reassemble.workload/1\nname: w\nsource: k.cl\nbuffers:\n  A: {type: float, count: 16}\n"

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static void everything_arrives(void **state) {
  struct error error = ERROR_INIT;
  struct workload *w;
  write_file("all.yaml",
             "schema: reassemble.workload/1\nname: all\nabout: x\ntags: [a, b]\nsource: ../k.cl\n"
             "options: \"-DN=1\"\nseed: 9\nbuffers:\n"
             "  A: {type: float4, count: 2, init: uniform, low: -1, high: 1}\n"
             "  B: {type: float, count: 8}\n"
             "launches:\n  - {kernel: k, global: [8, 4], local: [4, 2], offset: [1, 2], args: [{buffer: B}, "
             "{local: 64}, {short2: [-1, 2]}, {half: 0.5}]}\n"
             "checks:\n  - {kernel: c, source: other.cl, args: [], compare: [{buffer: A, expected: B, ulps: 4}]}\n");
  assert_int_equal(workload_load("./all.yaml", &w, &error), 0);
  assert_string_equal(w->source, "./../k.cl");
  assert_int_equal(w->tag_count, 2);
  assert_int_equal(w->buffers[0].count, 8);
  assert_int_equal(w->launches[0].dimensions, 2);
  assert_int_equal(w->launches[0].global[0] + w->launches[0].global[1] + w->launches[0].global[2], 13);
  assert_int_equal(w->launches[0].offset[1], 2);
  const struct workload_argument *a = w->launches[0].arguments;
  assert_int_equal(a[0].buffer, 1);
  assert_int_equal(a[1].bytes, 64);
  assert_memory_equal(a[2].value, "\xff\xff\x02\x00", 4);
  assert_memory_equal(a[3].value, "\x00\x38", 2);
  assert_string_equal(w->checks[0].source, "./other.cl");
  assert_true(w->checks[0].compares[0].ulps == 4);
  workload_destroy(w);
  (void)state;
}

static void seeds_differ_by_name_and_seed(void **state) {
  struct error error = ERROR_INIT;
  struct workload *one, *two;
  write_file("s1.yaml", HEAD "  B: {type: float, count: 16}\nlaunches: [{kernel: k, global: 1, local: 1}]\n");
  write_file("s2.yaml", HEAD "seed: 2\nlaunches: [{kernel: k, global: 1, local: 1}]\n");
  assert_int_equal(workload_load("s1.yaml", &one, &error), 0);
  assert_int_equal(workload_load("s2.yaml", &two, &error), 0);
  assert_true(one->buffers[0].seed != one->buffers[1].seed);
  assert_true(one->buffers[0].seed != two->buffers[0].seed);
  workload_destroy(one);
  workload_destroy(two);
  (void)state;
}

struct bad_case {
  const char *text, *message;
};

static const struct bad_case cases[] = {
    {HEAD "launches:\n  - {kernel: k, global: 10, local: 4}\n",
     "bad.yaml:7:36: local: local size 4 does not divide global size 10 in dimension 0. OpenCL 1.2 requires it (OpenCL "
     "2.0's non-uniform work-groups are not supported); round the global size up to 12 and let the kernel skip what "
     "lies "
     "outside"},
    {HEAD "launches:\n  - {kernel: k, global: [8, 8], local: 4}\n",
     "bad.yaml:7:40: local: has 1 dimensions, global has 2; expected the same"},
    {HEAD "launches:\n  - {kernel: k, global: 8, local: 4, args: [{buffer: a}]}\n",
     "bad.yaml:7:54: buffer: no buffer is named \"a\"; did you mean \"A\"?"},
    {HEAD "launches:\n  - {kernel: k, global: 8, local: 4, args: [{flaot: 1}]}\n",
     "bad.yaml:7:53: flaot: unknown kind of argument; expected buffer, image, sampler, local or an OpenCL type such "
     "as int, float or float4"},
    {HEAD "launches:\n  - {kernel: k, global: 8, local: 4, args: [{image: A}]}\n",
     "bad.yaml:7:53: image: \"A\" is not an image; expected {buffer: A}, or `image: [WIDTH, HEIGHT]` where it is "
     "described"},
    {HEAD "launches:\n  - {kernel: k, global: 8, local: 4, args: [{sampler: [clamp, repeat]}]}\n",
     "bad.yaml:7:63: a sampler has one addressing mode and one filter"},
    {HEAD "launches:\n  - {kernel: k, global: 8, local: 4, args: [{float4: [1, 2]}]}\n",
     "bad.yaml:7:54: float4: has 2 values; expected 4"},
    {HEAD "  B: {type: flota, count: 4}\nlaunches: []\n",
     "bad.yaml:6:13: type: \"flota\" is not an OpenCL type; expected "
     "char, uchar, short, ushort, int, uint, long, ulong, half, "
     "float or double, or a vector of one such as float4"},
    {HEAD "  B: {type: float, count: 4, init: uniform, low: 2, high: 1}\nlaunches: []\n",
     "bad.yaml:6:59: high: low is 2 and high is 1; expected low < high"},
    {HEAD "launches: []\n", "bad.yaml:6:11: launches: has 0 items; expected 1 to 4096"},
    {"schema: reassemble.workload-set/1\nname: s\nmembers: [a]\n",
     "bad.yaml:1:9: schema: this file is a set of workloads; expected a single one (one of its members)"},
    {"schema: reassemble.workload/1\nname: a/b\nsource: k.cl\nlaunches: []\n",
     "bad.yaml:2:7: name: \"a/b\" names files; expected letters, digits, '-', '_', '.' and '+' only"},
    {HEAD "  B: {type: int, count: 16}\nlaunches: [{kernel: k, global: 1, local: 1}]\nchecks:\n"
          "  - {kernel: c, compare: [{buffer: A, expected: B}]}\n",
     "bad.yaml:9:27: \"A\" holds 16 x float and \"B\" holds 16 x int; expected the same"},
};

static void bad_files_are_refused(void **state) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct error error = ERROR_INIT;
    struct workload *w;
    write_file("bad.yaml", cases[i].text);
    assert_int_equal(workload_load("bad.yaml", &w, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_null(w);
    expect_error(&error, cases[i].message);
  }
  (void)state;
}

static void sets_expand_to_members(void **state) {
  struct error error = ERROR_INIT;
  char **paths;
  size_t count;
  write_file("m1.yaml", HEAD "launches: [{kernel: k, global: 1, local: 1}]\n");
  write_file("m2.yaml", HEAD "launches: [{kernel: k, global: 1, local: 1}]\n");
  write_file("inner.yaml", "schema: reassemble.workload-set/1\nname: inner\nmembers: [m2]\n");
  write_file("outer.yaml", "schema: reassemble.workload-set/1\nname: outer\nmembers: [m1.yaml, inner, m1]\n");
  assert_int_equal(workload_expand("./outer.yaml", &paths, &count, &error), 0);
  assert_int_equal(count, 3);
  assert_string_equal(paths[0], "./m1.yaml");
  assert_string_equal(paths[1], "./m2.yaml");
  assert_string_equal(paths[2], "./m1.yaml");
  data_list_free(paths, count);
  (void)state;
}

static void a_set_that_contains_itself_is_refused(void **state) {
  struct error error = ERROR_INIT;
  char **paths;
  size_t count;
  write_file("loop.yaml", "schema: reassemble.workload-set/1\nname: loop\nmembers: [loop]\n");
  assert_int_equal(workload_expand("./loop.yaml", &paths, &count, &error), -1);
  expect_error(&error, "./loop.yaml:3:10: members: sets nest deeper than 8; does a set contain itself?");
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_arrives),
      cmocka_unit_test(seeds_differ_by_name_and_seed),
      cmocka_unit_test(bad_files_are_refused),
      cmocka_unit_test(sets_expand_to_members),
      cmocka_unit_test(a_set_that_contains_itself_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
