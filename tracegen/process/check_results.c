#include "tracegen/process/check_results.h"

#include "workload/scalar_element.h"

static int report(const struct workload *w, const struct workload_check *check, const struct workload_compare *c,
                  size_t i, const void *actual, const void *expected, struct error *error) {
  const struct workload_buffer *b = &w->buffers[c->buffer];
  const struct scalar_element found = scalar_element_read(b->type, actual, i),
                              wanted = scalar_element_read(b->type, expected, i);
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
