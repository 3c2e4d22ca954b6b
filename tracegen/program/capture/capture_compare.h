/* Whether the emulation left in a buffer what OpenCL left there. Private to tracegen. */
#ifndef TRACEGEN_CAPTURE_COMPARE_H
#define TRACEGEN_CAPTURE_COMPARE_H

#include <stddef.h>

#include <jansson.h>

#include "tracegen/program/capture/capture.h"

/* `launch`: of the log, for the types of its arguments; `id`: the buffer or image `b` there. Floats may be `ulps`
 * representable numbers apart. What no argument of OpenCL defines, the fourth part of a vector of three, is made the
 * same in `actual`. CAPTURE_DIFFERS: `difference` gets the first one in words. */
enum capture_agreement capture_compare(const json_t *launch, json_int_t id, const struct workload_buffer *b,
                                       char *actual, const char *expected, size_t bytes, double ulps, char *difference,
                                       size_t size);

#endif
