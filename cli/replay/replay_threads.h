/* Who replays what: kernels side by side, longest first. One that alone would keep a job busy longer than all of them
 * need together gets several threads, and its turn before the others.
 * Ownership: replay_threads_plan fills, replay_threads_clear frees. */
#ifndef CLI_REPLAY_THREADS_H
#define CLI_REPLAY_THREADS_H

#include "cli/replay/replay.h"

struct replay_threads {
  size_t *kernels;   /* [replay.count]: indexes, longest first */
  size_t long_count; /* the first of them get `threads` each, at the same time, before the others */
  uint32_t threads;
};

int replay_threads_plan(const struct replay *replay, int jobs, struct replay_threads *plan, struct error *error);
void replay_threads_clear(struct replay_threads *plan);

#endif
