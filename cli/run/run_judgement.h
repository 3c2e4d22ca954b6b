/* Judges a run after its end: how the program ended, whether every launch has a time on every GPU, and whether the
 * results of the emulator are those of the device, where they were compared.
 *
 * Errors: ERROR_WORK with the first of these that is not as it should be. Cost: linear in launches and GPUs. Threads:
 * reads only. */
#ifndef CLI_RUN_JUDGEMENT_H
#define CLI_RUN_JUDGEMENT_H

#include "cli/run/program_run.h"

int program_run_judge(const struct program_run *run, struct error *error);

#endif
