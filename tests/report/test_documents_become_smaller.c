#include "cli/report/pack.h"
#include "cli/report/reduce.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static json_t *parse(const char *text) {
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  return json;
}

static void packs(const char *document, const char *expected) {
  json_t *json = parse(document), *packed = pack(json);
  char *text = json_dumps(packed, JSON_COMPACT);
  assert_string_equal(text, expected);
  free(text);
  json_decref(packed);
  json_decref(json);
}

static void equal_objects_share_their_keys(void **state) {
  (void)state;
  packs("{\"a\": [{\"x\": 1, \"y\": \"p\"}, {\"x\": 2, \"y\": null}]}",
        "{\"a\":{\"#keys\":[\"x\",\"y\"],\"#rows\":[[1,\"p\"],[2,null]]}}");
}

static void nested_objects_are_lists_of_values(void **state) {
  (void)state;
  packs("[{\"x\": {\"p\": 1, \"q\": [2]}}, {\"x\": {\"p\": 3, \"q\": []}}]",
        "{\"#keys\":[[\"x\",\"p\",\"q\"]],\"#rows\":[[[1,[2]]],[[3,[]]]]}");
}

static void unequal_objects_stay(void **state) {
  (void)state;
  packs("[{\"x\": 1}, {\"y\": 1}]", "[{\"x\":1},{\"y\":1}]");
  packs("[{\"x\": {\"p\": 1}}, {\"x\": 2}]", "{\"#keys\":[\"x\"],\"#rows\":[[{\"p\":1}],[2]]}");
  packs("[{}, {}]", "[{},{}]");
  packs("[{\"x\": 1}]", "[{\"x\":1}]");
}

/* A sweep of `count` points with one workload; the last one is on the front. */
static struct document sweep(size_t count) {
  json_t *points = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(points, json_pack("{s:i, s:s, s:f, s:[{s:s, s:f, s:f}]}", "point", (int)i, "name", "n",
                                            "area", 1.0, "workloads", "workload", "w", "cycles", 9.0, "speedup", 1.0));
  return (struct document){
      .json = json_pack("{s:[{s:[{s:i}]}], s:o}", "answers", "pareto", "point", (int)count - 1, "points", points)};
}

static json_t *points_of(const struct document *document) {
  return json_object_get(document->json, "points");
}

static void small_sweeps_stay(void **state) {
  (void)state;
  struct document document = sweep(2000);
  char *note;
  assert_int_equal(reduce_sweep(&document, &note, NULL), 0);
  assert_null(note);
  json_t *last = json_array_get(points_of(&document), 1999);
  assert_non_null(json_object_get(last, "name"));
  assert_non_null(json_object_get(json_array_get(json_object_get(last, "workloads"), 0), "cycles"));
  json_decref(document.json);
}

static void large_sweeps_lose_names_and_times(void **state) {
  (void)state;
  struct document document = sweep(2001);
  char *note;
  assert_int_equal(reduce_sweep(&document, &note, NULL), 0);
  assert_null(note);
  json_t *first = json_array_get(points_of(&document), 0);
  json_t *result = json_array_get(json_object_get(first, "workloads"), 0);
  assert_null(json_object_get(first, "name"));
  assert_null(json_object_get(result, "cycles"));
  assert_non_null(json_object_get(result, "speedup"));
  json_decref(document.json);
}

/* 16,001 designs are thinned to each third (8,000 at most) and the one of the front. */
static void very_large_sweeps_are_thinned(void **state) {
  (void)state;
  struct document document = sweep(16001);
  char *note;
  assert_int_equal(reduce_sweep(&document, &note, NULL), 0);
  assert_string_equal(note,
                      "The page shows 5335 of 16001 designs, and not the speed-ups of single workloads; the folder "
                      "of the sweep has all.");
  json_t *points = points_of(&document), *last = json_array_get(points, json_array_size(points) - 1);
  assert_int_equal(json_integer_value(json_object_get(json_array_get(points, 1), "point")), 3);
  assert_int_equal(json_integer_value(json_object_get(last, "point")), 16000);
  assert_null(json_object_get(last, "workloads"));
  free(note);
  json_decref(document.json);
}

