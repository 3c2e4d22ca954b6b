/* The document of `reassemble simulate --json`: cycle stacks that add up exactly; cores, engines and lines with
 * --detail; and timelines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "json_documents.h"

/* The interval lies around the prediction, by one factor to either side, where the GPU file states one. */
static void check_interval(const json_t *kernel) {
  const double low = number(kernel, "time_ns_low"), time = number(kernel, "time_ns");
  assert_true(low < time && fabs(low * number(kernel, "time_ns_high") / (time * time) - 1) < 1e-12);
}

/* The command is the one that was given, but for --quiet. */
static void check_provenance(const json_t *root, const char *arguments) {
  const json_t *provenance = json_object_get(root, "provenance"), *traces = list(provenance, "traces", 5);
  const char *quiet = strstr(arguments, " --quiet");
  char expected[240];
  snprintf(expected, sizeof expected, "reassemble %.*s%s", (int)(quiet - arguments), arguments,
           quiet + strlen(" --quiet"));
  assert_string_equal(text(provenance, "command"), expected);
  assert_int_equal(strlen(text(provenance, "gpu_digest")), 16);
  assert_string_equal(text(json_array_get(traces, 1), "kernel"), "gemm");
  assert_true(strlen(text(json_array_get(traces, 1), "source_digest")) > 16);
}

static void test_simulate(void **state) {
  (void)state;
  const char *const gpus[] = {"mali-g71-mp8", "mali-g72-mp12", "mali-g31-mp2"};
  const char *const names[] = {"saxpy", "gemm-64", "collatz", "histogram", "reduction.0"};
  for (size_t g = 0; g < sizeof gpus / sizeof gpus[0]; g++) {
    char arguments[200];
    snprintf(arguments, sizeof arguments, "simulate --json --quiet -g %s saxpy gemm-64 collatz histogram reduction",
             gpus[g]);
    json_t *root = document(arguments, "reassemble.simulate/1");
    assert_string_equal(text(root, "gpu"), gpus[g]);
    const json_t *kernels = list(root, "kernels", 5);
    for (size_t i = 0; i < json_array_size(kernels); i++)
      check_simulated(json_array_get(kernels, i));
    check_interval(json_array_get(kernels, 0));
    check_provenance(root, arguments);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
      assert_string_equal(text(json_array_get(kernels, i), "name"), names[i]);
    json_decref(root);
  }
}

/* One row for all, then rows without and steps; each with every kernel's cycles. The first and the last are the GPU. */
static void test_simulate_ablate(void **state) {
  (void)state;
  json_t *root = document("simulate --json -q --ablate -g mali-g71-mp8 saxpy reduction", "reassemble.simulate/1");
  const json_t *kernels = list(root, "kernels", 3), *rows = list(root, "ablation", 10);
  const size_t count = json_array_size(rows);
  for (size_t v = 0; v < count; v++) {
    const json_t *row = json_array_get(rows, v), *own = list(row, "kernels", 3);
    const bool named = strcmp(text(row, "kind"), "without") == 0 ||
                       (strcmp(text(row, "kind"), "step") == 0 && !json_is_null(json_object_get(row, "mechanism")));
    assert_true(!named || (strlen(text(row, "mechanism")) > 0 && strlen(text(row, "meaning")) > 0));
    assert_true(number(row, "change_percent") > -100);
    for (size_t i = 0; i < json_array_size(kernels); i++) {
      const json_t *kernel = json_array_get(kernels, i), *ours = json_array_get(own, i);
      assert_string_equal(text(ours, "name"), text(kernel, "name"));
      assert_true(number(ours, "time_ns") > 0);
      if (v == 0 || v == count - 1)
        assert_true(number(ours, "cycles") == number(kernel, "cycles"));
    }
  }
  assert_string_equal(text(json_array_get(rows, 0), "kind"), "all");
  assert_string_equal(text(json_array_get(rows, 1), "kind"), "without");
  assert_string_equal(text(json_array_get(rows, count - 1), "kind"), "step");
  json_decref(root);
}

/* ---- simulate --detail --timeline ---- */

static double engine_busy(const json_t *detail, json_int_t core, json_int_t engine) {
  const json_t *engines = list(detail, "engines", 1);
  for (size_t i = 0; i < json_array_size(engines); i++) {
    const json_t *e = json_array_get(engines, i);
    if (whole(e, "core") == core && whole(e, "engine") == engine)
      return number(e, "busy_cycles");
  }
  fail_msg("no engine %d of core %d", (int)engine, (int)core);
  return 0;
}

/* The parts of a line's stack add up to its cycles, and a line of the source has its text. */
static void check_line_stack(const json_t *line) {
  double sum = 0;
  const char *part;
  json_t *cycles;
  json_object_foreach(json_object_get(line, "cycle_stack"), part, cycles) sum += json_number_value(cycles);
  assert_true(fabs(sum - number(line, "cycles")) <= 1e-6 * sum);
  assert_true(whole(line, "line") == 0 || strlen(text(line, "text")) > 0);
}

/* Nothing does more than its peak; a rate without a limit has no share. */
static void check_peaks(const json_t *detail) {
  const json_t *peaks = list(detail, "peaks", 6);
  for (size_t i = 0; i < json_array_size(peaks); i++) {
    const json_t *peak = json_array_get(peaks, i), *share = json_object_get(peak, "share");
    assert_true(number(peak, "used") >= 0);
    assert_true(json_is_null(share) || (json_number_value(share) >= 0 && json_number_value(share) <= 1.001));
    assert_true(json_is_null(share) == json_is_null(json_object_get(peak, "most")));
  }
  assert_true(strlen(text(detail, "bound")) > 0);
}

