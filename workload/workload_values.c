/* Reads typed values in a workload's file. */
#include "workload/workload_read.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "workload/half.h"

void *workload_allocate(size_t count, size_t size, struct error *error) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    error_set(error, ERROR_WORK, "out of memory for %zu entries of a workload", count);
  return memory;
}

int workload_copy_string(const struct conf_node *node, char **out, struct error *error) {
  const char *text = "";
  if (node && conf_string(node, &text, error))
    return -1;
  *out = strdup(text);
  return *out ? 0 : error_no_memory(error);
}

int workload_need_string(const struct conf_node *map, const char *key, char **out, struct error *error) {
  const struct conf_node *node = conf_need(map, key, error);
  if (!node || workload_copy_string(node, out, error))
    return -1;
  return **out ? 0 : conf_error(node, error, "is empty");
}

/* Returns the path `text`, which is relative to the folder of `file`, relative to the current folder. */
static char *relative_to(const char *file, const char *text) {
  const char *slash = strrchr(file, '/');
  if (text[0] == '/' || !slash)
    return strdup(text);
  return text_format("%.*s/%s", (int)(slash - file), file, text);
}

int workload_read_source(const struct conf_node *node, const char *file, char **out, struct error *error) {
  const char *text;
  if (conf_string(node, &text, error))
    return -1;
  if (!*text)
    return conf_error(node, error, "is empty; expected the path of an OpenCL C file, relative to this file");
  *out = relative_to(file, text);
  return *out ? 0 : error_no_memory(error);
}

int workload_expect_items(const struct conf_node *node, size_t minimum, size_t maximum, struct error *error) {
  if (conf_expect(node, CONF_LIST, error))
    return -1;
  if (node->count < minimum || node->count > maximum)
    return conf_error(node, error, "has %zu items; expected %zu to %zu", node->count, minimum, maximum);
  return 0;
}

/* Reads a type such as "float4" as SCALAR_FLOAT and 4. */
bool workload_parse_type(const char *text, enum scalar_type *type, unsigned *elements) {
  for (int t = 0; t < SCALAR_COUNT; t++) {
    const char *name = scalar_type_name((enum scalar_type)t);
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0)
      continue;
    static const char *const widths[] = {"", "2", "3", "4", "8", "16"};
    static const unsigned counts[] = {1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
      if (strcmp(text + length, widths[i]) == 0) {
        *type = (enum scalar_type)t;
        *elements = counts[i];
        return true;
      }
  }
  return false;
}

void workload_integer_bounds(enum scalar_type type, int64_t *minimum, int64_t *maximum) {
  const bool is_signed = type == SCALAR_CHAR || type == SCALAR_SHORT || type == SCALAR_INT || type == SCALAR_LONG;
  const unsigned bits = (unsigned)scalar_type_bytes(type) * 8 - (is_signed ? 1 : 0);
  *maximum = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
  *minimum = is_signed ? -*maximum - 1 : 0;
}

double workload_float_limit(enum scalar_type type) {
  return type == SCALAR_HALF ? 65504 : type == SCALAR_FLOAT ? (double)FLT_MAX : DBL_MAX;
}

int workload_read_value(const struct conf_node *node, enum scalar_type type, unsigned char *out, struct error *error) {
  if (scalar_type_is_float(type)) {
    double value;
    if (conf_real(node, -workload_float_limit(type), workload_float_limit(type), &value, error))
      return -1;
    const uint16_t half = half_from_double(value);
    const float single = (float)value;
    memcpy(out,
           type == SCALAR_HALF    ? (const void *)&half
           : type == SCALAR_FLOAT ? (const void *)&single
                                  : &value,
           scalar_type_bytes(type));
    return 0;
  }
  int64_t minimum, maximum, value;
  workload_integer_bounds(type, &minimum, &maximum);
  if (conf_int(node, minimum, maximum, &value, error))
    return -1;
  for (size_t i = 0; i < scalar_type_bytes(type); i++)
    out[i] = (unsigned char)((uint64_t)value >> (8 * i));
  return 0;
}
