#include "base/process/early_end.h"

#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 64, MESSAGE_BYTES = 2048, LOOKS = 100, ATTEMPTS = 20 };
#define LAST_SECOND_NS  1000000000
#define LAST_OF_LIMIT_S 0.05 /* seconds before the limit of time: the limit holds within a tenth of a second */

enum place_state { FREE, TAKEN, NAMED };

struct place {
  atomic_int state;
  pid_t owner;
  char path[PATH_MAX];
};

static atomic_int tell_to = STDERR_FILENO; /* an atomic_int takes no lock */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};

static struct {
  pid_t process; /* the process whose end removes the files and writes the message; 0: early ends are not watched */
  volatile pid_t writer;
  atomic_bool ending;
  char at_signal[MESSAGE_BYTES], at_time_limit[MESSAGE_BYTES];
  bool stopped;          /* whether the clock of the limit of time is stopped */
  double limit_s;        /* limit of time in seconds; 0: none */
  struct itimerval left; /* the rest of the limit of time, while the clock is stopped */
  struct place places[PLACES];
} state;

/* ---- the handler: these functions make only calls that are safe in one (POSIX.1, 2.4.3) ---- */

/* Returns whether the signal says that the work failed, and not that the user wants it to end. */
static bool is_failure(int number) {
  return number == SIGALRM || number == SIGBUS;
}

static bool has_ended(pid_t process) {
  return waitpid(process, NULL, WNOHANG) != 0;
}

static void end_writer(pid_t process, int number) {
  const double last_s = number == SIGALRM && state.limit_s * LAST_OF_LIMIT_S < 1 ? state.limit_s * LAST_OF_LIMIT_S : 1;
  const struct timespec pause = {.tv_nsec = (long)(last_s * LAST_SECOND_NS / LOOKS)};
  kill(process, is_failure(number) ? SIGTERM : number);
  bool ended = has_ended(process);
  for (int i = 0; i < LOOKS && !ended; i++) {
    nanosleep(&pause, NULL);
    ended = has_ended(process);
  }
  if (ended)
    return;
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

/* Returns whether a child process has removed the folder. _Fork, unlike fork, takes no locks that the interrupted code
 * may hold. */
static bool remove_once(const char *folder) {
  int status = 0;
  const pid_t child = _Fork();
  if (child == 0) {
    execl("/bin/rm", "rm", "-rf", "--", folder, (char *)NULL);
    _exit(1);
  }
  if (child > 0)
    waitpid(child, &status, 0);
  return child > 0 && status == 0;
}

/* A worker process, which ends with this one, may make a file in the folder while it is emptied: then it is emptied
 * again. */
static void remove_folder(const char *folder) {
  static const struct timespec pause = {.tv_nsec = 10000000};
  for (int i = 0; i < ATTEMPTS && !remove_once(folder); i++)
    nanosleep(&pause, NULL);
}

static void remove_named(void) {
  const pid_t self = getpid();
  for (size_t i = 0; i < PLACES; i++) {
    struct place *p = &state.places[i];
    if (atomic_load(&p->state) == NAMED && p->owner == self && unlink(p->path) != 0)
      remove_folder(p->path);
  }
}

static void tell(const char *message) {
  const ssize_t written = write(atomic_load(&tell_to), message, strlen(message));
  (void)written;
}

/* This message is for SIGBUS: a mapped file has become shorter (a program truncates a file that its capture shares), or
 * the disk is full. */
static const char at_missing_page[] =
    "reassemble: a file that this command has in memory was cut off by another program, or its disk is full\n";

static void end_early(int number) {
  if (atomic_exchange(&state.ending, true))
    return; /* another signal already ends the program */
  if (state.writer > 0)
    end_writer(state.writer, number);
  remove_named();
  tell(number == SIGALRM ? state.at_time_limit : number == SIGBUS ? at_missing_page : state.at_signal);
  if (is_failure(number))
    _exit(1);
}

void early_end_fail(const char *message) {
  if (getpid() != state.process)
    return;
  if (!atomic_exchange(&state.ending, true)) {
    if (state.writer > 0)
      end_writer(state.writer, SIGTERM);
    remove_named();
  }
  tell(message);
  _exit(1);
}

static void on_end(int number) {
  if (getpid() == state.process)
    end_early(number);
  else
    remove_named();
  signal(number, SIG_DFL);
  raise(number);
}

/* Handles SIGXFSZ by doing nothing, so that a file beyond the limit of sizes (ulimit -f) becomes an error of writing.
 * Unlike an ignored signal, a handled one has its default action in the programs that this one starts. */
static void go_on(int number) {
  (void)number;
}

/* ---- functions for the rest of the program ---- */

void early_end_watch(void) {
  state.process = getpid();
  (void)atexit(remove_named); /* without it only that end is not covered */
  signal(SIGXFSZ, go_on);
  signal(SIGBUS, on_end);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    const struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_RESTART};
    struct sigaction before;
    if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(ends[i], &action, NULL);
  }
}

static bool take(struct place *p, const char *path) {
  int expected = FREE;
  if (strlen(path) >= sizeof p->path || !atomic_compare_exchange_strong(&p->state, &expected, TAKEN))
    return false;
  strcpy(p->path, path);
  p->owner = getpid();
  atomic_store(&p->state, NAMED);
  return true;
}

void early_end_removes(const char *path) {
  bool taken = state.process == 0;
  for (size_t i = 0; i < PLACES && !taken; i++)
    taken = take(&state.places[i], path);
}

void early_end_keeps(const char *path) {
  const pid_t self = getpid();
  for (size_t i = 0; i < PLACES; i++) {
    struct place *p = &state.places[i];
    if (atomic_load(&p->state) == NAMED && p->owner == self && strcmp(p->path, path) == 0)
      atomic_store(&p->state, FREE);
  }
}

void early_end_tell_to(int descriptor) {
  atomic_store(&tell_to, descriptor);
}

void early_end_writer(pid_t process) {
  state.writer = process;
}

void early_end_hold(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    sigaddset(&held, ends[i]);
  sigprocmask(SIG_BLOCK, &held, before);
}

void early_end_let(const sigset_t *before) {
  sigprocmask(SIG_SETMASK, before, NULL);
}

static void copy(char to[MESSAGE_BYTES], const char *from) {
  to[0] = '\0';
  strncat(to, from, MESSAGE_BYTES - 1);
}

void early_end_say(const char *at_signal, const char *at_time_limit) {
  sigset_t before;
  early_end_hold(&before);
  copy(state.at_signal, at_signal);
  copy(state.at_time_limit, at_time_limit);
  early_end_let(&before);
}

void early_end_limit_time(double seconds) {
  const double whole = floor(seconds);
  state.limit_s = seconds;
  state.left = (struct itimerval){
      .it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)fmax(1, (seconds - whole) * 1e6)}};
  state.stopped = true;
  early_end_go_on();
}

void early_end_stop_clock(void) {
  if (state.writer > 0 || state.stopped)
    return;
  setitimer(ITIMER_REAL, &(const struct itimerval){0}, &state.left);
  state.stopped = true;
}

void early_end_go_on(void) {
  if (!state.stopped)
    return;
  setitimer(ITIMER_REAL, &state.left, NULL);
  state.stopped = false;
}
