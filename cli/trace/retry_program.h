/* Finds out which side's optimiser is behind launches of a program that computed something else in OpenCL than in the
 * emulation (docs/capture.md). */
#ifndef CLI_RETRY_PROGRAM_H
#define CLI_RETRY_PROGRAM_H

#include <stddef.h>

#include <jansson.h>

#include "base/error.h"
#include "cli/trace/trace_program.h"
#include "tracegen/program/capture/capture.h"

/* Launches, by what changed their result. */
struct retry_counts {
  size_t opencl;       /* OpenCL agrees with the emulation when it builds the program with -cl-opt-disable */
  size_t emulator;     /* the emulation agrees with OpenCL when it leaves out its optimiser */
  size_t neither;      /* they disagree in both */
  size_t not_repeated; /* the program did not make the launch again */
};

/* Emulates the launch, which differs and whose contents the capture still has, without the optimiser, and notes the
 * outcome in `launch`. */
void retry_without_our_optimiser(struct capture *capture, size_t index, json_t *launch,
                                 const struct emulate_options *options, double ulps);
/* Runs the program once more, built with -cl-opt-disable, emulates what differed before, and gives each of these
 * `launches` the member "retry": "opencl-optimiser", "emulator-optimiser", "neither" or "not-repeated". An error is one
 * of starting the program or of the capture. */
int retry_program(const struct trace_program *request, const struct options *options, json_t *launches,
                  struct retry_counts *counts, struct error *error);
/* Writes what the counts mean, for a message: "; for 2 of them OpenCL's optimiser ...". */
void retry_describe(const struct retry_counts *counts, char *text, size_t size);

#endif
