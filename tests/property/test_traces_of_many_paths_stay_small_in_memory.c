/* A trace of which each work-item has a long path of its own is read in bounded memory: its paths and streams, which
 * would take several times as much, lie in files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "counted_memory.h"
#include "emulate_text.h"
#include "trace/statistics/summary.h"

enum { ITEMS = 24576, MOST_MEGABYTES = 160, LEAST_TABLE_MEGABYTES = 256 };

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

static uint64_t table_bytes(const struct trace *t) {
  uint64_t bytes = 0;
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
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  if (trace_load(path, &trace, NULL) || trace_summary_compute(trace, &summary, NULL))
    _exit(255);
  getrusage(RUSAGE_SELF, &after);
  if (table_bytes(trace) >> 20 < LEAST_TABLE_MEGABYTES)
    _exit(254);
  _exit((int)((after.ru_maxrss - before.ru_maxrss) >> 12));
}

static void a_trace_of_many_paths_is_read_in_bounded_memory(void **state) {
  const struct emulate_options options = {.trace_directory = "many-paths"};
  struct emulate_text t;
  int status;
  (void)state;
  if (emulate_text_run(&t, "wander", kernel, body, &options))
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_of_many_paths_is_read_in_bounded_memory)};
  count_small_pages();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
