/* Images and samplers in the log of a capture. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_IMAGES_H
#define TRACEGEN_PROGRAM_CAPTURE_IMAGES_H

#include <jansson.h>

#include "base/error.h"
#include "workload/workload.h"

/* Reads sizes, kind and format, by OpenCL's numbers. b->count holds bytes before the call, and channels after it.
 * `place` is for messages. */
int capture_read_image(const json_t *description, struct workload_buffer *b, const char *place, struct error *error);
int capture_read_sampler(const json_t *description, uint32_t *sampler, const char *place, struct error *error);

/* Returns whether two images of fractions (unorm, snorm) differ by one unit at most, as rounding allows. */
bool capture_fractions_close(const struct workload_buffer *b, const void *actual, const void *expected);

#endif
