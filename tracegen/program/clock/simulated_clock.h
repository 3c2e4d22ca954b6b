/* The clocks of a program on a virtual board: a library that is loaded before all others (LD_PRELOAD) and answers the C
 * library's calls that tell the time or sleep. The layer, which keeps simulated time, attaches itself to it.
 *
 * Before the layer is attached, time passes as measured, times $REASSEMBLE_HOST_SCALE, and sleeping takes as long as
 * was asked for. Calls from inside of an OpenCL call, and from threads that OpenCL made, get real time.
 * Units: nanoseconds. Threads: any; attach once. Private to the layer. */
#ifndef TRACEGEN_PROGRAM_SIMULATED_CLOCK_H
#define TRACEGEN_PROGRAM_SIMULATED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Calls that follow real time on a virtual board. A capture keeps one bit for each. */
enum uncovered_call {
  UNCOVERED_TIMER,          /* setitimer, alarm, timer_settime, timerfd_settime */
  UNCOVERED_PROCESSOR_TIME, /* getrusage, times */
  UNCOVERED_SYSCALL,        /* syscall with the number of a clock or of a sleep */
  UNCOVERED_COUNT
};

struct clock_source {
  int64_t (*now)(void); /* since the process began; the question takes no time */
  void (*sleep)(int64_t ns);
  bool (*is_inside)(void);       /* whether this thread is in an OpenCL call */
  void (*counter_is_read)(void); /* the program reads the processor's counter, which tells real time */
  void (*time_is_read)(void);    /* the program looks at a clock: what it does next may depend on it */
  void (*is_uncovered)(enum uncovered_call call);
};

struct clock_library {
  int64_t ran_ns, slept_ns;    /* until the layer attached itself */
  bool (*adopt)(bool adopted); /* sets whether this thread runs the program's code, and returns whether it did */
  void (*watch)(bool watched); /* whether this thread may not read the processor's counter; not within OpenCL */
};

/* The name of the function by which the layer finds the library, and its type. */
#define SIMULATED_CLOCK_ATTACH "reassemble_clock_attach"
typedef const struct clock_library *simulated_clock_attach(const struct clock_source *source);

/* Asks Linux for the clock. By an instruction where that is known, because the vDSO reads the processor's counter, and
 * because the library answers the C library's syscall. */
static inline void ask_clock(long clock, struct timespec *now) {
#if defined(__x86_64__)
  long status = SYS_clock_gettime;
  __asm__ volatile("syscall" : "+a"(status) : "D"(clock), "S"(now) : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long number __asm__("x8") = SYS_clock_gettime;
  register long first __asm__("x0") = clock;
  register struct timespec *second __asm__("x1") = now;
  __asm__ volatile("svc 0" : "+r"(first) : "r"(number), "r"(second) : "memory");
#else
  syscall(SYS_clock_gettime, clock, now);
#endif
}

/* Returns real time, whatever is loaded. */
static inline int64_t real_clock(clockid_t clock) {
  struct timespec now = {0};
  ask_clock(clock, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Private to the library. */

/* Returns whether this call gets simulated time. */
bool simulated_clock_is_on(void);
/* Returns simulated time since the process began. */
int64_t simulated_clock_now(void);
/* Returns what the clock shows at simulated time 0. */
int64_t simulated_clock_base(clockid_t clock);
/* Returns what the clock shows to the caller: simulated or real time. Does not count as a look at it. */
int64_t simulated_clock_shows(clockid_t clock);
/* The program looks at a clock. */
void simulated_clock_is_read(void);
void simulated_clock_sleep(int64_t ns);
void simulated_clock_is_uncovered(enum uncovered_call call);
/* Passes simulated time without real time. */
void simulated_clock_pass(int64_t ns);
/* Returns the C library's own function of this name. */
void *simulated_clock_next(const char *name);
/* Makes ready for counter_trap_watch, where the user wants it ($REASSEMBLE_WATCH_COUNTER). */
void counter_trap_set(void (*is_read)(void));
/* Sets whether instructions of this thread, and of threads that it makes, that read the processor's counter are
 * reported. */
void counter_trap_watch(bool watched);

#endif