static const char timeline[] =
    "{\"traceEvents\": ["
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 0, \"args\": {\"name\": \"k, core 0\"}},"
    "{\"ph\": \"X\", \"cat\": \"busy\", \"name\": \"run\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 240},"
    "{\"ph\": \"X\", \"cat\": \"busy\", \"name\": \"load\", \"pid\": 0, \"tid\": 1, \"ts\": 120.5, \"dur\": 1},"
    "{\"ph\": \"X\", \"cat\": \"wait\", \"name\": \"after\", \"pid\": 0, \"tid\": 10000, \"ts\": 0, \"dur\": 9999},"
    "{\"ph\": \"X\", \"cat\": \"busy\", \"name\": \"run\", \"pid\": 0, \"tid\": 1e300, \"ts\": 0, \"dur\": 9999},"
    "{\"ph\": \"X\", \"cat\": \"busy\", \"name\": \"run\", \"pid\": 0, \"tid\": 0, \"ts\": 1e308, \"dur\": 1e308}],"
    "\"otherData\": {\"spans_left_out\": 7}}";

static double share(const struct document *document, size_t row, const char *kind, size_t bin) {
  json_t *core = json_array_get(json_object_get(document->json, "cores"), row);
  return json_number_value(json_array_get(json_object_get(json_object_get(core, "busy_percent"), kind), bin));
}

/* 240 cycles in 240 bins on two engines: one is busy always, the other for half of two bins. Waits do not count, nor do
 * spans of an absurd engine or time. */
static void timelines_become_shares(void **state) {
  (void)state;
  struct document document = {.json = parse(timeline)};
  char *note;
  assert_int_equal(reduce_timeline(&document, &note, NULL), 0);
  assert_true(json_real_value(json_object_get(document.json, "bin_width")) == 1);
  assert_int_equal(json_integer_value(json_object_get(document.json, "spans_left_out")), 7);
  assert_true(share(&document, 0, "run", 0) == 50 && share(&document, 0, "run", 239) == 50);
  assert_true(share(&document, 0, "load", 119) == 0 && share(&document, 0, "load", 120) == 25);
  assert_true(share(&document, 0, "load", 121) == 25 && share(&document, 0, "load", 122) == 0);
  json_decref(document.json);
}

static const char program_timeline[] =
    "{\"traceEvents\": ["
    "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"a GPU\"}},"
    "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": 0, \"args\": {\"name\": \"host 0\"}},"
    "{\"ph\": \"X\", \"name\": \"OpenCL call\", \"pid\": 1, \"tid\": 0, \"ts\": 0, \"dur\": 12},"
    "{\"ph\": \"X\", \"name\": \"add\", \"pid\": 1, \"tid\": 1, \"ts\": 23.95, \"dur\": 0.05, \"args\": {\"kind\": "
    "\"kernel\"}},"
    "{\"ph\": \"X\", \"name\": \"write\", \"pid\": 1, \"tid\": 1, \"ts\": 12, \"dur\": 0.1, \"args\": {\"kind\": "
    "\"write\"}}],"
    "\"otherData\": {\"schema\": \"reassemble.run-timeline/1\", \"gpu\": \"a GPU\"}}";

/* 24 us in 240 bins: the host is in a call for the first half; a kernel, whatever its name is, takes half of the last
 * bin. */
static void timelines_of_programs_have_the_host_and_queues(void **state) {
  (void)state;
  struct document document = {.json = parse(program_timeline)};
  char *note;
  assert_int_equal(reduce_program_timeline(&document, &note, NULL), 0);
  assert_string_equal(document.schema, "reassemble.run-timeline/1");
  assert_string_equal(json_string_value(json_object_get(document.json, "gpu")), "a GPU");
  assert_true(share(&document, 0, "OpenCL call", 119) == 100 && share(&document, 0, "OpenCL call", 120) == 0);
  assert_true(share(&document, 1, "kernel", 239) == 50 && share(&document, 1, "other command", 120) == 100);
  json_decref(document.json);
}

static void a_timeline_without_spans_is_refused(void **state) {
  (void)state;
  struct document document = {.json = parse("{\"traceEvents\": []}")};
  struct error error = ERROR_INIT;
  char *note;
  assert_int_equal(reduce_timeline(&document, &note, &error), -1);
  assert_string_equal(error.text, "the timeline has no spans");
  json_decref(document.json);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_objects_share_their_keys),
                                     cmocka_unit_test(nested_objects_are_lists_of_values),
                                     cmocka_unit_test(unequal_objects_stay),
                                     cmocka_unit_test(small_sweeps_stay),
                                     cmocka_unit_test(large_sweeps_lose_names_and_times),
                                     cmocka_unit_test(very_large_sweeps_are_thinned),
                                     cmocka_unit_test(timelines_become_shares),
                                     cmocka_unit_test(timelines_of_programs_have_the_host_and_queues),
                                     cmocka_unit_test(a_timeline_without_spans_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
