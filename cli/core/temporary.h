/* A temporary folder that is removed when the program ends, also by an interruption.
 *
 * temporary_create makes "$TMPDIR/reassemble-XXXXXX" (/tmp without TMPDIR); temporary_remove removes it with the files
 * in it and frees the name. In between, SIGINT, SIGTERM and SIGHUP remove it before they end the program.
 * A process that writes into it, temporary_writer, is ended before: by the same signal, and after a second by SIGKILL.
 * Threads: one folder at a time per process. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include <signal.h>
#include <sys/types.h>

#include "base/error.h"

int temporary_create(char **folder, struct error *error);
/* Blocks those signals until temporary_let_signals; *before: the signals that were blocked already. */
void temporary_hold_signals(sigset_t *before);
void temporary_let_signals(const sigset_t *before);
/* A child of this process that writes into the folder; 0: there is none. Hold the signals before it is started, so that
 * an interruption does not leave it behind. */
void temporary_writer(pid_t process);
void temporary_remove(char *folder);

#endif
