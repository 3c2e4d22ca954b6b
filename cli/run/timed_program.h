/* A program's run on one GPU: the actions that the layer wrote (timeline_actions.h), applied to a
 * timeline of this GPU.
 *
 * Units: nanoseconds since the program's start. Ownership: timed_program_read fills, timed_program_clear frees. Errors:
 * ERROR_WORK for a line that the layer does not write. Cost: linear in the actions. Threads: values only. */
#ifndef CLI_TIMED_PROGRAM_H
#define CLI_TIMED_PROGRAM_H

#include "base/error.h"
#include "cli/run/predictor.h"
#include "tracegen/program/timeline/timeline_actions.h"

struct timed_span { /* of the host */
  enum host_state state;
  uint32_t command; /* that runs meanwhile, or TIMELINE_NONE */
  int64_t from, to;
};

struct timed_command {
  enum command_kind kind;
  uint32_t queue;
  uint64_t bytes;
  const struct prediction *prediction; /* of a kernel; NULL: none */
  const char *kernel;                  /* its name; NULL: it is none, or has no name */
  struct command_times times;
};

struct timed_refusal { /* of a launch, because it has no prediction */
  uint64_t launch;     /* of its kind, that was captured */
  uint64_t count;
};

struct timed_program {
  struct timed_span *spans; /* without gaps, from 0 to total_ns */
  size_t span_count, span_room;
  struct timed_command *commands;
  size_t command_count, command_room;
  struct timed_refusal *refusals; /* one for each launch */
  size_t refusal_count;
  char **names; /* [name_count] of kernels */
  size_t name_count;
  int64_t total_ns;
  int64_t state_ns[HOST_STATES]; /* sums of the spans */
  uint32_t queues;
};

/* `gpu`: its number among those of the predictor. `costs`: what commands cost on it. */
int timed_program_read(const struct predictor *predictor, size_t gpu, const struct host_costs *costs,
                       struct timed_program *out, struct error *error);
void timed_program_clear(struct timed_program *program);
/* Returns what a command is called: a kernel's name, or the kind. */
const char *timed_command_name(const struct timed_command *command);

#endif
