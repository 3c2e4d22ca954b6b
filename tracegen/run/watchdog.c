#include "tracegen/run/watchdog.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "base/clock.h"
#include "tracegen/run/group/recording.h"

#define LEAST_S 1e-3 /* a timer of 0 seconds is one that is switched off */

static void on_alarm(int signal) {
  (void)signal;
  const int kept = errno;
  recording_stop();
  errno = kept;
}

static int set_timer(double after_s) {
  const time_t whole = (time_t)after_s;
  const struct itimerval timer = {
      .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)(1e6 * (after_s - (double)whole))}};
  return setitimer(ITIMER_REAL, &timer, NULL);
}

int watchdog_start(double deadline_s, struct error *error) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  recording_start();
  if (deadline_s <= 0)
    return 0;
  const double left = deadline_s - clock_seconds();
  if (sigaction(SIGALRM, &action, NULL) || set_timer(left > LEAST_S ? left : LEAST_S))
    return error_set(error, ERROR_WORK, "cannot set a timer: %s", strerror(errno));
  return 0;
}

void watchdog_end(void) {
  set_timer(0);
}
