#include "tracegen/program/capture/capture_compare.h"

#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tracegen/program/capture/capture_images.h"
#include "workload/scalar_type.h"
#include "workload/workload_read.h"

/* The elements behind a pointer, from its type's name: "float3*". False: a structure, or OpenCL does not tell. */
static bool parse_pointer(const char *name, enum scalar_type *type, unsigned *elements) {
  char text[64];
  const size_t length = name ? strcspn(name, "*") : 0;
  if (length == 0 || length >= sizeof text)
    return false;
  memcpy(text, name, length);
  text[length] = '\0';
  return workload_parse_type(text, type, elements);
}

static bool is_argument(const json_t *argument, json_int_t id, enum scalar_type *type, unsigned *elements) {
  const json_t *buffer = json_object_get(argument, "buffer");
  return buffer && json_integer_value(buffer) == id &&
         parse_pointer(json_string_value(json_object_get(argument, "type")), type, elements);
}

/* Returns the buffer's element type where it is a float; else bytes. */
static enum scalar_type element_type(const json_t *arguments, json_int_t id, size_t bytes) {
  size_t i;
  json_t *argument;
  json_array_foreach(arguments, i, argument) {
    enum scalar_type type;
    unsigned elements;
    if (is_argument(argument, id, &type, &elements) && scalar_type_is_float(type) &&
        bytes % scalar_type_bytes(type) == 0)
      return type;
  }
  return SCALAR_UCHAR;
}

/* OpenCL C 1.2, section 6.1.5: a vector of three takes the room of four, and its fourth part is undefined. */
static void fill_fourth_parts(const json_t *argument, size_t part, char *actual, const char *expected, size_t bytes) {
  const size_t offset = (size_t)json_integer_value(json_object_get(argument, "offset"));
  const size_t span = (size_t)json_integer_value(json_object_get(argument, "bytes"));
  const size_t end = offset < bytes && span < bytes - offset ? offset + span : bytes;
  for (size_t at = offset + 3 * part; at + part <= end; at += 4 * part)
    memcpy(actual + at, expected + at, part);
}

static void ignore_undefined(const json_t *arguments, json_int_t id, char *actual, const char *expected, size_t bytes) {
  size_t i;
  json_t *argument;
  json_array_foreach(arguments, i, argument) {
    enum scalar_type type;
    unsigned elements;
    if (is_argument(argument, id, &type, &elements) && elements == 3)
      fill_fourth_parts(argument, scalar_type_bytes(type), actual, expected, bytes);
  }
}

static void print_bytes(char *out, const char *at, size_t bytes) {
  for (size_t b = bytes; b-- > 0; out += 2)
    sprintf(out, "%02x", (unsigned char)at[b]);
}

/* Returns the difference that is always allowed. A device may take single-precision numbers below the least normal one
 * as zero (OpenCL 1.2, table 4.3: CL_FP_DENORM is optional): PoCL does, the emulation and most GPUs do not. */
static double flushed_difference(enum scalar_type type) {
  return type == SCALAR_FLOAT ? (double)FLT_MIN : 0;
}

enum capture_agreement capture_compare(const json_t *launch, json_int_t id, const struct workload_buffer *b,
                                       char *actual, const char *expected, size_t bytes, double ulps, char *difference,
                                       size_t size) {
  const json_t *arguments = json_object_get(launch, "args");
  if (memcmp(actual, expected, bytes) == 0)
    return CAPTURE_EQUAL;
  ignore_undefined(arguments, id, actual, expected, bytes);
  if (memcmp(actual, expected, bytes) == 0)
    return CAPTURE_EQUAL;
  const enum scalar_type type = b->width > 0 ? b->type : element_type(arguments, id, bytes);
  const size_t part = scalar_type_bytes(type);
  const ptrdiff_t at = workload_first_difference(type, actual, expected, bytes / part, ulps, flushed_difference(type));
  if (at < 0 || capture_fractions_close(b, actual, expected))
    return CAPTURE_CLOSE;
  char found[32], wanted[32];
  print_bytes(found, actual + (size_t)at * part, part);
  print_bytes(wanted, expected + (size_t)at * part, part);
  snprintf(difference, size,
           "%s differs from OpenCL's at byte %zu (%s %td): 0x%s emulated, 0x%s in OpenCL; allowed are %g ULPs", b->name,
           (size_t)at * part, scalar_type_name(type), at, found, wanted, ulps);
  return CAPTURE_DIFFERS;
}
