/* Traces of a board's launches, kept on disk: made once, found again by later commands and after an interruption.
 *
 * A trace's name is a digest of all that it depends on: the workload's file and values, the kernel files in the folder
 * of its source, the choice of work-groups, and the sources of the emulator. Traces lie in the folder "traces" of the
 * cache ($REASSEMBLE_CACHE, base/file.h); nothing is ever removed from there. Without a cache they are made in a
 * temporary folder.
 * Steps:     trace_store_open lists; trace_store_make emulates what is missing, in --jobs processes; trace_store_add
 *            appends the launches to a replay, in their order.
 * Ownership: trace_store_open fills, trace_store_clear frees, after an error too. Threads: one; the caller should have
 *            no other threads while traces are made. */
#ifndef CLI_TRACE_STORE_H
#define CLI_TRACE_STORE_H

#include "cli/replay/replay.h"
#include "tuner/board/board_launches.h"

struct stored_workload {
  const struct board_launch *named; /* the first launch that names it */
  char *path, *name, *key;
  size_t launch_count; /* of the workload's file */
  bool is_there;
};

struct trace_store {
  const struct board *board;
  const struct board_launches *launches;
  char *folder;
  bool is_temporary;
  struct stored_workload *workloads;
  size_t count;
};

int trace_store_open(struct trace_store *store, const struct board *board, const struct board_launches *launches,
                     struct error *error);
int trace_store_make(struct trace_store *store, const struct options *options, struct error *error);
/* `load`: the traces are loaded; otherwise they stay in the store's folder, which the replay reads them from
 * (replay_add_file). */
int trace_store_add(const struct trace_store *store, struct replay *replay, bool load, const struct options *options,
                    struct error *error);
void trace_store_clear(struct trace_store *store);

/* Emulates one workload into the store's folder. */
int trace_store_emulate(const struct trace_store *store, const struct stored_workload *stored, bool more_follow,
                        const struct options *options, struct error *error);

#endif
