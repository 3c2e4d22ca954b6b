/* Finds the lines of an access of a uniform warp whose work-items lie in several segments of the work-group, segment by
 * segment and not lane by lane.
 *
 * The work-items of a segment are neighbours along the first dimension, so that an affine access without gaps touches a
 * range of lines in each segment. Units: bytes, line numbers. Errors: none. Cost: O(segments + lines). Threads: any. */
#ifndef MODEL_WARP_SEGMENTS_H
#define MODEL_WARP_SEGMENTS_H

#include "model/warp/warp_uniform.h"

/* The next segment of an access. */
struct segment_walk {
  int64_t first; /* offset of its first work-item */
  uint32_t place[3], left;
};

/* Moves behind the `items` work-items of the segment, to the next one. */
static inline void segment_walk_next(struct segment_walk *walk, const struct trace_stream *stream,
                                     const uint32_t *local, uint32_t items) {
  walk->left -= items;
  walk->first += stream->item_stride[1] - (int64_t)stream->item_stride[0] * walk->place[0];
  walk->place[0] = 0;
  if (++walk->place[1] < local[1])
    return;
  walk->first += stream->item_stride[2] - (int64_t)stream->item_stride[1] * local[1];
  walk->place[1] = 0;
  walk->place[2]++;
}

/* Adds the lines from `low` to `high` to the `n` lines so far, whose ranges began at or before `low`. Returns the new
 * number. */
static inline uint32_t add_range(uint32_t *lines, uint32_t n, uint32_t low, uint32_t high) {
  for (uint32_t line = n > 0 && lines[n - 1] >= low ? lines[n - 1] + 1 : low; line <= high; line++)
    lines[n++] = line;
  return n;
}

/* Writes the distinct lines of the warp's present access in ascending order, and returns their number. Returns 0 if the
 * access must be computed lane by lane. `local` holds the work-group's sizes. */
static inline uint32_t warp_segment_lines(const struct warp *warp, const uint32_t *local, const struct line_size *size,
                                          uint32_t *lines) {
  const struct instr *instr = warp->at;
  if (warp->narrow || instr->space == SPACE_PRIVATE)
    return 0;
  const struct trace_stream stream = trace_stream_in(warp->streams, instr->site);
  const int64_t stride = stream.item_stride[0];
  if (stream.kind != STREAM_AFFINE || (uint64_t)(stride + size->bytes) > 2 * (uint64_t)size->bytes)
    return 0;
  const uint64_t memory = instr->space == SPACE_LOCAL ? warp->local_base : 0;
  struct segment_walk walk = {
      uniform_first(warp, &stream), {warp->place[0], warp->place[1], warp->place[2]}, warp->count};
  uint32_t n = 0, before = 0;
  while (walk.left > 0) {
    const uint32_t in_segment = local[0] - walk.place[0], items = in_segment < walk.left ? in_segment : walk.left;
    const int64_t last = walk.first + stride * (items - 1);
    const uint64_t begin = (uint64_t)(stride < 0 ? last : walk.first), end = (uint64_t)(stride < 0 ? walk.first : last);
    const uint32_t low = line_of(size, memory + begin);
    if ((begin | end) >> 32 || low < before)
      return 0; /* wraps at 32 bits, or segments do not ascend */
    n = add_range(lines, n, low, line_of(size, memory + end + instr->bytes - 1));
    before = low;
    segment_walk_next(&walk, &stream, local, items);
  }
  return n;
}

#endif
