/* Work of LLVM's that may end in what LLVM calls a fatal error, with which it would abort the process: it becomes an
 * error. What LLVM held then is lost, so that the process should end soon. Private to lower.
 * Threads: one piece of work at a time in a process. */
#ifndef TRACEGEN_LOWER_LLVM_FAILURE_H
#define TRACEGEN_LOWER_LLVM_FAILURE_H

#include <stdbool.h>

#include "base/error.h"

typedef int llvm_work(void *user);

#define LLVM_FAILED (-2)

/* Returns what `work` returns; LLVM_FAILED with an ERROR_INPUT "LLVM: <reason>" after a fatal error. `quiet`: what is
 * written to standard error meanwhile is dropped (LLVM's verifier prints there). */
int llvm_failure_catch(llvm_work *work, void *user, bool quiet, struct error *error);

#endif
