/* Images and samplers in the log of a capture. Private to capture_emulate.c. */
#ifndef TRACEGEN_CAPTURE_IMAGES_H
#define TRACEGEN_CAPTURE_IMAGES_H

#include <jansson.h>

#include "base/error.h"
#include "workload/workload.h"

/* `description`: width, height and OpenCL's numbers of the format; b->count: bytes before, channels behind. `place` is
 * for messages. */
int capture_read_image(const json_t *description, struct workload_buffer *b, const char *place, struct error *error);
int capture_read_sampler(const json_t *description, uint32_t *sampler, const char *place, struct error *error);

/* True when two images of fractions (unorm, snorm) differ by one unit at most, as rounding may. */
bool capture_fractions_close(const struct workload_buffer *b, const void *actual, const void *expected);

#endif
