#include "tracegen/process/emulation_result.h"

#include <stdlib.h>
#include <string.h>

/* Returns a copy that the caller frees; NULL when out of memory. */
static void *copy_of(const void *bytes, uint64_t count) {
  void *copy = malloc(count ? count : 1);
  return copy ? memcpy(copy, bytes, count) : NULL;
}

int result_copy_buffers(const struct workload *w, const struct arena *arena, struct emulate_result *out,
                        struct error *error) {
  out->buffers = calloc(w->buffer_count + 1, sizeof *out->buffers);
  if (!out->buffers)
    return error_no_memory(error);
  for (; out->buffer_count < w->buffer_count; out->buffer_count++) {
    const struct arena_region *r = &arena->regions[out->buffer_count];
    if (!(out->buffers[out->buffer_count] = copy_of(arena->base + r->offset, r->bytes)))
      return error_set(error, ERROR_WORK, "out of memory for a copy of buffer %s", r->name);
  }
  return 0;
}

int result_copy_undefined(const struct workload *w, const struct arena *arena, struct emulate_result *out,
                          struct error *error) {
  out->undefined = calloc(w->buffer_count + 1, sizeof *out->undefined);
  if (!out->undefined)
    return error_no_memory(error);
  for (; out->undefined_count < w->buffer_count; out->undefined_count++) {
    const size_t i = out->undefined_count;
    const struct arena_region *r = &arena->regions[i];
    if (w->buffers[i].undefined && !(out->undefined[i] = copy_of(arena->undefined + r->offset, r->bytes)))
      return error_no_memory(error);
  }
  return 0;
}

int result_copy_launches(const struct workload *w, const struct worker_report *report, char **trace_paths,
                         struct emulate_result *out, struct error *error) {
  out->launches = calloc(w->launch_count + 1, sizeof *out->launches);
  if (!out->launches)
    return error_no_memory(error);
  for (; out->launch_count < w->launch_count; out->launch_count++) {
    const size_t i = out->launch_count;
    out->launches[i] = report->launches[i];
    out->launches[i].outside.first[sizeof out->launches[i].outside.first - 1] = '\0';
    out->launches[i].kernel = strdup(w->launches[i].kernel);
    out->launches[i].trace_path = trace_paths ? strdup(trace_paths[i]) : NULL;
    if (!out->launches[i].kernel || (trace_paths && !out->launches[i].trace_path))
      return error_no_memory(error);
  }
  out->checks_passed = report->checks_passed;
  return 0;
}

void emulate_result_clear(struct emulate_result *result) {
  for (size_t i = 0; i < result->launch_count; i++) {
    free(result->launches[i].trace_path);
    free(result->launches[i].kernel);
  }
  for (size_t i = 0; i < result->buffer_count; i++)
    free(result->buffers[i]);
  for (size_t i = 0; i < result->undefined_count; i++)
    free(result->undefined[i]);
  free(result->launches);
  free(result->buffers);
  free(result->undefined);
  *result = (struct emulate_result){0};
}
