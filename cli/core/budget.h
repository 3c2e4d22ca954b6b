/* The limits of a command that its options --timeout and --memory set, and how it ends there.
 *
 * The time of emulations does not count: each has a limit of its own (tracegen/process/emulation.h). A program behind
 * "--" takes its own time and memory. */
#ifndef CLI_BUDGET_H
#define CLI_BUDGET_H

#include "base/error.h"
#include "cli/core/options.h"

/* Sets the limits. Until budget_end the program ends with exit code 1 when its time is up, and prints no part of its
 * results. */
int budget_begin(const struct options *options, struct error *error);
void budget_end(void);

/* Gives the command so many seconds from now on, unless --timeout says how many it gets. */
void budget_default_time(double seconds);

/* Says that `journal` keeps what is done from now on, and which command goes on from there: "the same command". Both
 * are told when the command is ended early, by a signal or by its limit. */
void budget_resumes(const char *journal, const char *command);

/* Adds to an error for want of memory that --memory set the limit. */
void budget_explain(struct error *error);

#endif
