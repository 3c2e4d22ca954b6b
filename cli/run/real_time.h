/* Messages about a program's time that is not simulated: which of its clocks and waits are those of this machine, and
 * why. They go to the standard error output, and nothing is printed with --quiet. */
#ifndef CLI_REAL_TIME_H
#define CLI_REAL_TIME_H

#include "cli/core/options.h"
#include "cli/run/program_run.h"

/* Says, before a run with --watch-counter, that this machine cannot tell whether the program reads the counter. */
void real_time_tell_blindness(const struct options *options);
/* Says why neither the layer nor the simulated clocks reach a program, if they do not. */
void real_time_tell_binary(const struct program_run *run);
/* Says which real clocks and waits the program has used. */
void real_time_tell(const struct program_run *run);

#endif
