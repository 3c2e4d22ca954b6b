#include "tracegen/program/board/virtual_time.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "tracegen/program/board/device_time.h"
#include "tracegen/program/clock/simulated_clock.h"
#include "tracegen/program/launch/log.h"

#define KEPT_BYTES 65536 /* of lines before they are written */
#define CLOCK_READING_NS                                                                                               \
  25 /* of the host, per look at the clock: assumed. A program that spins makes progress by it. */

static struct {
  pthread_mutex_t mutex;
  struct timeline *timeline;
  double host_scale;
  unsigned inside;    /* threads in OpenCL calls */
  int64_t outside_ns; /* the real time at which the last of them left */
  struct action kept; /* a pass of time whose line is not written yet */
  char *text;
  size_t bytes;
  FILE *lines;      /* into text; NULL: none are written */
  pid_t writer;     /* that has tried to make their file; 0: none so far */
  bool is_reported; /* it has made the file */
  char file[PATH_MAX];
} this_process = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Lines. */

static bool open_lines(void) {
  this_process.lines = text_stream_begin(&this_process.text, &this_process.bytes);
  return this_process.lines;
}

/* The lines of one process are written: of the first that enqueues a command, and not of those that it forks then. */
static bool claim_file(void) {
  const int out = open(this_process.file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out >= 0)
    close(out);
  this_process.writer = getpid();
  this_process.is_reported = out >= 0;
  return out >= 0;
}

/* Returns whether lines are kept: those of this process are written, or it is not known yet whether they will be. */
static bool keeps_lines(void) {
  if (this_process.writer == 0)
    return this_process.lines;
  return this_process.lines && this_process.is_reported && this_process.writer == getpid();
}

/* Lines that are lost would be commands that took no time. */
static void note_loss(void) {
  atomic_store(&log_control()->times_are_lost, true);
}

static void write_lines(void) {
  if (!text_stream_end(this_process.lines, &this_process.text)) {
    this_process.bytes = 0;
    note_loss();
  }
  const int out = open(this_process.file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  for (size_t at = 0; out >= 0 && at < this_process.bytes;) {
    const ssize_t written = write(out, this_process.text + at, this_process.bytes - at);
    if (written <= 0) {
      note_loss();
      break;
    }
    at += (size_t)written;
  }
  if (out >= 0)
    close(out);
  else
    note_loss();
  free(this_process.text);
  if (!open_lines())
    note_loss();
}

static void write_kept(void) {
  if (this_process.kept.ns > 0)
    action_format(&this_process.kept, this_process.lines);
  this_process.kept.ns = 0;
}

static void put_line(const struct action *a) {
  if (a->kind == ACTION_ENQUEUE && this_process.writer == 0)
    claim_file();
  if (!keeps_lines())
    return;
  if (a->kind == ACTION_PASS && (this_process.kept.ns == 0 || this_process.kept.state == a->state)) {
    const int64_t before = this_process.kept.ns;
    this_process.kept = *a;
    this_process.kept.ns += before;
    return;
  }
  write_kept();
  if (a->kind == ACTION_PASS)
    this_process.kept = *a;
  else
    action_format(a, this_process.lines);
  fflush(this_process.lines);
  const bool pauses = a->kind == ACTION_WAIT || a->kind == ACTION_FINISH; /* the program may end without a word */
  if (this_process.writer && (pauses || this_process.bytes > KEPT_BYTES))
    write_lines();
}

__attribute__((destructor)) static void write_last_lines(void) {
  if (this_process.writer == 0 && this_process.lines)
    claim_file();
  if (!keeps_lines())
    return;
  virtual_enter(); /* the host's last time */
  pthread_mutex_lock(&this_process.mutex);
  write_kept();
  write_lines();
  pthread_mutex_unlock(&this_process.mutex);
}

static _Thread_local unsigned depth;       /* OpenCL calls that this thread is in */
static const struct clock_library *clocks; /* NULL: the program's clocks are real */

/* Time. */

static uint32_t act(const struct action *a) {
  const bool makes_command = a->kind == ACTION_ENQUEUE || a->kind == ACTION_USER_EVENT;
  const uint32_t number =
      makes_command ? timeline_count(this_process.timeline) : timeline_queue_count(this_process.timeline);
  put_line(a);
  return action_apply(this_process.timeline, a) ? number : TIMELINE_NONE;
}

static void pass_host_time(void) {
  const int64_t real = real_clock(CLOCK_MONOTONIC);
  const int64_t ns = llround(this_process.host_scale * (double)(real - this_process.outside_ns));
  this_process.outside_ns = real;
  if (ns > 0)
    act(&(struct action){.kind = ACTION_PASS, .state = HOST_RUNS, .ns = ns});
}

/* The outermost call of a thread ends and begins the watch over its code. */
static void watch(bool watched) {
  if (clocks && depth == 0)
    clocks->watch(watched);
}

void virtual_enter(void) {
  watch(false);
  depth++;
  pthread_mutex_lock(&this_process.mutex);
  if (this_process.inside++ == 0)
    pass_host_time();
  pthread_mutex_unlock(&this_process.mutex);
}

void virtual_leave(void) {
  pthread_mutex_lock(&this_process.mutex);
  if (--this_process.inside == 0)
    this_process.outside_ns = real_clock(CLOCK_MONOTONIC);
  pthread_mutex_unlock(&this_process.mutex);
  depth--;
  watch(true);
}

int64_t virtual_work_begin(void) {
  return real_clock(CLOCK_MONOTONIC);
}

void virtual_work_end(int64_t start, bool compiles) {
  if (device_time_is_on()) {
    device_time_pass_call(start);
    return;
  }
  if (!compiles)
    return;
  const int64_t ns = llround(this_process.host_scale * (double)(real_clock(CLOCK_MONOTONIC) - start));
  virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_CALLS, .ns = ns});
}

