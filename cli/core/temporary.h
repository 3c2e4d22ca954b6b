/* A temporary folder that goes away with the program, also when it is interrupted.
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
/* In between those signals wait; `before`: what waited already. */
void temporary_hold_signals(sigset_t *before);
void temporary_let_signals(const sigset_t *before);
/* A child of this process; 0: none any more. Hold signals from before it is started: it would be left behind. */
void temporary_writer(pid_t process);
void temporary_remove(char *folder);

#endif
