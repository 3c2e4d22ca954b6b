/* Decides how many threads replay each kernel: kernels are replayed side by side, the longest first. A kernel that
 * takes longer than an equal share of all work gets several threads and is replayed before the others.
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
