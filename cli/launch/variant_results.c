#include "cli/launch/variant_results.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "workload/scalar_element.h"

#define MOST_BYTES   ((size_t)1 << 30)
#define NEAR_VALUE   1e-3 /* assumed, as the header says */
#define NEAR_LARGEST 1e-5 /* assumed */

bool variant_results_wanted(const struct workload *workload) {
  size_t bytes = 0;
  for (size_t i = 0; i < workload->buffer_count && bytes <= MOST_BYTES; i++)
    bytes += workload->buffers[i].count * scalar_type_bytes(workload->buffers[i].type);
  return bytes <= MOST_BYTES;
}

static bool ran_whole(const struct emulate_result *result) {
  for (size_t i = 0; i < result->launch_count; i++)
    if (result->launches[i].groups != result->launches[i].launch_groups)
      return false;
  return result->buffers != NULL;
}

static bool keep_first(struct variant_results *results, const struct workload *workload,
                       struct emulate_result *result) {
  results->variant = strdup(workload->name);
  results->buffers = calloc(result->buffer_count + 1, sizeof *results->buffers);
  if (!results->variant || !results->buffers)
    return false;
  for (size_t i = 0; i < result->buffer_count; i++) {
    const struct workload_buffer *b = &workload->buffers[i];
    results->buffers[i] = (struct variant_buffer){
        .name = strdup(b->name), .type = b->type, .count = b->count, .contents = result->buffers[i]};
    result->buffers[i] = NULL;
    results->count++;
    if (!results->buffers[i].name)
      return false;
  }
  return true;
}

static const struct variant_buffer *same_buffer(const struct variant_results *results,
                                                const struct workload_buffer *b) {
  for (size_t i = 0; i < results->count; i++) {
    const struct variant_buffer *first = &results->buffers[i];
    if (strcmp(first->name, b->name) == 0 && first->type == b->type && first->count == b->count)
      return first;
  }
  return NULL;
}

static double largest(const struct variant_buffer *buffer) {
  double most = 0;
  for (size_t i = 0; i < buffer->count; i++) {
    const double value = fabs(scalar_element_value(buffer->type, buffer->contents, i));
    most = value > most && isfinite(value) ? value : most;
  }
  return most;
}

static bool near(enum scalar_type type, const void *a, const void *b, size_t i, double absolute) {
  const double x = scalar_element_value(type, a, i), y = scalar_element_value(type, b, i);
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y);
  if (isinf(x) || isinf(y))
    return x == y;
  return fabs(x - y) <= NEAR_VALUE * fmax(fabs(x), fabs(y)) + absolute;
}

/* Returns the first element that differs; the number of elements where none does. */
static size_t first_difference(const struct variant_buffer *first, const void *contents) {
  const size_t bytes = scalar_type_bytes(first->type);
  double absolute = -1;
  for (size_t i = 0; i < first->count;) {
    const ptrdiff_t found =
        workload_first_difference(first->type, (const char *)contents + i * bytes,
                                  (const char *)first->contents + i * bytes, first->count - i, 0, 0);
    if (found < 0)
      break;
    i += (size_t)found;
    if (!scalar_type_is_float(first->type))
      return i;
    if (absolute < 0)
      absolute = NEAR_LARGEST * largest(first);
    if (!near(first->type, contents, first->contents, i, absolute))
      return i;
    i++;
  }
  return first->count;
}

static int describe(const struct variant_results *results, const struct variant_buffer *first, const void *contents,
                    size_t element, struct variant_difference *out, struct error *error) {
  const struct scalar_element found = scalar_element_read(first->type, contents, element),
                              expected = scalar_element_read(first->type, first->contents, element);
  *out = (struct variant_difference){
      .buffer = strdup(first->name), .element = element, .reference = strdup(results->variant)};
  memcpy(out->found, found.text, sizeof out->found);
  memcpy(out->expected, expected.text, sizeof out->expected);
  return out->buffer && out->reference ? 0 : error_no_memory(error);
}

int variant_results_compare(struct variant_results *results, const struct workload *workload,
                            struct emulate_result *result, struct variant_difference *difference, struct error *error) {
  *difference = (struct variant_difference){0};
  if (!ran_whole(result))
    return 0;
  if (!results->variant)
    return keep_first(results, workload, result) ? 0 : error_no_memory(error);
  for (size_t i = 0; i < result->buffer_count; i++) {
    const struct variant_buffer *first = same_buffer(results, &workload->buffers[i]);
    const size_t element = first ? first_difference(first, result->buffers[i]) : 0;
    if (first && element < first->count)
      return describe(results, first, result->buffers[i], element, difference, error);
  }
  return 0;
}

void variant_difference_clear(struct variant_difference *difference) {
  free(difference->buffer);
  free(difference->reference);
  *difference = (struct variant_difference){0};
}

void variant_results_clear(struct variant_results *results) {
  for (size_t i = 0; i < results->count; i++) {
    free(results->buffers[i].name);
    free(results->buffers[i].contents);
  }
  free(results->buffers);
  free(results->variant);
  *results = (struct variant_results){0};
}
