#include "workload/scalar_element.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "workload/half.h"

double scalar_element_value(enum scalar_type type, const void *memory, size_t i) {
  switch (type) {
  case SCALAR_CHAR:
    return ((const int8_t *)memory)[i];
  case SCALAR_UCHAR:
    return ((const uint8_t *)memory)[i];
  case SCALAR_SHORT:
    return ((const int16_t *)memory)[i];
  case SCALAR_USHORT:
    return ((const uint16_t *)memory)[i];
  case SCALAR_INT:
    return ((const int32_t *)memory)[i];
  case SCALAR_UINT:
    return ((const uint32_t *)memory)[i];
  case SCALAR_LONG:
    return (double)((const int64_t *)memory)[i];
  case SCALAR_ULONG:
    return (double)((const uint64_t *)memory)[i];
  case SCALAR_HALF:
    return half_to_double(((const uint16_t *)memory)[i]);
  case SCALAR_FLOAT:
    return (double)((const float *)memory)[i];
  default:
    return ((const double *)memory)[i];
  }
}

struct scalar_element scalar_element_read(enum scalar_type type, const void *memory, size_t i) {
  struct scalar_element e = {.value = scalar_element_value(type, memory, i)};
  if (type == SCALAR_LONG)
    snprintf(e.text, sizeof e.text, "%" PRId64, ((const int64_t *)memory)[i]);
  else if (type == SCALAR_ULONG)
    snprintf(e.text, sizeof e.text, "%" PRIu64, ((const uint64_t *)memory)[i]);
  else if (scalar_type_is_float(type))
    snprintf(e.text, sizeof e.text, type == SCALAR_DOUBLE ? "%.17g" : "%.9g", e.value);
  else
    snprintf(e.text, sizeof e.text, "%.0f", e.value);
  return e;
}
