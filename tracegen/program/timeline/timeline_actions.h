/* The actions of a host, a line each, so that the same program can be timed on other GPUs: the process of the program
 * writes the lines, and the reader applies them to a timeline of its own. Both apply an action by the same function.
 *
 * Lines: a letter and numbers with spaces between them, as action_format writes them. Ownership: the list of an
 * action's dependencies is the caller's. Errors: false for a line that action_format does not write, for commands and
 * queues that do not exist, and when out of memory. Cost: linear in the dependencies. Threads: values only. */
#ifndef TRACEGEN_PROGRAM_TIMELINE_ACTIONS_H
#define TRACEGEN_PROGRAM_TIMELINE_ACTIONS_H

#include <stdio.h>

#include "tracegen/program/timeline/program_timeline.h"

#define ACTION_NO_LAUNCH     UINT64_MAX
#define ACTION_MOST_DEPS     4096
#define ACTION_NAME_BYTES    256
#define ACTION_LINE_BYTES    (192 + ACTION_NAME_BYTES + 11 * ACTION_MOST_DEPS)
#define ACTION_TIMELINE_FILE "timeline" /* in the folder of the capture */

enum action_kind {
  ACTION_PASS = 'p',       /* state, ns */
  ACTION_QUERY = 'q',      /* how many questions */
  ACTION_QUEUE = 'o',      /* whether it is in order; gets the next number of a queue */
  ACTION_ENQUEUE = 'e',    /* a command; gets the next number of a command */
  ACTION_REFUSE = 'x',     /* launch; it has no prediction, so the program got an error in place of a command */
  ACTION_USER_EVENT = 'u', /* nothing; gets the next number of a command */
  ACTION_COMPLETE = 'c',   /* the number of a user event */
  ACTION_RESOLVE = 'r',    /* the number of a command whose time is known now; ns, if it was measured */
  ACTION_WAIT = 'w',       /* the number of a command */
  ACTION_FINISH = 'f',     /* the number of a queue */
};

struct action {
  enum action_kind kind;
  enum host_state state;
  int64_t ns;
  uint32_t number; /* of a command or queue */
  bool in_order;
  struct command_request request; /* the line has its kernel_ns only where that is negative */
  uint64_t launch;                /* of a kernel: the captured launch whose prediction is its time, or is missing */
  const char *name;               /* of a kernel, in the line that was parsed or borrowed from the caller; NULL: none */
};

bool action_format(const struct action *action, FILE *out);
/* `deps` has room for ACTION_MOST_DEPS. */
bool action_parse(const char *line, struct action *out, uint32_t *deps);
bool action_apply(struct timeline *timeline, const struct action *action);

#endif
