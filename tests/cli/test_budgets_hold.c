/* The limits of every command: a trace of some hundred bytes that would run for days is refused with its work, time and
 * the option that allows it; --timeout, --memory and --max-instructions end commands with exit code 1, a message and
 * nothing on stdout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "json_documents.h"
#include "reframe.h"
#include "trace/format/header.h"

#define GPU "--gpu mali-g71-mp8 --quiet "
enum { ITEMS = 16, GROUPS = 8, MANY_GROUPS = 1 << 21 };

static void sample(struct loose_trace *out) {
  char path[4096];
  snprintf(path, sizeof path, "%s/tests/golden/gemm-4-version-2.rtrace", getenv("REASSEMBLE_DATA"));
  loose_trace_read(path, out);
}

static void replace(struct loose_trace *t, enum frame_kind kind, const void *raw, size_t length) {
  struct loose_frame *f = loose_trace_find(t, kind);
  free(f->raw);
  f->raw = malloc(length);
  assert_non_null(f->raw);
  memcpy(f->raw, raw, length);
  f->length = length;
}

static size_t put_varint(unsigned char *at, uint64_t value) {
  size_t length = 0;
  for (; value > 127; value >>= 7)
    at[length++] = (unsigned char)(value | 128);
  at[length++] = (unsigned char)value;
  return length;
}

/* Block 0, 2^20 times 2^19 times block 1, block 2; docs/trace-format.md explains the bytes. */
static void write_endless(const char *path) {
  static const unsigned char paths[] = {0, 1, 5, 0, 5, 0xfe, 0xff, 0x3f, 3, 0xfe, 0xff, 0x1f, 2, 4};
  static const unsigned char shapes[] = {0, 1, 1, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 32, 8, 0, 0, 8, 0};
  unsigned char end[32] = {GROUPS, ITEMS};
  const size_t length = 2 + put_varint(end + 2, ITEMS * (8 + 3 + (UINT64_C(15) << 39)));
  struct loose_trace t;
  sample(&t);
  replace(&t, FRAME_PATHS, paths, sizeof paths);
  replace(&t, FRAME_SHAPES, shapes, sizeof shapes);
  end[length] = end[length + 1] = 1;
  replace(&t, FRAME_END, end, length + 2);
  loose_trace_write(path, &t);
  loose_trace_clear(&t);
}

/* 2^21 work-groups, which take about 120 MB in memory. */
static void write_wide(const char *from, const char *path) {
  static unsigned char groups[4 * MANY_GROUPS + 16];
  unsigned char end[64];
  struct trace *whole;
  struct loose_trace t;
  char *header;
  assert_int_equal(trace_load(from, &whole, NULL), 0);
  whole->header.global[1] = MANY_GROUPS / 2;
  assert_int_equal(header_to_json(&whole->header, &header, NULL), 0);
  trace_destroy(whole);
  loose_trace_read(from, &t);
  replace(&t, FRAME_HEADER, header, strlen(header));
  free(header);
  const size_t start = 1 + put_varint(groups + 1, MANY_GROUPS);
  replace(&t, FRAME_GROUPS, groups, start + (size_t)4 * MANY_GROUPS);
  size_t length = put_varint(end, MANY_GROUPS);
  length += put_varint(end + length, 2 * MANY_GROUPS);
  length += put_varint(end + length, UINT64_C(2) * MANY_GROUPS * (8 + 3 + 4 * 15));
  end[length] = end[length + 1] = 1;
  replace(&t, FRAME_END, end, length + 2);
  loose_trace_write(path, &t);
  loose_trace_clear(&t);
}

static int write_traces(void **state) {
  char path[4096];
  (void)state;
  remove("sweep/journal");
  snprintf(path, sizeof path, "%s/tests/golden/gemm-4-version-2.rtrace", getenv("REASSEMBLE_DATA"));
  write_endless("endless.rtrace");
  write_wide(path, "wide.rtrace");
  write_text("sweep.yaml", "schema: reassemble.sweep/1\nname: s\nabout: small\ngpu: mali-g71-mp8\n"
                           "workloads: [endless.rtrace]\naxes:\n  - cores: [1, 2]\n");
  return 0;
}

