/* LLVM's fatal errors, which would abort the process, as errors of ours. Private to tracegen/lower.
 *
 * Ownership: what LLVM held when it failed is lost, so that the process should end soon.
 * Threads: one piece of work at a time in a process. */
#ifndef TRACEGEN_LOWER_LLVM_FAILURE_H
#define TRACEGEN_LOWER_LLVM_FAILURE_H

#include <stdbool.h>

#include "base/error.h"

typedef int llvm_work(void *user);

#define LLVM_FAILED (-2)

/* Runs work(user). Returns what it returns; LLVM_FAILED with an ERROR_INPUT "LLVM: <reason>" after a fatal error, and
 * -1 where LLVM cannot be loaded. With `quiet`, what the work writes to standard error is dropped: LLVM's verifier
 * prints there. */
int llvm_failure_catch(llvm_work *work, void *user, bool quiet, struct error *error);

#endif
