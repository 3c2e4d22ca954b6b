/* Measures programs on the OpenCL device of this machine: each alone, as it is, and under `reassemble run --time
 * device`. The programs take turns, so that slow minutes of the machine are shared; of the repetitions of a program the
 * fastest counts, of each of both ways. A first run of each, which may fill OpenCL's cache of kernels, does not count.
 *
 * Units: nanoseconds. Errors: a program that cannot be started, or that fails. Threads: the first. */
#ifndef CLI_PROGRAM_RECORD_H
#define CLI_PROGRAM_RECORD_H

#include "cli/calibrate/program_board.h"

/* Fills the board's times and its document. Times that are there already count as one more repetition. */
int program_record(struct program_board *board, int64_t repetitions, bool quiet, struct error *error);

#endif