static void check_detail(const json_t *kernel) {
  const json_t *detail = json_object_get(kernel, "detail"), *engines = list(detail, "engines", 24),
               *lines = list(detail, "lines", 1), *occupancy = json_object_get(detail, "occupancy");
  json_int_t accesses = 0, l1_misses = 0, l2_accesses = 0, l2_misses = 0;
  double cycles = 0;
  for (size_t i = 0; i < json_array_size(engines); i++) {
    const json_t *e = json_array_get(engines, i);
    assert_true(number(e, "busy_cycles") + number(e, "idle_cycles") == number(kernel, "cycles"));
  }
  for (size_t i = 0; i < json_array_size(lines); i++) {
    const json_t *line = json_array_get(lines, i);
    assert_true(whole(line, "line") >= 0 && number(line, "waited_cycles") >= 0); /* 0: of no line */
    check_line_stack(line);
    cycles += number(line, "cycles");
    accesses += whole(line, "l1_accesses");
    l1_misses += whole(line, "l1_misses");
    l2_accesses += whole(line, "l2_accesses");
    l2_misses += whole(line, "l2_misses");
  }
  assert_true(cycles > 0.5 * number(kernel, "cycles") && cycles <= 1.000001 * number(kernel, "cycles"));
  assert_int_equal(accesses, whole(json_object_get(kernel, "l1"), "accesses"));
  assert_int_equal(l1_misses, whole(json_object_get(kernel, "l1"), "misses"));
  assert_int_equal(l2_accesses, whole(json_object_get(kernel, "l2"), "accesses"));
  assert_int_equal(l2_misses, whole(json_object_get(kernel, "l2"), "misses"));
  check_peaks(detail);
  assert_true(number(occupancy, "bin_cycles") > 0);
  assert_int_equal(json_array_size(list(occupancy, "cores", 8)), 8);
  assert_int_equal(whole(json_object_get(detail, "bytes"), "dram"), whole(kernel, "dram_bytes"));
}

struct span {
  json_int_t process, thread;
  double begin, end;
};

static int by_track(const void *a, const void *b) {
  const struct span *x = a, *y = b;
  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

/* The complete events ("X") of a Chrome trace; the caller frees. */
static struct span *spans_of(const json_t *events, size_t *count) {
  struct span *spans = calloc(json_array_size(events), sizeof *spans);
  *count = 0;
  for (size_t i = 0; i < json_array_size(events); i++) {
    const json_t *e = json_array_get(events, i);
    const struct span span = {whole(e, "pid"), 0, 0, 0};
    assert_true(strlen(text(e, "name")) > 0);
    if (strcmp(text(e, "ph"), "M") == 0) {
      assert_true(strlen(text(json_object_get(e, "args"), "name")) > 0);
      continue;
    }
    assert_string_equal(text(e, "ph"), "X");
    spans[*count] = span;
    spans[*count].thread = whole(e, "tid");
    spans[*count].begin = number(e, "ts");
    spans[(*count)++].end = number(e, "ts") + number(e, "dur");
  }
  return spans;
}

/* Spans of a track do not overlap; those of an engine add up to its busy cycles; nothing lasts longer than the kernel.
 */
static void check_timeline(const json_t *timeline, const json_t *kernel) {
  size_t count;
  struct span *spans = spans_of(list(timeline, "traceEvents", 100), &count);
  double busy[8][3] = {{0}};
  qsort(spans, count, sizeof *spans, by_track);
  for (size_t i = 0; i < count; i++) {
    assert_true(spans[i].begin < spans[i].end && spans[i].end <= number(kernel, "cycles"));
    if (i > 0 && spans[i - 1].process == spans[i].process && spans[i - 1].thread == spans[i].thread)
      assert_true(spans[i - 1].end <= spans[i].begin);
    if (spans[i].thread < 3)
      busy[spans[i].process][spans[i].thread] += spans[i].end - spans[i].begin;
  }
  for (int core = 0; core < 8; core++)
    for (int engine = 0; engine < 3; engine++)
      assert_true(busy[core][engine] == engine_busy(json_object_get(kernel, "detail"), core, engine));
  free(spans);
}

static void test_simulate_timeline(void **state) {
  (void)state;
  json_t *root =
      document("simulate --json -q --detail --timeline timeline.json -g mali-g71-mp8 collatz", "reassemble.simulate/1");
  const json_t *kernel = json_array_get(list(root, "kernels", 1), 0);
  json_error_t error;
  json_t *timeline = json_load_file("timeline.json", JSON_REJECT_DUPLICATES, &error);
  assert_non_null(timeline);
  assert_string_equal(text(json_object_get(timeline, "otherData"), "schema"), "reassemble.timeline/1");
  assert_int_equal(whole(json_object_get(timeline, "otherData"), "spans_left_out"), 0);
  check_detail(kernel);
  check_timeline(timeline, kernel);
  json_decref(timeline);
  json_decref(root);
}

/* More spans than fit: the file stays bounded, and says so. */
static void test_timeline_is_bounded(void **state) {
  (void)state;
  struct outcome outcome = run("simulate --timeline large.json -g mali-g71-mp8 saxpy");
  assert_int_equal(outcome.code, 0);
  assert_non_null(strstr(outcome.err, "were left out"));
  clear(&outcome);
  json_error_t error;
  json_t *timeline = json_load_file("large.json", 0, &error);
  assert_non_null(timeline);
  assert_true(whole(json_object_get(timeline, "otherData"), "spans_left_out") > 0);
  size_t count;
  free(spans_of(list(timeline, "traceEvents", 1000), &count));
  assert_true(count > 100000 && count <= 200000 + 8);
  json_decref(timeline);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_simulate), cmocka_unit_test(test_simulate_ablate),
                                     cmocka_unit_test(test_simulate_timeline),
                                     cmocka_unit_test(test_timeline_is_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
