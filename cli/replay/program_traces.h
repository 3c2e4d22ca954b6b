/* The traces of a whole program as one input: its manifest (<program>.manifest.json), or the folder that holds it.
 *
 * Kernels are named "<program>.<launch>.<kernel>". Ownership: program_summary_clear frees. Errors: a manifest that is
 * none, that names files outside of its folder, or that is not there; more than one in a folder. */
#ifndef CLI_PROGRAM_TRACES_H
#define CLI_PROGRAM_TRACES_H

#include <stdbool.h>

#include "cli/core/view.h"
#include "cli/replay/replay.h"

/* Returns whether the input is a manifest or a folder. */
bool program_traces_is(const char *input);
/* Returns the path of the manifest that the input is or holds; the caller frees it. NULL: an error. */
char *program_manifest_path(const char *input, struct error *error);
/* Appends the launches that have a trace, in their order. */
int program_traces_load(struct replay *replay, const char *input, const struct options *options, struct error *error);
/* Shows the time of the kernels of each program that was loaded, the host's time between them and the sum, as a table
 * and as the list "programs". Nothing is shown where there is none. */
void program_traces_show(const struct replay *replay, struct view *view);

#endif