/* The program ends with exit code 1, this text in its message, and nothing on stdout. */
static void expect_end(const char *arguments, const char *message) {
  struct outcome outcome = run(arguments);
  if (outcome.code != 1 || outcome.out[0] != '\0' || !strstr(outcome.err, message))
    fail_msg("%s: exit %d, %zu bytes on stdout, on stderr:\n%s", arguments, outcome.code, strlen(outcome.out),
             outcome.err);
  clear(&outcome);
}

/* Returns the processor time of the children that have ended, and of theirs. */
static double children_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

#define LATE_S      60.0 /* by the clock: on a busy machine a program gets to its end late */
#define LATE_WORK_S 3.0  /* of processor time: what no other program changes */

/* The same, and a command that works until its limit of time ends soon after it. */
static void expect_timely_end(const char *arguments, double limit_s, const char *message) {
  const double start = clock_seconds(), work = children_seconds();
  expect_end(arguments, message);
  const double seconds = clock_seconds() - start, worked = children_seconds() - work;
  print_message("%.2f s, %.2f s of processor time: %s\n", seconds, worked, arguments);
  assert_true(seconds >= limit_s && seconds < limit_s + LATE_S);
  assert_true(worked < (double)sysconf(_SC_NPROCESSORS_ONLN) * limit_s + LATE_WORK_S);
}

static void work_beyond_the_limit_is_refused_before_it_begins(void **state) {
  (void)state;
  static const char *const commands[] = {
      "info endless.rtrace",
      "info --dot graph endless.rtrace",
      "simulate " GPU "endless.rtrace",
      "simulate " GPU "--sample endless.rtrace",
      "rank " GPU "endless.rtrace endless.rtrace",
      "dse --quiet -o sweep sweep.yaml",
  };
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    expect_end(commands[i], "the launch executes 1.32e+14 work-item instructions, more than the limit of "
                            "1e+12; a replay takes about 3.39 days on one processor; --max-instructions "
                            "131941395333296 allows it\n");
  assert_int_not_equal(access("graph", F_OK), 0);
}

/* A busy machine may not get as far as to the journal within the first limits. */
static void expect_end_that_tells_how_to_go_on(const char *arguments, const char *message) {
  static const double limits_s[] = {0.5, 5, 50};
  bool told = false;
  for (size_t i = 0; i < sizeof limits_s / sizeof limits_s[0] && !told; i++) {
    char limited[512];
    snprintf(limited, sizeof limited, "%s --timeout %g", arguments, limits_s[i]);
    struct outcome outcome = run(limited);
    assert_int_equal(outcome.code, 1);
    assert_string_equal(outcome.out, "");
    told = strstr(outcome.err, message) != NULL;
    if (!told)
      print_message("%s: %s", limited, outcome.err);
    clear(&outcome);
  }
  assert_true(told);
}

static void time_limits_end_every_command(void **state) {
  (void)state;
  static const char *const commands[] = {"simulate " GPU "endless.rtrace", "simulate " GPU "--json endless.rtrace",
                                         "rank " GPU "endless.rtrace endless.rtrace"};
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s --max-instructions 1000000000000000 --timeout 0.5", commands[i]);
    expect_timely_end(arguments, 0.5,
                      "the command took more than 0.5 s and was stopped; a higher --timeout allows more");
    expect_end(arguments, i == 1 ? "\"schema\": \"reassemble.error/1\"" : "--timeout allows more\n");
  }
  expect_end("info wide.rtrace --timeout 0.05", "the command took more than 0.05 s and was stopped");
  expect_end_that_tells_how_to_go_on(
      "dse --quiet -o sweep sweep.yaml --max-instructions 1000000000000000",
      "sweep/journal keeps the results so far: the same command with --resume goes on\n");
  expect_end_that_tells_how_to_go_on("dse --quiet -o sweep --resume sweep.yaml --max-instructions 1000000000000000",
                                     "--resume goes on\n");
}

