/* The ranges of memory that commands of a frame can reach, by kind of resource.
 *
 * Ownership: resource_spans_clear frees the list. Errors: false means that memory ran out. */
#ifndef GRAPHICS_RESOURCE_SPANS_H
#define GRAPHICS_RESOURCE_SPANS_H

#include "graphics/execute/execution.h"
#include "graphics/execute/summary/frame_summary.h"

struct resource_span {
  enum frame_resource resource;
  uint32_t object;
  uint64_t begin, end;
};

struct resource_spans {
  struct resource_span *list;
  size_t count, room;
};

/* Adds the bytes of a buffer from `begin` on, as far as they lie in it; returns their number in *bytes. */
bool resource_add_buffer(struct resource_spans *spans, const struct execution *e, enum frame_resource resource,
                         uint32_t buffer, uint64_t begin, uint64_t length, uint64_t *bytes);
/* The same for the texels of a view, of all of its aspects. */
bool resource_add_view(struct resource_spans *spans, const struct execution *e, enum frame_resource resource,
                       uint32_t view, uint64_t *bytes);
/* The same for what the descriptor sets of the present draw or dispatch bind. *images: those for samplers. */
bool resource_add_sets(struct resource_spans *spans, const struct execution *e, uint64_t bytes[RESOURCE_COUNT],
                       uint32_t *images);
/* Sums up distinct bytes and objects. */
void resource_spans_sum(struct resource_spans *spans, struct frame_resource_summary out[RESOURCE_COUNT]);
void resource_spans_clear(struct resource_spans *spans);

#endif
