/* Finds out what the folder for traces holds of earlier runs: which of it this run has replaced, and which traces of
 * the same name it has not made, is said on standard error, so that nothing is lost or mixed unseen.
 *
 * Ownership: trace_folder_clear frees.
 * Errors:    a folder that cannot be read counts as an empty one. */
#ifndef CLI_TRACE_TRACE_FOLDER_H
#define CLI_TRACE_TRACE_FOLDER_H

#include <stddef.h>

struct trace_folder {
  const char *path;
  char **names; /* of the traces that were there, in order; [count], "saxpy.rtrace" */
  char *fates;  /* by name: what became of it */
  size_t count;
  char *last; /* the name of whose workload others were looked for last; NULL: none */
};

void trace_folder_look(struct trace_folder *folder, const char *path);
/* This run has made the trace at `path`. */
void trace_folder_made(struct trace_folder *folder, const char *path);
/* At the end of the run. */
void trace_folder_tell(const struct trace_folder *folder);
void trace_folder_clear(struct trace_folder *folder);

#endif
