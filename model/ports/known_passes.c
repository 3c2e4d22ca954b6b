#include "model/ports/known_passes.h"

#include <stdlib.h>
#include <string.h>

#include "model/warp/warp_uniform.h"

enum { KNOWN_BITS = 8, KNOWN_PASSES = 1 << KNOWN_BITS }; /* assumed: kernels have fewer shapes of local accesses */

bool known_passes_init(struct known_passes *known) {
  known->shapes = calloc(KNOWN_PASSES, sizeof *known->shapes);
  known->passes = calloc(KNOWN_PASSES, sizeof *known->passes);
  return known->shapes && known->passes;
}

void known_passes_clear(struct known_passes *known) {
  free(known->shapes);
  free(known->passes);
  *known = (struct known_passes){0};
}

/* Returns whether the addresses of all work-items of the work-group fit into 32 bits if that of the warp's first one is
 * `first`. */
static bool lies_inside(const struct warp *warp, const uint32_t *local, const struct trace_stream *stream,
                        int64_t first) {
  int64_t low = first, high = first;
  for (int d = 0; d < 3; d++) {
    const int64_t stride = stream->item_stride[d];
    const int64_t begin = -stride * warp->place[d], end = stride * ((int64_t)local[d] - 1 - warp->place[d]);
    low += begin < end ? begin : end;
    high += begin < end ? end : begin;
  }
  return low >= 0 && high <= UINT32_MAX;
}

bool access_shape_of(const struct warp *warp, const uint32_t *local, uint32_t word_bytes, struct access_shape *shape) {
  if (!warp->at || warp->narrow)
    return false;
  const struct trace_stream stream = trace_stream_in(warp->streams, warp->at->site);
  if (stream.kind != STREAM_AFFINE)
    return false;
  const int64_t first = uniform_first(warp, &stream);
  *shape = (struct access_shape){.first_item = warp->first_item,
                                 .bytes = warp->at->bytes,
                                 .in_word = (uint32_t)((uint64_t)first % word_bytes),
                                 .op_class = warp->at->op_class};
  memcpy(shape->item_stride, stream.item_stride, sizeof shape->item_stride);
  return lies_inside(warp, local, &stream, first);
}

/* Returns the entry of a shape, by a multiplicative hash. */
static uint32_t place_of(const struct access_shape *shape) {
  uint32_t words[sizeof *shape / sizeof(uint32_t)];
  uint64_t hash = 0;
  memcpy(words, shape, sizeof *shape);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hash >> (64 - KNOWN_BITS));
}

uint32_t *known_passes_of(struct known_passes *known, const struct access_shape *shape) {
  const uint32_t place = place_of(shape);
  if (memcmp(&known->shapes[place], shape, sizeof *shape) != 0) {
    known->shapes[place] = *shape;
    known->passes[place] = 0;
  }
  return &known->passes[place];
}
