/* What scripts may rely on in the JSON documents of every command: schema, fields and types; sums that hold exactly;
 * errors as JSON on stderr with the exit code; results on stdout only.
 *
 * Runs the program itself ($REASSEMBLE_PROGRAM) in a folder of its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>
#include <jansson.h>

struct outcome {
  int code;
  char *out, *err;
};

static char *contents(const char *path) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(path, "r"), *memory = open_memstream(&text, &size);
  assert_non_null(file);
  assert_non_null(memory);
  for (int c = getc(file); c != EOF; c = getc(file))
    putc(c, memory);
  fclose(file);
  fclose(memory);
  return text;
}

static struct outcome run(const char *arguments) {
  char command[4096];
  snprintf(command, sizeof command, "'%s' %s >stdout.txt 2>stderr.txt </dev/null", getenv("REASSEMBLE_PROGRAM"),
           arguments);
  const int status = system(command);
  assert_true(WIFEXITED(status));
  return (struct outcome){WEXITSTATUS(status), contents("stdout.txt"), contents("stderr.txt")};
}

static void clear(struct outcome *outcome) {
  free(outcome->out);
  free(outcome->err);
}

static json_t *parse(const char *text) {
  json_error_t error;
  json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  if (document == NULL)
    print_error("%d:%d: %s in\n%s", error.line, error.column, error.text, text);
  assert_non_null(document);
  return document;
}

/* A quiet run that succeeds: one document on stdout, nothing on stderr. */
static json_t *document(const char *arguments, const char *schema) {
  struct outcome outcome = run(arguments);
  assert_string_equal(outcome.err, "");
  assert_int_equal(outcome.code, 0);
  json_t *root = parse(outcome.out);
  assert_string_equal(json_string_value(json_object_get(root, "schema")), schema);
  clear(&outcome);
  return root;
}

static double number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value))
    print_error("%s is no number\n", key);
  assert_true(json_is_number(value));
  return json_number_value(value);
}

static json_int_t whole(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value))
    print_error("%s is no whole number\n", key);
  assert_true(json_is_integer(value));
  return json_integer_value(value);
}

static const char *text(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value))
    print_error("%s is no text\n", key);
  assert_true(json_is_string(value));
  return json_string_value(value);
}

static const json_t *list(const json_t *object, const char *key, size_t least) {
  const json_t *value = json_object_get(object, key);
  assert_true(json_is_array(value));
  assert_true(json_array_size(value) >= least);
  return value;
}

/* Adds in the order in which the numbers are printed. */
static double sum_of(json_t *stack) {
  const char *key;
  json_t *value;
  double sum = 0;
  assert_true(json_is_object(stack));
  assert_true(json_object_size(stack) >= 2);
  json_object_foreach(stack, key, value) {
    assert_true(json_is_number(value));
    assert_true(json_number_value(value) >= 0);
    sum += json_number_value(value);
  }
  return sum;
}

static void check_cache(const json_t *kernel, const char *name) {
  const json_t *cache = json_object_get(kernel, name);
  assert_true(whole(cache, "misses") >= 0);
  assert_true(whole(cache, "misses") <= whole(cache, "accesses"));
}

