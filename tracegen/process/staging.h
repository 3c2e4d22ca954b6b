/* The folder in which the process that runs kernels writes traces: the only one that it may write to (sandbox.h). It
 * lies in the folder of the traces, ".reassemble-<process>", so that a finished one only changes its name. Private to
 * tracegen. */
#ifndef TRACEGEN_PROCESS_STAGING_H
#define TRACEGEN_PROCESS_STAGING_H

#include "base/error.h"

/* Makes it, and the folder `directory` when that is missing; removes those of processes that are gone, which a signal
 * or the machine has ended. The caller frees the name; NULL: an error. */
char *staging_make(const char *directory, struct error *error);
/* Moves a trace to its final place (base/file_target.h), if it is a regular file. */
int staging_publish(const char *staged, const char *path, struct error *error);
/* With all files in it. */
void staging_remove(const char *staging);

#endif
