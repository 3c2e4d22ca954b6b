/* The comparison of a buffer after emulation with the same buffer after OpenCL. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_COMPARE_H
#define TRACEGEN_PROGRAM_CAPTURE_COMPARE_H

#include <stddef.h>

#include <jansson.h>

#include "tracegen/program/capture/capture.h"

/* `launch` is the log's, for the types of its arguments; `id` is the buffer or image `b` there. Floats may be `ulps`
 * representable numbers apart. The fourth part of a vector of three, which OpenCL leaves undefined, is copied into
 * `actual`. With CAPTURE_DIFFERS, `difference` describes the first difference. */
enum capture_agreement capture_compare(const json_t *launch, json_int_t id, const struct workload_buffer *b,
                                       char *actual, const char *expected, size_t bytes, double ulps, char *difference,
                                       size_t size);

#endif
