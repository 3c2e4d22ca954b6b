/* "-" writes to standard output and reads from standard input, both without seeking: a child writes, the parent reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_trace.h"
#include "reframe.h"

/* Starts a child whose standard output is the returned descriptor; in the child: -1. */
static int child_output(pid_t *child) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  *child = fork();
  assert_true(*child >= 0);
  if (*child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  close(ends[1]);
  return ends[0];
}

static void read_from(int descriptor) {
  assert_int_equal(dup2(descriptor, STDIN_FILENO), STDIN_FILENO);
  close(descriptor);
  clearerr(stdin);
}

static void written_and_read(void **state) {
  (void)state;
  const struct random_trace_options options = {.seed = 42, .max_local = 64, .groups = 200};
  struct raw_execution *x = random_execution(&options);
  struct error error = ERROR_INIT;
  struct trace *trace;
  pid_t child;
  int status;
  const int descriptor = child_output(&child);
  if (descriptor < 0)
    _exit(raw_execution_write(x, "-", false, NULL) == 0 ? 0 : 1);
  read_from(descriptor);
  if (trace_load("-", &trace, &error) != 0)
    fail_msg("%s", error.text);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(trace->group_count, x->group_count);
  const uint32_t item = x->local_size - 1, group = x->group_count - 1;
  const struct raw_item *raw = &x->items[(size_t)group * x->local_size + item];
  struct trace_cursor cursor;
  uint32_t block, addresses[64];
  size_t count = 0;
  trace_cursor_init(&cursor, trace, &trace->groups[group], item);
  while (trace_cursor_next(&cursor, &block, addresses))
    assert_int_equal(block, raw->blocks[count++]);
  assert_int_equal(count, raw->block_count);
  trace_destroy(trace);
  raw_execution_destroy(x);
}

/* The writer dies: the reader tells which work-group was the last whole one. */
static void cut_off(void **state) {
  (void)state;
  const struct random_trace_options options = {.seed = 17, .max_local = 16, .groups = 8};
  char path[] = "/tmp/trace-pipe-XXXXXX";
  const int file = mkstemp(path);
  struct loose_trace t;
  struct error error = ERROR_INIT;
  pid_t child;
  assert_true(file >= 0);
  assert_int_equal(random_trace_write(path, &options, NULL, NULL), 0);
  loose_trace_read(path, &t);
  assert_int_equal(t.frames[--t.count].kind, FRAME_END); /* its payload goes on belonging to t */
  loose_trace_write(path, &t);
  const int descriptor = child_output(&child);
  if (descriptor < 0) {
    execlp("cat", "cat", path, (char *)NULL);
    _exit(1);
  }
  read_from(descriptor);
  assert_int_equal(read_whole_trace("-", &error), -1);
  assert_non_null(strstr(error.text, "after work-group"));
  assert_non_null(strstr(error.text, "the last whole one"));
  assert_string_equal(error.file, "standard input");
  waitpid(child, NULL, 0);
  t.count++;
  loose_trace_clear(&t);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(written_and_read), cmocka_unit_test(cut_off)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
