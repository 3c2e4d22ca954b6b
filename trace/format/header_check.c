/* Checks the values of a trace header (trace/format/header.h). */
#include <inttypes.h>

#include "trace/format/header.h"
#include "trace/format/limits.h"

static int check_range(const struct trace_header *h, uint64_t *groups, struct error *error) {
  uint64_t local_size = 1;
  *groups = 1;
  for (unsigned d = 0; d < 3; d++) {
    if (d >= h->dimensions && (h->global[d] != 1 || h->local[d] != 1))
      return error_set(error, ERROR_INPUT,
                       "trace header: unused dimension %u: found global %" PRIu64 ", local %" PRIu32
                       ", expected 1 and 1",
                       d, h->global[d], h->local[d]);
    if (h->local[d] == 0 || h->global[d] == 0 || h->global[d] % h->local[d] != 0)
      return error_set(error, ERROR_INPUT,
                       "trace header: dimension %u: local size %" PRIu32 " does not divide global size %" PRIu64, d,
                       h->local[d], h->global[d]);
    if (h->offset[d] > INT64_MAX)
      return error_set(error, ERROR_INPUT, "trace header: dimension %u: global offset %" PRIu64 " is too large", d,
                       h->offset[d]);
    local_size *= h->local[d];
    if (local_size > TRACE_MAX_LOCAL)
      return error_set(error, ERROR_INPUT, "trace header: found more than %u work-items in a work-group",
                       TRACE_MAX_LOCAL);
    if (__builtin_mul_overflow(*groups, h->global[d] / h->local[d], groups) || *groups >= UINT32_MAX)
      return error_set(error, ERROR_INPUT, "trace header: found more than %u work-groups", UINT32_MAX - 1);
  }
  return 0;
}

static int check_sample(const struct trace_header *h, uint64_t groups, struct error *error) {
  const struct index_ranges *sample = &h->sample;
  for (size_t i = 0; i < sample->count; i++) {
    const struct index_range *range = &sample->list[i];
    if (range->last < range->first || range->last >= groups || (i > 0 && range->first <= range[-1].last))
      return error_set(error, ERROR_INPUT,
                       "trace header: key \"sample\": found the range %" PRIu32 " to %" PRIu32
                       ", expected ranges that ascend, of a launch of %" PRIu64 " work-groups",
                       range->first, range->last, groups);
  }
  return 0;
}

int header_check(const struct trace_header *h, struct error *error) {
  if (h->dimensions < 1 || h->dimensions > 3)
    return error_set(error, ERROR_INPUT, "trace header: found %u dimensions, expected 1 to 3", h->dimensions);
  if (h->buffer_count > LIMIT_BUFFERS)
    return error_set(error, ERROR_INPUT, "trace header: found %u buffers, expected at most %u", h->buffer_count,
                     LIMIT_BUFFERS);
  for (uint32_t i = 0; i < h->buffer_count; i++) {
    const struct trace_buffer *b = &h->buffers[i];
    if (b->space != SPACE_GLOBAL && b->space != SPACE_CONSTANT)
      return error_set(error, ERROR_INPUT, "trace header: buffer %u is neither global nor constant memory", i);
    if ((uint64_t)b->base + b->bytes > UINT64_C(1) << 32)
      return error_set(error, ERROR_INPUT, "trace header: buffer %u ends behind 4 GiB", i);
  }
  uint64_t groups;
  return check_range(h, &groups, error) == 0 ? check_sample(h, groups, error) : -1;
}

uint32_t trace_launch_groups(const struct trace_header *h) {
  uint64_t groups;
  return check_range(h, &groups, NULL) == 0 ? (uint32_t)groups : 0;
}

uint32_t header_groups(const struct trace_header *h) {
  return trace_is_sampled(h) ? (uint32_t)index_ranges_total(&h->sample) : trace_launch_groups(h);
}