static void check_simulated(const json_t *kernel) {
  const double cycles = number(kernel, "cycles");
  assert_true(cycles > 0);
  assert_true(number(kernel, "time_ns") > 0);
  assert_true(whole(kernel, "work_item_instructions") >= whole(kernel, "warp_instructions"));
  assert_true(whole(kernel, "warp_instructions") > 0);
  assert_true(sum_of(json_object_get(kernel, "cycle_stack")) == cycles);
  check_cache(kernel, "l1");
  check_cache(kernel, "l2");
  assert_true(whole(kernel, "dram_bytes") >= 0);
  assert_true(number(kernel, "simd_efficiency") > 0 && number(kernel, "simd_efficiency") <= 1);
  const json_t *cores = list(kernel, "core_cycle_stacks", 1);
  for (size_t i = 0; i < json_array_size(cores); i++)
    assert_true(sum_of(json_array_get(cores, i)) == cycles);
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

static void check_detail(const json_t *kernel) {
  const json_t *detail = json_object_get(kernel, "detail"), *engines = list(detail, "engines", 24),
               *lines = list(detail, "lines", 1), *occupancy = json_object_get(detail, "occupancy");
  json_int_t accesses = 0, l1_misses = 0, l2_accesses = 0, l2_misses = 0;
  for (size_t i = 0; i < json_array_size(engines); i++) {
    const json_t *e = json_array_get(engines, i);
    assert_true(number(e, "busy_cycles") + number(e, "idle_cycles") == number(kernel, "cycles"));
  }
  for (size_t i = 0; i < json_array_size(lines); i++) {
    const json_t *line = json_array_get(lines, i);
    assert_true(whole(line, "line") > 0 && number(line, "waited_cycles") >= 0);
    accesses += whole(line, "l1_accesses");
    l1_misses += whole(line, "l1_misses");
    l2_accesses += whole(line, "l2_accesses");
    l2_misses += whole(line, "l2_misses");
  }
  assert_int_equal(accesses, whole(json_object_get(kernel, "l1"), "accesses"));
  assert_int_equal(l1_misses, whole(json_object_get(kernel, "l1"), "misses"));
  assert_int_equal(l2_accesses, whole(json_object_get(kernel, "l2"), "accesses"));
  assert_int_equal(l2_misses, whole(json_object_get(kernel, "l2"), "misses"));
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

/* Time proportional to issue slots predicts the board that ships worse than the model does. */
static void check_work_baseline(const json_t *summary) {
  assert_true(number(summary, "issue_slots_baseline_mape_percent") > number(summary, "mape_percent"));
}

static void check_coefficient(const json_t *summary, const char *key) {
  assert_true(number(summary, key) >= -1 && number(summary, key) <= 1);
}

static void test_validate(void **state) {
  (void)state;
  json_t *root = document("validate --board hikey960-gemm-variants --json --quiet", "reassemble.validate/1");
  const json_t *summary = json_object_get(root, "summary");
  assert_true(number(summary, "mape_percent") >= 0);
  assert_true(number(summary, "mape_percent_without_largest") >= 0);
  assert_true(number(summary, "constant_baseline_mape_percent") > 0);
  check_work_baseline(summary);
  check_coefficient(summary, "pearson");
  check_coefficient(summary, "spearman");
  check_coefficient(summary, "kendall");
  const json_t *kernels = list(root, "kernels", 11);
  double ranks = 0, predicted_ranks = 0;
  for (size_t i = 0; i < 11; i++) {
    const json_t *kernel = json_array_get(kernels, i);
    assert_int_equal(strlen(text(kernel, "name")), 1);
    assert_true(number(kernel, "measured") > 0 && number(kernel, "predicted") > 0);
    assert_true(number(kernel, "error_percent") > -100);
    ranks += number(kernel, "measured_rank");
    predicted_ranks += number(kernel, "predicted_rank");
  }
  assert_true(ranks == 66 && predicted_ranks == 66); /* 1 + ... + 11, ties or not */
  json_decref(root);
}

static void check_reasons(const json_t *variant) {
  const json_t *reasons = list(variant, "reasons", 0);
  for (size_t i = 0; i < json_array_size(reasons); i++) {
    const json_t *reason = json_array_get(reasons, i), *line = json_object_get(reason, "source_line");
    assert_true(strlen(text(reason, "component")) > 0);
    assert_true(number(reason, "cycles") != 0);
    assert_true(json_is_null(line) || json_integer_value(line) > 0);
  }
}

static void test_rank(void **state) {
  (void)state;
  json_t *root = document("rank --gpu mali-g71-mp8 --json --quiet gemm-variants saxpy", "reassemble.rank/1");
  const json_t *variants = list(root, "variants", 12);
  const double fastest = number(json_array_get(variants, 0), "cycles");
  double before = 0;
  size_t reasons = 0;
  for (size_t i = 0; i < json_array_size(variants); i++) {
    const json_t *variant = json_array_get(variants, i);
    const double cycles = number(variant, "cycles");
    assert_true(strlen(text(variant, "name")) > 0);
    assert_true(before <= cycles);
    assert_true(number(variant, "low") <= cycles && cycles <= number(variant, "high"));
    assert_true(fabs(number(variant, "relative") - cycles / fastest) < 1e-12);
    check_reasons(variant);
    reasons += json_array_size(json_object_get(variant, "reasons"));
    before = cycles;
  }
  assert_true(reasons > 0);
  assert_int_equal(json_array_size(json_object_get(json_array_get(variants, 0), "reasons")), 0);
  json_decref(root);
}

static bool holds_name(const json_t *entries, const char *name) {
  for (size_t i = 0; i < json_array_size(entries); i++)
    if (strcmp(text(json_array_get(entries, i), "name"), name) == 0)
      return true;
  return false;
}

static void test_list(void **state) {
  (void)state;
  const char *const names[] = {"gemm-64", "gemm-128", "gemm-256", "gemm-512", "gemm-variants", "saxpy"};
  json_t *root = document("list workloads --json", "reassemble.list/1");
  const json_t *workloads = list(root, "workloads", 6);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    assert_true(holds_name(workloads, names[i]));
  for (size_t i = 0; i < json_array_size(workloads); i++) {
    const json_t *tags = list(json_array_get(workloads, i), "tags", 0);
    for (size_t t = 0; t < json_array_size(tags); t++)
      assert_true(json_is_string(json_array_get(tags, t)));
  }
  json_decref(root);
  root = document("list gpus --json", "reassemble.list/1");
  assert_true(holds_name(list(root, "gpus", 3), "mali-g71-mp8"));
  json_decref(root);
  root = document("list boards --json", "reassemble.list/1");
  assert_true(holds_name(list(root, "boards", 1), "hikey960-gemm-variants"));
  json_decref(root);
}

static void test_trace_then_info(void **state) {
  (void)state;
  json_t *root = document("trace saxpy reduction -o traces --json --quiet", "reassemble.trace/1");
  assert_true(strlen(text(root, "front_end")) > 0);
  const json_t *traces = list(root, "traces", 2), *first = json_array_get(traces, 0);
  assert_string_equal(text(first, "workload"), "saxpy");
  assert_string_equal(text(first, "kernel"), "saxpy");
  assert_string_equal(text(first, "file"), "traces/saxpy.rtrace");
  const json_int_t instructions = whole(first, "work_item_instructions"), bytes = whole(first, "trace_bytes");
  assert_true(number(first, "build_s") >= 0 && number(first, "run_s") >= 0);

  json_t *info = document("info --json traces/saxpy.rtrace", "reassemble.info/1");
  const json_t *entry = json_array_get(list(info, "traces", 1), 0);
  assert_string_equal(text(entry, "kernel"), "saxpy");
  assert_int_equal(whole(entry, "work_item_instructions"), instructions);
  assert_int_equal(whole(entry, "file_bytes"), bytes);
  assert_int_equal(whole(entry, "groups"), 1024);
  assert_int_equal(json_array_size(json_object_get(entry, "global")), 1);
  assert_int_equal(whole(json_array_get(list(entry, "buffers", 2), 0), "bytes"), 65000 * 4);
  assert_int_equal(whole(json_object_get(entry, "operations"), "float_mul"), 65000);
  json_decref(info);
  json_decref(root);
}

static const char *const kernel_arguments =
    "--kernel saxpy --global 4096 --local 64 --arg 'float[4096]=uniform' --arg 'float[4096]=index' --arg float=2 "
    "--arg int=4000 --options -DUNUSED=1 -o traces --json --quiet";

/* A kernel file with its launch on the command line, then the launch that --save kept: the same instructions. */
static void test_kernel_file(void **state) {
  (void)state;
  char arguments[4096];
  snprintf(arguments, sizeof arguments, "trace '%s/datasets/kernels/saxpy.cl' %s --save kept.yaml",
           getenv("REASSEMBLE_DATA"), kernel_arguments);
  json_t *root = document(arguments, "reassemble.trace/1");
  const json_int_t instructions = whole(json_array_get(list(root, "traces", 1), 0), "work_item_instructions");
  json_decref(root);

  root = document("info --json traces/saxpy.rtrace", "reassemble.info/1");
  const json_t *entry = json_array_get(list(root, "traces", 1), 0);
  assert_string_equal(text(entry, "options"), "-DUNUSED=1");
  assert_int_equal(whole(entry, "groups"), 64);
  assert_int_equal(whole(json_object_get(entry, "operations"), "float_add"), 4000);
  assert_int_equal(whole(json_object_get(entry, "operations"), "load"), 8000);
  json_decref(root);

  root = document("trace kept.yaml -o kept --json --quiet", "reassemble.trace/1");
  assert_int_equal(whole(json_array_get(list(root, "traces", 1), 0), "work_item_instructions"), instructions);
  json_decref(root);
}

static void test_params(void **state) {
  (void)state;
  json_t *root = document("params --gpu mali-g71-mp8 --json", "reassemble.params/1");
  const json_t *parameters = list(root, "parameters", 10);
  for (size_t i = 0; i < json_array_size(parameters); i++) {
    const json_t *parameter = json_array_get(parameters, i);
    assert_true(strlen(text(parameter, "key")) > 0);
    assert_non_null(json_object_get(parameter, "value"));
    assert_true(strlen(text(parameter, "unit")) > 0);
    assert_true(strlen(text(parameter, "source")) > 0);
  }
  json_decref(root);
}

/* A file name that is not UTF-8 is still one entry of the results. */
static void test_names_that_are_not_utf8(void **state) {
  (void)state;
  assert_int_equal(system("cp \"$REASSEMBLE_DATA/tests/golden/gemm-4.rtrace\" \"$(printf '\\377.rtrace')\""), 0);
  json_t *root = document("info --json \"$(printf '\\377.rtrace')\"", "reassemble.info/1");
  assert_string_equal(text(json_array_get(list(root, "traces", 1), 0), "file"), "?.rtrace");
  json_decref(root);
  root = document("simulate --json -q -g mali-g71-mp8 \"$(printf '\\377.rtrace')\"", "reassemble.simulate/1");
  check_simulated(json_array_get(list(root, "kernels", 1), 0));
  json_decref(root);
  root = document("rank --json -q -g mali-g71-mp8 \"$(printf '\\377.rtrace')\"", "reassemble.rank/1");
  list(root, "variants", 1);
  json_decref(root);
}

static const char *name_of_kernel(const json_t *root) {
  return text(json_array_get(list(root, "kernels", 1), 0), "name");
}

/* A trace is one under any file name, and from a pipe, where it goes by its workload's name. */
static void test_traces_under_other_names(void **state) {
  (void)state;
  assert_int_equal(system("\"$REASSEMBLE_PROGRAM\" trace saxpy -q -o other >/dev/null"), 0);
  assert_int_equal(rename("other/saxpy.rtrace", "other/kept.bin"), 0);
  json_t *file = document("simulate -q --json -g mali-g71-mp8 other/kept.bin", "reassemble.simulate/1");
  assert_string_equal(name_of_kernel(file), "kept");

  const int status =
      system("cat other/kept.bin | \"$REASSEMBLE_PROGRAM\" simulate -q --json -g mali-g71-mp8 - >piped.txt");
  assert_int_equal(status, 0);
  char *printed = contents("piped.txt");
  json_t *piped = parse(printed);
  assert_string_equal(name_of_kernel(piped), "saxpy");
  assert_true(number(json_array_get(list(piped, "kernels", 1), 0), "cycles") ==
              number(json_array_get(list(file, "kernels", 1), 0), "cycles"));
  json_decref(piped);
  json_decref(file);
  free(printed);
}

static const char hostile_board[] =
    "{\"schema\": \"reassemble.board/1\", \"name\": \"n\\u001b[31m\", \"board\": \"b\", \"gpu\": \"mali-g71-mp8\","
    " \"clock_hz\": 1e9, \"driver\": \"\", \"statistic\": \"\\u0007\", \"unit\": \"ns\", \"source\": \"\\u001b]0;x\","
    " \"measurements\": [{\"name\": \"m\\u001b[1m\", \"workload\": \"saxpy\", \"launch\": 0, \"description\": "
    "\"\\u007f\","
    " \"value\": 1e5, \"source\": \"\"}]}";

/* One measurement: no correlation is defined, JSON says null; no text of the board gives commands to a terminal. */
static void test_board_of_one_measurement(void **state) {
  (void)state;
  FILE *file = fopen("board.json", "w");
  assert_non_null(file);
  fputs(hostile_board, file);
  assert_int_equal(fclose(file), 0);
  json_t *root = document("validate -q --json --board board.json", "reassemble.validate/1");
  const json_t *summary = json_object_get(root, "summary");
  const char *const undefined[] = {"mape_percent_without_largest", "pearson", "spearman", "kendall"};
  for (size_t i = 0; i < sizeof undefined / sizeof undefined[0]; i++)
    assert_true(json_is_null(json_object_get(summary, undefined[i])));
  const json_t *kernel = json_array_get(list(root, "kernels", 1), 0);
  assert_true(number(summary, "mape_percent") == fabs(number(kernel, "error_percent")));
  json_decref(root);

  struct outcome outcome = run("validate -q --board board.json");
  assert_int_equal(outcome.code, 0);
  assert_non_null(strstr(outcome.out, "n/a"));
  for (const char *c = outcome.out; *c != '\0'; c++)
    assert_true(*c == '\n' || ((unsigned char)*c >= ' ' && *c != 0x7f));
  clear(&outcome);
}

static void check_refusal(const char *arguments, int code, const char *kind) {
  struct outcome outcome = run(arguments);
  if (outcome.code != code)
    print_error("%s\n", arguments);
  assert_int_equal(outcome.code, code);
  assert_string_equal(outcome.out, "");
  json_t *root = parse(outcome.err);
  assert_string_equal(text(root, "schema"), "reassemble.error/1");
  const json_t *error = json_object_get(root, "error");
  assert_string_equal(text(error, "kind"), kind);
  assert_true(strlen(text(error, "text")) > 0);
  text(error, "file");
  text(error, "key");
  assert_true(whole(error, "line") >= 0 && whole(error, "column") >= 0);
  json_decref(root);
  clear(&outcome);
}

static void test_errors(void **state) {
  (void)state;
  const char *const input[] = {
      "trace saxpi --json",
      "trace --json",
      "info --json none.rtrace",
      "simulate --json saxpy",
      "simulate --json -g mali-g71-mp8 saxpy none",
      "validate --json",
      "validate --json --board none",
      "rank --json -g none saxpy",
      "params --json --gpu none",
      "list --json nothing",
      "simulate --json --no-such-option",
      "no-such-command --json",
  };
  for (size_t i = 0; i < sizeof input / sizeof input[0]; i++)
    check_refusal(input[i], 2, "input");
  check_refusal("trace saxpy --json -o /dev/null/folder", 1, "work");
}

/* The same without --json: text on stderr, nothing on stdout. */
static void test_errors_as_text(void **state) {
  (void)state;
  struct outcome outcome = run("simulate -g mali-g71-mp8 saxpi");
  assert_int_equal(outcome.code, 2);
  assert_string_equal(outcome.out, "");
  assert_int_equal(strncmp(outcome.err, "reassemble: ", 12), 0);
  clear(&outcome);
}

/* An output that cannot be written is an error, not a success without results. */
static void test_full_output(void **state) {
  (void)state;
  char command[4096];
  snprintf(command, sizeof command, "'%s' list workloads --json >/dev/full 2>stderr.txt", getenv("REASSEMBLE_PROGRAM"));
  const int status = system(command);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  char *err = contents("stderr.txt");
  json_decref(parse(err));
  free(err);
}

static double mape_of(const json_t *row, const char *sample) {
  return json_real_value(json_object_get(json_object_get(row, sample), "mape_percent"));
}

/* Every combination once, held out and in sample; the model, tuned on request. 11 kernels teach no law: whatever is
 * learned from them is far worse on what it has not seen, and than the model. */
static void test_baseline(void **state) {
  (void)state;
  json_t *root = document("baseline --board hikey960-gemm-variants --json --quiet", "reassemble.baseline/1");
  const json_t *rows = json_object_get(root, "predictors"), *model = json_array_get(rows, 21);
  assert_int_equal(json_array_size(rows), 3 + 18 + 1);
  assert_true(json_is_null(json_object_get(model, "held_out")));
  for (size_t i = 3; i < 21; i++) {
    const json_t *row = json_array_get(rows, i);
    assert_true(json_is_string(json_object_get(row, "inputs")) && json_is_string(json_object_get(row, "selection")));
    assert_true(mape_of(row, "in_sample") < mape_of(row, "held_out"));
    assert_true(mape_of(model, "in_sample") < mape_of(row, "held_out") / 2);
  }
  json_decref(root);
  root = document("baseline --board hikey960-gemm-variants --cv kfold=2 --params barrier=0..20 --json --quiet",
                  "reassemble.baseline/1");
  rows = json_object_get(root, "predictors");
  assert_int_equal(json_array_size(rows), 3 + 18 + 2);
  assert_true(mape_of(json_array_get(rows, 22), "held_out") > 0);
  json_decref(root);
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* The GPU itself is 1 times as fast; at twice the clock it takes the same cycles and half the time. */
static void test_speedups(void **state) {
  (void)state;
  write_text("twice.yaml", "schema: reassemble.gpu/1\nname: twice\nabout: same at twice the clock\nbase: mali-g71-mp8\n"
                           "parameters:\n  clock_hz: {scale: 2, source: test}\n");
  write_text("family.json",
             "{\"schema\": \"reassemble.reference/1\", \"name\": \"f\", \"about\": \"a\", \"source\": \"test\","
             "\"groups\": [{\"name\": \"g\", \"about\": \"a\", \"rows\": [{\"point\": \"mali-g71-mp8\", \"value\": 2},"
             "{\"point\": \"twice.yaml\", \"value\": 2}]}]}");
  json_t *root = document("validate --gpu mali-g71-mp8 --speedups family.json --workloads saxpy --json --quiet",
                          "reassemble.speedups/1");
  static const double cycles[] = {1, 1}, time[] = {1, 2};
  for (size_t i = 0; i < 2; i++) {
    const json_t *gpu = json_array_get(json_object_get(root, "gpus"), i);
    const json_t *in_cycles = json_object_get(gpu, "cycles"), *in_time = json_object_get(gpu, "time");
    assert_true(fabs(json_real_value(json_object_get(in_cycles, "mean")) - cycles[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "mean")) - time[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "geometric_mean")) - time[i]) < 1e-12);
    assert_true(fabs(json_real_value(json_object_get(in_time, "error_percent")) - 50 * (time[i] - 2)) < 1e-9);
  }
  json_decref(root);
}

/* Two boards: the documents of each alone, and a line of CSV for every measurement. */
static void test_several_boards(void **state) {
  (void)state;
  write_text("second.json", "{\"schema\": \"reassemble.board/1\", \"name\": \"second, synthetic\", \"board\": \"b\", "
                            "\"gpu\": \"mali-g72-mp12\","
                            "\"clock_hz\": 1e9, \"driver\": \"d\", \"statistic\": \"s\", \"unit\": \"ns\", \"source\": "
                            "\"made up\", \"measurements\": ["
                            "{\"name\": \"x\", \"workload\": \"saxpy\", \"launch\": 0, \"description\": \"d\", "
                            "\"value\": 100000, \"source\": \"s\"}]}");
  json_t *root = document("validate hikey960-gemm-variants second.json --scatter points.csv --json --quiet",
                          "reassemble.validations/1");
  json_t *alone = document("validate --board second.json --json --quiet", "reassemble.validate/1");
  assert_int_equal(json_array_size(json_object_get(root, "boards")), 2);
  assert_true(json_equal(json_array_get(json_object_get(root, "boards"), 1), alone));
  char *points = contents("points.csv");
  const json_t *kernel = json_array_get(json_object_get(alone, "kernels"), 0);
  char last[256];
  snprintf(last, sizeof last, "\"second, synthetic\",mali-g72-mp12,x,saxpy,ns,100000,%.17g\n",
           json_real_value(json_object_get(kernel, "predicted")));
  assert_non_null(strstr(points, last));
  size_t lines = 0;
  for (const char *c = points; *c; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 1 + 11 + 1);
  free(points);
  json_decref(alone);
  json_decref(root);
}

/* Weights add up to all measurements; every measurement is a member once; tuned to a few is no better on all than
 * tuned to all. */
static void test_subset(void **state) {
  (void)state;
  json_t *root =
      document("tune --board hikey960-gemm-variants --params arith@2 --method linear --subset 4 --json --quiet",
               "reassemble.tune/1");
  const json_t *subset = json_object_get(root, "subset"), *list = json_object_get(subset, "representatives");
  size_t weights = 0, members = 0;
  assert_int_equal(json_array_size(list), 4);
  for (size_t k = 0; k < 4; k++) {
    const json_t *r = json_array_get(list, k);
    weights += (size_t)json_integer_value(json_object_get(r, "weight"));
    members += json_array_size(json_object_get(r, "members"));
  }
  assert_true(weights == 11 && members == 11);
  const double few = mape_of(subset, "all"), all = mape_of(json_object_get(root, "scores"), "in_sample");
  assert_true(few >= all * 0.999);
  assert_true(fabs((4 * mape_of(subset, "in_sample") + 7 * mape_of(subset, "rest")) / 11 - few) < 1e-9);
  json_decref(root);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulate),
      cmocka_unit_test(test_simulate_ablate),
      cmocka_unit_test(test_simulate_timeline),
      cmocka_unit_test(test_timeline_is_bounded),
      cmocka_unit_test(test_validate),
      cmocka_unit_test(test_rank),
      cmocka_unit_test(test_list),
      cmocka_unit_test(test_trace_then_info),
      cmocka_unit_test(test_kernel_file),
      cmocka_unit_test(test_params),
      cmocka_unit_test(test_names_that_are_not_utf8),
      cmocka_unit_test(test_traces_under_other_names),
      cmocka_unit_test(test_board_of_one_measurement),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_errors_as_text),
      cmocka_unit_test(test_full_output),
      cmocka_unit_test(test_baseline),
      cmocka_unit_test(test_speedups),
      cmocka_unit_test(test_several_boards),
      cmocka_unit_test(test_subset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