/* Sources that keep the compiler busy for hours, or waiting for ever. */
static void write_hostile_sources(void) {
  FILE *bomb = fopen("bomb.cl", "w"), *cases = fopen("cases.cl", "w");
  assert_true(bomb && cases);
  fputs("#define A0 x = x * 3 + 1;\n", bomb);
  for (int i = 1; i < 30; i++)
    fprintf(bomb, "#define A%d A%d A%d\n", i, i - 1, i - 1);
  fputs("__kernel void k(__global int *a) { int x = a[0]; A29 a[0] = x; }\n", bomb);
  fputs("__kernel void k(__global int *a) {\n  int x = a[get_global_id(0)];\n  switch (x) {\n", cases);
  for (int i = 0; i < 60000; i++)
    fprintf(cases, "  case %d: x += %d; a[%d] = x; break;\n", i * 7, i * 13 % 1000, i % 64);
  fputs("  }\n  a[get_global_id(0)] = x;\n}\n", cases);
  assert_int_equal(fclose(bomb) | fclose(cases), 0);
  write_text("unroll.cl", "__kernel void k(__global int *a) {\n  int x = a[0];\n#pragma unroll 1000000\n"
                          "  for (int i = 0; i < 1000000; i++)\n    x = x * 3 + a[i & 63] + i;\n  a[0] = x;\n}\n");
  write_text("fifo.cl", "#include \"pipe.h\"\n__kernel void k(__global int *a) { a[0] = 1; }\n");
  remove("pipe.h");
  assert_int_equal(mkfifo("pipe.h", 0600), 0);
}

/* Orphans become children of this process, which is their reaper: a few moments later none may run. */
static void expect_no_process_left(const char *command) {
  static const struct timespec moment = {.tv_nsec = 20000000};
  for (int i = 0; i < 100; i++) {
    const pid_t ended = waitpid(-1, NULL, WNOHANG);
    if (ended < 0)
      return;
    if (ended == 0)
      nanosleep(&moment, NULL);
  }
  fail_msg("%s: a process that it started still runs", command);
}

/* A reader of a pipe without a writer waits for ever. */
static void time_limits_end_every_reader(void **state) {
  static const char *const commands[] = {
      "report pipe -o page.html",
      "calibrate pipe pipe -o factors.json",
      "params --gpu ./pipe",
      "draw pipe -o drawn",
      "frame drawn-pipe " GPU,
      "dse ./pipe -o sweep",
      "info pipe",
      "tune --board ./pipe",
      "baseline --board ./pipe",
      "validate --board ./pipe " GPU,
      "rank pipe " GPU,
      "simulate pipe " GPU,
      "trace ./pipe -o traces",
      "measure ./pipe",
      "run --gpu ./pipe",
  };
  (void)state;
  remove("pipe");
  assert_int_equal(mkfifo("pipe", 0600), 0);
  remove("drawn-pipe/draw-0.vertex.rtrace");
  rmdir("drawn-pipe");
  assert_int_equal(mkdir("drawn-pipe", 0700), 0);
  assert_int_equal(mkfifo("drawn-pipe/draw-0.vertex.rtrace", 0600), 0);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s --timeout 0.1%s", commands[i], i == 14 ? " -- true" : "");
    expect_timely_end(arguments, 0.1, "the command took more than 0.1 s and was stopped; a higher --timeout");
  }
}

/* The limit of an emulation ends each command that asks for one. */
static void time_limits_end_every_emulation(void **state) {
  static const char *const commands[] = {"trace ever.yaml -o traces --quiet",
                                         "simulate ever.yaml " GPU,
                                         "rank ever.yaml " GPU,
                                         "validate --board ever.json " GPU,
                                         "tune --board ever.json --params arith --evaluations 4 --quiet",
                                         "baseline --board ever.json --quiet"};
  (void)state;
  write_text("ever.cl", "__kernel void k(__global int *a) {\n  int x = a[0];\n"
                        "  for (long i = 0; i < 1000000000000L; i++)\n    x = x * 3 + a[i & 63];\n  a[0] = x;\n}\n");
  write_text("ever.yaml", "schema: reassemble.workload/1\nname: ever\nabout: it never ends\nsource: ever.cl\n"
                          "buffers:\n  A: {type: int, count: 64, init: index}\nlaunches:\n"
                          "  - {kernel: k, global: 64, local: 8, args: [{buffer: A}]}\n"
                          "  - {kernel: k, global: 32, local: 8, args: [{buffer: A}]}\n"
                          "  - {kernel: k, global: 16, local: 8, args: [{buffer: A}]}\n");
  write_text(
      "ever.json",
      "{\"schema\": \"reassemble.board/1\", \"name\": \"ever\", \"board\": \"none\", \"gpu\": \"mali-g71-mp8\",\n"
      "\"clock_hz\": 1000000000, \"driver\": \"none\", \"statistic\": \"minimum of 1 run\", \"unit\": \"cycles\",\n"
      "\"source\": \"none\", \"measurements\": [\n"
      "{\"name\": \"A\", \"workload\": \"./ever.yaml\", \"launch\": 0, \"description\": \"\", \"value\": 9, "
      "\"source\": \"none\"},\n"
      "{\"name\": \"B\", \"workload\": \"./ever.yaml\", \"launch\": 1, \"description\": \"\", \"value\": 8, "
      "\"source\": \"none\"},\n"
      "{\"name\": \"C\", \"workload\": \"./ever.yaml\", \"launch\": 2, \"description\": \"\", \"value\": 7, "
      "\"source\": \"none\"}]}\n");
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    char arguments[256];
    snprintf(arguments, sizeof arguments, "%s --timeout 0.2", commands[i]);
    expect_timely_end(arguments, 0.2, "because the launch took more than 0.2 s; a higher --timeout allows more");
  }
}

