#include "tracegen/process/check_results.h"

#include <inttypes.h>
#include <stdio.h>

#include "workload/half.h"

struct element {
  char text[40];
  double value;
};

static struct element read_element(enum scalar_type type, const void *memory, size_t i) {
  struct element e;
  switch (type) {
  case SCALAR_CHAR:
    e.value = ((const int8_t *)memory)[i];
    break;
  case SCALAR_UCHAR:
    e.value = ((const uint8_t *)memory)[i];
    break;
  case SCALAR_SHORT:
    e.value = ((const int16_t *)memory)[i];
    break;
  case SCALAR_USHORT:
    e.value = ((const uint16_t *)memory)[i];
    break;
  case SCALAR_INT:
    e.value = ((const int32_t *)memory)[i];
    break;
  case SCALAR_UINT:
    e.value = ((const uint32_t *)memory)[i];
    break;
  case SCALAR_LONG:
    e.value = (double)((const int64_t *)memory)[i];
    snprintf(e.text, sizeof e.text, "%" PRId64, ((const int64_t *)memory)[i]);
    return e;
  case SCALAR_ULONG:
    e.value = (double)((const uint64_t *)memory)[i];
    snprintf(e.text, sizeof e.text, "%" PRIu64, ((const uint64_t *)memory)[i]);
    return e;
  case SCALAR_HALF:
    e.value = half_to_double(((const uint16_t *)memory)[i]);
    break;
  case SCALAR_FLOAT:
    e.value = (double)((const float *)memory)[i];
    break;
  default:
    e.value = ((const double *)memory)[i];
  }
  snprintf(e.text, sizeof e.text,
           type == SCALAR_DOUBLE        ? "%.17g"
           : scalar_type_is_float(type) ? "%.9g"
                                        : "%.0f",
           e.value);
  return e;
}

static int report(const struct workload *w, const struct workload_check *check, const struct workload_compare *c,
                  size_t i, const void *actual, const void *expected, struct error *error) {
  const struct workload_buffer *b = &w->buffers[c->buffer];
  const struct element found = read_element(b->type, actual, i), wanted = read_element(b->type, expected, i);
  return error_at(error, ERROR_WORK, w->path ? w->path : "", check->launch.line, check->launch.column, "checks",
                  "workload %s fails its check: buffer %s[%zu] is %s; kernel %s expects %s (difference %g, allowed: %g "
                  "ulps or %g)",
                  w->name ? w->name : "", b->name, i, found.text, check->launch.kernel, wanted.text,
                  found.value - wanted.value, c->ulps, c->absolute);
}

int check_compare(const struct workload *workload, const struct workload_check *check, const struct arena *arena,
                  struct error *error) {
  for (size_t i = 0; i < check->compare_count; i++) {
    const struct workload_compare *c = &check->compares[i];
    const struct workload_buffer *b = &workload->buffers[c->buffer];
    const void *actual = arena->base + arena->regions[c->buffer].offset;
    const void *expected = arena->base + arena->regions[c->expected].offset;
    const ptrdiff_t at = workload_first_difference(b->type, actual, expected, b->count, c->ulps, c->absolute);
    if (at >= 0)
      return report(workload, check, c, (size_t)at, actual, expected, error);
  }
  return 0;
}
