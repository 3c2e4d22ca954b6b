/* A trace of which each work-item has a long path of its own, and one of which each work-group has a shape of its own,
 * are read in bounded memory: their paths, shapes and streams, which would take several times as much, lie in files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "counted_memory.h"
#include "emulate_text.h"
#include "trace/statistics/statistics.h"

enum { MOST_MEGABYTES = 160, LEAST_TABLE_MEGABYTES = 256 };

static const char kernel[] = "kernel void wander(global int *a, global int *b, int steps) {\n"
                             "  uint i = get_global_id(0), r = i * 2654435761u;\n"
                             "  for (int k = 0; k < steps; k++) {\n"
                             "    r = r * 1664525u + 1013904223u;\n"
                             "    if (r >> 31) a[i] += k; else b[i] ^= k;\n"
                             "  }\n"
                             "}\n";
static const char body[] =
    "buffers:\n  a: {type: int, count: 24576}\n  b: {type: int, count: 24576}\nlaunches:\n"
    "  - {kernel: wander, global: 24576, local: 64, args: [{buffer: a}, {buffer: b}, {int: 600}]}\n";

/* Work-items of a work-group run loops of different lengths, no two work-groups in the same order. */
static const char loops[] = "kernel void loop(global int *a) {\n"
                            "  uint i = get_global_id(0), r = i * 2654435761u, n = (r ^ r >> 15) * 2246822519u >> 27;\n"
                            "  for (uint k = 0; k <= n; k++) a[i] = a[i] * a[i] + k;\n"
                            "}\n";
static const char many_groups[] = "buffers:\n  a: {type: int, count: 25165824}\nlaunches:\n"
                                  "  - {kernel: loop, global: 25165824, local: 64, args: [{buffer: a}]}\n";

static uint64_t table_bytes(const struct trace *t) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < t->shape_count; i++) {
    trace_shape_read(t, i);
    bytes += sizeof *t->shapes[i] + t->shapes[i]->cohort_count * sizeof *t->shapes[i]->cohorts +
             2 * sizeof(uint16_t) * trace_local_size(&t->header);
  }
  for (uint32_t i = 0; i < t->path_count; i++) {
    trace_path_read(t, i);
    bytes += t->paths[i]->step_count * sizeof(struct trace_step) + t->paths[i]->site_count * sizeof(struct trace_site);
  }
  return bytes;
}

/* Ends the process with the megabytes that it has taken at most beside those of the tests, in units of 4. */
static void read_trace(const char *path) __attribute__((noreturn));
static void read_trace(const char *path) {
  struct trace *trace;
  struct trace_summary summary;
  struct statistics statistics;
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  if (trace_load(path, &trace, NULL) || trace_summary_compute(trace, &summary, NULL))
    _exit(255);
  statistics_compute(trace, &summary, 4, &statistics);
  getrusage(RUSAGE_SELF, &after);
  if (table_bytes(trace) >> 20 < LEAST_TABLE_MEGABYTES)
    _exit(254);
  _exit((int)((after.ru_maxrss - before.ru_maxrss) >> 12));
}

static void check(const char *name, const char *source, const char *launch) {
  const struct emulate_options options = {.trace_directory = name};
  struct emulate_text t;
  int status;
  if (emulate_text_run(&t, name, source, launch, &options))
    fail_msg("%s", t.error.text);
  const pid_t child = fork();
  if (child == 0)
    read_trace(t.result.launches[0].trace_path);
  assert_int_equal(waitpid(child, &status, 0), child);
  print_message("%d MB, expected at most %d\n", 4 * WEXITSTATUS(status), MOST_MEGABYTES);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 254);
#ifndef REASSEMBLE_SANITIZED /* shadow memory counts too */
  assert_true(4 * WEXITSTATUS(status) <= MOST_MEGABYTES);
#endif
  unlink(t.result.launches[0].trace_path);
  emulate_text_clear(&t);
}

static void a_trace_of_many_paths_is_read_in_bounded_memory(void **state) {
  (void)state;
  check("many-paths", kernel, body);
}

static void a_trace_of_many_shapes_is_read_in_bounded_memory(void **state) {
  (void)state;
  check("many-shapes", loops, many_groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_of_many_paths_is_read_in_bounded_memory),
                                     cmocka_unit_test(a_trace_of_many_shapes_is_read_in_bounded_memory)};
  count_small_pages();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