static void compiling_has_the_limit_of_time_and_no_more(void **state) {
  static const char *const commands[] = {"info bomb.cl --timeout 0.5", "info unroll.cl --timeout 0.5",
                                         "info cases.cl --timeout 0.5", "info fifo.cl --timeout 0.5",
                                         "trace --quiet fifo.cl --kernel k --global 64 --local 8 --arg 'int[64]' "
                                         "-o traces --timeout 3"};
  (void)state;
  write_hostile_sources();
  assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    expect_timely_end(commands[i], i < 4 ? 0.5 : 3, "and was stopped; a higher --timeout allows more\n");
    expect_no_process_left(commands[i]);
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void memory_limits_end_with_their_name(void **state) {
  (void)state;
#ifdef REASSEMBLE_SANITIZED
  skip(); /* such builds have no limit */
#endif
  expect_end("info --memory 67108864 wide.rtrace", "--memory allows 67108864 bytes\n");
  expect_end("simulate --memory 67108864 --jobs 1 " GPU "wide.rtrace", "--memory allows 67108864 bytes\n");
  expect_end("measure --quiet --memory 67108864 saxpy", "--memory allows 67108864 bytes\n");
  struct outcome outcome = run("info --memory 1000000000 wide.rtrace");
  assert_int_equal(outcome.code, 0);
  clear(&outcome);
}

/* Limits end the programs behind `--`, too: one that ignores SIGTERM, and one that launches kernels without end while
 * its launches are emulated. */
static void programs_have_the_limits_too(void **state) {
  (void)state;
#ifdef REASSEMBLE_SANITIZED
  skip(); /* a program does not bring the sanitizer's library, which the layer needs */
#endif
  static const struct {
    const char *command, *rest;
  } commands[] = {
      {"trace -o traces --quiet", "sleep 100"},
      {"run " GPU, "sh -c 'trap \"\" TERM; while :; do :; done'"},
      {"run " GPU, "sh -c 'while :; do \"$REASSEMBLE_PROGRAM_GEMM\" >/dev/null 2>&1; done'"},
  };
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%s --timeout 1 -- %s", commands[i].command, commands[i].rest);
    expect_timely_end(arguments, 1, "the command took more than 1 s and was stopped; a higher --timeout allows more\n");
  }
  expect_end("trace -o traces --quiet -- sh -c 'rm -f \"$REASSEMBLE_CAPTURE/log\"; mkfifo \"$REASSEMBLE_CAPTURE/log\"'",
             "sh made no OpenCL call that the layer saw");
  struct outcome outcome = run("run --memory 67108864 " GPU "-- sh -c 'ulimit -d >&2'");
  assert_non_null(strstr(outcome.err, "65536\n"));
  clear(&outcome);
}

static void emulations_end_at_their_number_of_instructions(void **state) {
  (void)state;
  expect_end("trace gemm-64 --quiet -o traces --max-instructions 1000000",
             "the launch executes more than 1000000 work-item instructions; a higher --max-instructions allows more\n");
  assert_int_not_equal(access("traces/gemm-64.rtrace", F_OK), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(work_beyond_the_limit_is_refused_before_it_begins),
      cmocka_unit_test(time_limits_end_every_command),
      cmocka_unit_test(time_limits_end_every_reader),
      cmocka_unit_test(time_limits_end_every_emulation),
      cmocka_unit_test(compiling_has_the_limit_of_time_and_no_more),
      cmocka_unit_test(memory_limits_end_with_their_name),
      cmocka_unit_test(programs_have_the_limits_too),
      cmocka_unit_test(emulations_end_at_their_number_of_instructions),
  };
  return cmocka_run_group_tests(tests, write_traces, NULL);
}
