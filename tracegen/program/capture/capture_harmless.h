/* Launches of a program that read local memory which nothing has written, and let it decide nothing. PyOpenCL's scan,
 * for example, reads more than it has written, and drops the value. */
#ifndef TRACEGEN_CAPTURE_HARMLESS_H
#define TRACEGEN_CAPTURE_HARMLESS_H

#include <stdbool.h>

#include "tracegen/program/capture/capture.h"

/* Where `failure` of the launch is such a read: emulates the launch twice, with two contents of local memory at its
 * start. Returns whether both traces are the same, to the byte, and both results OpenCL's; *outcome is that of the
 * second then, and its trace stays. Options that ask for no comparison find nothing out. */
bool capture_emulate_harmless(struct capture *capture, size_t index, const char *name,
                              const struct emulate_options *options, double ulps, const struct error *failure,
                              struct capture_outcome *outcome);

#endif
