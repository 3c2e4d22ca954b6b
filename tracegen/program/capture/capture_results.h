/* Keeps the contents of memory after each launch in files, from which the layer takes a program's results if the
 * emulator computes them. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_RESULTS_H
#define TRACEGEN_PROGRAM_CAPTURE_RESULTS_H

#include "tracegen/program/capture/capture.h"

/* Writes the bytes of a launch's buffer or image to their file (launch_result.h), if capture->keeps_results. */
int capture_keep_result(const struct capture *capture, const json_t *launch, size_t buffer, const char *memory,
                        size_t bytes, struct error *error);

#endif
