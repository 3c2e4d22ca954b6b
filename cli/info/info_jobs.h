/* Shows what the recorded jobs of a Bifrost GPU do (docs/bifrost.md). */
#ifndef CLI_INFO_JOBS_H
#define CLI_INFO_JOBS_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/core/options.h"

/* Returns whether the file's name is that of a recording (*.rbifrost). */
bool info_jobs_is(const char *file);
/* Runs the jobs of each recording among the arguments, and shows their statistics. */
int info_jobs_show(const struct options *options, struct error *error);

#endif
