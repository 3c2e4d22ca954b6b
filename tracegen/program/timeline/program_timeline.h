/* Simulated time of a program and of the GPU that it uses: what the host does, and when each command runs.
 *
 * The host is one sequence of times. It passes time by itself (timeline_pass), enqueues commands (timeline_enqueue),
 * and waits for them (timeline_wait). A command runs when the commands that it depends on have ended and its engine
 * (host_costs.h) is free; of an in-order queue it depends on the command before it. Commands that depend on a user
 * event are placed when the host completes it.
 *
 * Shapes: commands and queues are numbers from 0 on, in the order in which they were made. Units: nanoseconds since the
 * program's start. Ownership: timeline_create allocates, timeline_destroy frees. Errors: TIMELINE_NONE or false when
 * out of memory. Cost: constant per call, where queues wait for one command each. Threads: one at a time.
 * Determinism: the same calls give the same times. */
#ifndef TRACEGEN_PROGRAM_TIMELINE_H
#define TRACEGEN_PROGRAM_TIMELINE_H

#include "tracegen/program/timeline/host_costs.h"

#define TIMELINE_NONE UINT32_MAX

enum host_state {
  HOST_RUNS,            /* its own code */
  HOST_CALLS,           /* OpenCL calls */
  HOST_SLEEPS,          /* it asked to sleep */
  HOST_AWAITS_KERNEL,   /* it waits, and a kernel (or a copy inside of the GPU's memory) runs */
  HOST_AWAITS_TRANSFER, /* it waits, and bytes move between host and GPU */
  HOST_AWAITS_GPU,      /* it waits, and the GPU is not yet at work, or has just ended */
  HOST_STATES
};

struct command_request {
  enum command_kind kind;
  uint32_t queue;
  uint64_t bytes;    /* that it moves */
  int64_t kernel_ns; /* of a kernel: how long it runs; negative: timeline_resolve will say */
  bool measured;     /* `measured_ns` is how long it runs, whatever it is; negative: timeline_resolve will say */
  int64_t measured_ns;
  bool barrier;         /* later commands of the queue depend on it */
  bool after_all;       /* it depends on all earlier commands of the queue */
  const uint32_t *deps; /* [dep_count]: commands that it depends on */
  uint32_t dep_count;
};

struct command_times {
  int64_t queued, submit, start, end;
};

struct timeline;

struct timeline *timeline_create(const struct host_costs *costs);
void timeline_destroy(struct timeline *timeline);

/* Tells the listener what the host does, in order and without gaps. `command`: the one that runs meanwhile, or
 * TIMELINE_NONE. Called only for spans of at least 1 ns. */
typedef void timeline_span(void *user, enum host_state state, uint32_t command, int64_t from, int64_t to);
void timeline_listen(struct timeline *timeline, timeline_span *span, void *user);

/* Returns the host's time. */
int64_t timeline_now(const struct timeline *timeline);
/* The host spends `ns` in the state. */
void timeline_pass(struct timeline *timeline, enum host_state state, int64_t ns);
/* The host asks so many questions, each of which costs query_ns. */
void timeline_query(struct timeline *timeline, uint32_t count);
/* Returns the number of a new queue. */
uint32_t timeline_queue(struct timeline *timeline, bool in_order);
/* Returns whether it would be known at once when the command runs, if the host enqueued it. */
bool timeline_is_ready(const struct timeline *timeline, const struct command_request *request);
/* The host enqueues a command, which costs enqueue_ns. Returns its number. */
uint32_t timeline_enqueue(struct timeline *timeline, const struct command_request *request);
/* The host makes a user event. */
uint32_t timeline_user_event(struct timeline *timeline);
/* The host completes a user event. Commands that waited for it alone are placed. */
bool timeline_complete(struct timeline *timeline, uint32_t command);
/* Returns the first command that could be placed if its time were known, or TIMELINE_NONE. */
uint32_t timeline_unknown(const struct timeline *timeline);
/* Says how long a command runs whose time was not known, and places it. */
bool timeline_resolve(struct timeline *timeline, uint32_t command, int64_t ns);
/* Places what can be placed and was not, because memory ran out. */
bool timeline_place(struct timeline *timeline);
/* Returns whether it is known when the command runs. */
bool timeline_is_placed(const struct timeline *timeline, uint32_t command);
/* The host waits until the command has ended. It has to be placed. */
void timeline_wait(struct timeline *timeline, uint32_t command);
/* The same for all commands of the queue so far, which have to be placed. */
void timeline_finish(struct timeline *timeline, uint32_t queue);

/* Commands. */
uint32_t timeline_count(const struct timeline *timeline);
struct command_times timeline_times(const struct timeline *timeline, uint32_t command);
uint32_t timeline_queue_count(const struct timeline *timeline);

#endif