uint32_t virtual_act(const struct action *action) {
  pthread_mutex_lock(&this_process.mutex);
  const uint32_t number = act(action);
  pthread_mutex_unlock(&this_process.mutex);
  return number;
}

_Noreturn void virtual_end_without_memory(void) {
  fputs("reassemble: out of memory for the program's simulated time\n", stderr);
  abort();
}

bool virtual_times(uint32_t command, struct command_times *out) {
  pthread_mutex_lock(&this_process.mutex);
  bool placed = timeline_is_placed(this_process.timeline, command);
  if (!placed && !timeline_place(this_process.timeline))
    virtual_end_without_memory();
  placed = timeline_is_placed(this_process.timeline, command);
  *out = timeline_times(this_process.timeline, command);
  pthread_mutex_unlock(&this_process.mutex);
  return placed;
}

bool virtual_is_ready(const struct command_request *request) {
  pthread_mutex_lock(&this_process.mutex);
  const bool ready = timeline_is_ready(this_process.timeline, request);
  pthread_mutex_unlock(&this_process.mutex);
  return ready;
}

uint32_t virtual_unknown(void) {
  pthread_mutex_lock(&this_process.mutex);
  const uint32_t command = timeline_unknown(this_process.timeline);
  pthread_mutex_unlock(&this_process.mutex);
  return command;
}

int64_t virtual_now(void) {
  pthread_mutex_lock(&this_process.mutex);
  const int64_t ns = timeline_now(this_process.timeline);
  pthread_mutex_unlock(&this_process.mutex);
  return ns;
}

/* The functions that the library of clocks calls (simulated_clock.h). */

static bool is_inside(void) {
  return depth > 0;
}

static int64_t read_clock(void) {
  depth++;
  pthread_mutex_lock(&this_process.mutex);
  if (this_process.inside == 0)
    pass_host_time();
  const int64_t ns = timeline_now(this_process.timeline);
  pthread_mutex_unlock(&this_process.mutex);
  depth--;
  return ns;
}

static void note_reading(void) {
  virtual_time_is_read();
  if (this_process.host_scale == 0)
    virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_RUNS, .ns = CLOCK_READING_NS});
}

static void sleep_for(int64_t ns) {
  virtual_enter();
  virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_SLEEPS, .ns = ns});
  virtual_leave();
}

static void note_counter(void) {
  atomic_store(&log_control()->counter_is_read, 1);
}

static void note_uncovered(enum uncovered_call call) {
  atomic_fetch_or(&log_control()->uncovered_calls, 1u << call);
}

void virtual_time_is_read(void) {
  if (atomic_load(&log_control()->time_is_read))
    return;
  pthread_mutex_lock(&this_process.mutex);
  const bool depends_on_device = timeline_count(this_process.timeline) > 0;
  pthread_mutex_unlock(&this_process.mutex);
  if (depends_on_device)
    atomic_store(&log_control()->time_is_read, 1);
}

struct outer_call virtual_call_back(void) {
  const struct outer_call outer = {depth, !clocks || clocks->adopt(true)};
  for (unsigned i = 0; i < outer.depth; i++)
    virtual_leave();
  return outer;
}

void virtual_called_back(struct outer_call outer) {
  for (unsigned i = 0; i < outer.depth; i++)
    virtual_enter();
  if (clocks)
    clocks->adopt(outer.of_program);
}

/* The host's time until now is what the clocks have shown. */
static void attach_clocks(void) {
  static const struct clock_source source = {read_clock,   sleep_for,    is_inside,
                                             note_counter, note_reading, note_uncovered};
  simulated_clock_attach *attach;
  void *found = dlsym(RTLD_DEFAULT, SIMULATED_CLOCK_ATTACH);
  if (!found)
    return;
  memcpy(&attach, &found, sizeof attach);
  depth++;
  clocks = attach(&source);
  virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_RUNS, .ns = clocks->ran_ns});
  virtual_act(&(struct action){.kind = ACTION_PASS, .state = HOST_SLEEPS, .ns = clocks->slept_ns});
  depth--;
}

bool virtual_time_open(const char *folder, const struct virtual_settings *settings) {
  this_process.timeline = timeline_create(&settings->costs);
  this_process.host_scale = settings->host_scale;
  this_process.outside_ns = real_clock(CLOCK_MONOTONIC);
  snprintf(this_process.file, sizeof this_process.file, "%s/" ACTION_TIMELINE_FILE, folder);
  if (!this_process.timeline || !open_lines())
    return false;
  attach_clocks();
  return true;
}
