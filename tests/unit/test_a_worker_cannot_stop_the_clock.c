/* The parent of a worker that a kernel has taken over ends it, whatever the worker says of its phases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/process/subprocess.h"
#include "tracegen/process/worker_process.h"

#define PAUSE_US 2000
#define TIMEOUT  3600.0 /* far more than the test may take */

static double now(void) {
  return clock_seconds();
}

static double no_number(void) {
  return nan("");
}

/* The time until a worker that keeps reporting `phase_start` has been ended. */
static double time_to_end(double (*phase_start)(void)) {
  int ends[2];
  bool timed_out = false;
  struct worker_process p = {.most_phases = 10, .report_bytes = sizeof(struct worker_report)};
  p.report = subprocess_shared_memory(p.report_bytes);
  assert_non_null(p.report);
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  p.socket = ends[0];
  p.worker = fork();
  if (p.worker == 0) {
    subprocess_end_with_parent();
    for (;; usleep(PAUSE_US))
      p.report->phase_start_s = phase_start();
  }
  close(ends[1]);
  const double start = clock_seconds();
  worker_process_watch(&p, TIMEOUT, &timed_out);
  assert_true(timed_out);
  assert_int_equal(p.worker, 0);
  close(ends[0]);
  munmap(p.report, p.report_bytes);
  return clock_seconds() - start;
}

static void phases_without_end_are_ended(void **state) {
  (void)state;
  assert_true(time_to_end(now) < TIMEOUT / 2);
}

static void a_start_that_is_no_number_is_ended(void **state) {
  (void)state;
  assert_true(time_to_end(no_number) < TIMEOUT / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases_without_end_are_ended),
      cmocka_unit_test(a_start_that_is_no_number_is_ended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
