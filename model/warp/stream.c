#include "model/warp/stream.h"

#include <stddef.h>

#include "model/warp/interleaved_memory.h"
#include "trace/code.h"

static int64_t loop_offset(const struct stream_place *place) {
  int64_t offset = 0;
  for (uint32_t d = 0; d < place->depth; d++)
    offset += (int64_t)place->stream.loop_stride[d] * place->counters[d];
  return offset;
}

/* Returns the offset that a lane of the warp adds. Lanes in one segment of the work-group need no divisions. */
static int64_t affine_lane(const struct stream_place *place, uint32_t lane) {
  const struct warp *warp = place->warp;
  const uint32_t *local = place->trace->header.local, item = warp->first_item + lane;
  uint32_t at[3] = {warp->place[0] + lane, warp->place[1], warp->place[2]};
  int64_t offset = 0;
  if (!warp->one_segment) {
    at[0] = item % local[0];
    at[1] = item / local[0] % local[1];
    at[2] = item / local[0] / local[1];
  }
  for (uint32_t d = 0; d < 3; d++)
    offset += (int64_t)place->stream.item_stride[d] * at[d];
  return offset;
}

static uint64_t in_space(const struct warp *warp, uint8_t space, uint32_t lane, uint32_t offset) {
  if (space == SPACE_LOCAL)
    return warp->local_base + offset;
  if (space == SPACE_PRIVATE && warp->word_stride_bytes)
    return warp->private_base +
           interleaved_place((uint32_t)(offset % warp->private_stride), lane, warp->word_stride_bytes);
  if (space == SPACE_PRIVATE)
    return warp->private_base + lane * warp->private_stride + offset;
  return offset;
}

/* Returns the distance between the same byte of two neighbouring lanes. */
static int64_t between_lanes(const struct warp *warp, uint8_t space) {
  if (space != SPACE_PRIVATE)
    return 0;
  return warp->word_stride_bytes ? INTERLEAVED_WORD : (int64_t)warp->private_stride;
}

/* Returns whether lane k is at first + k * stride, that is, the warp is in one segment of the work-group and no address
 * wraps at 32 bits. */
static bool affine_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out) {
  const struct trace_stream *stream = &place->stream;
  const struct warp *warp = place->warp;
  if (stream->kind != STREAM_AFFINE || !warp->one_segment)
    return false;
  int64_t first = place->base + affine_lane(place, 0) + loop_offset(place);
  const int64_t stride = stream->item_stride[0];
  int64_t last = first + stride * (warp->count - 1);
  if (first < 0 || first > UINT32_MAX || last < 0 || last > UINT32_MAX)
    return false;
  if (space == SPACE_PRIVATE && warp->word_stride_bytes && stride != 0)
    return false; /* lanes access different words */
  out->affine = true;
  out->first = in_space(warp, space, 0, (uint32_t)first);
  out->stride = stride + between_lanes(warp, space);
  return true;
}

/* The offsets are within the memory space, as recorded, with 32 bits. */
void stream_some(const struct stream_place *place, uint8_t space, uint64_t lanes, uint64_t *address) {
  const struct warp *warp = place->warp;
  const uint8_t kind = place->stream.kind;
  const uint64_t step = kind == STREAM_RAW ? place->executions : 1;
  const uint32_t *values =
      kind == STREAM_AFFINE ? NULL : warp->group->values + place->base + place->index * step + place->number;
  const int64_t loops = kind == STREAM_RAW ? 0 : loop_offset(place);
  for (uint32_t i = 0; lanes; lanes &= lanes - 1, i++) {
    const uint32_t lane = (uint32_t)__builtin_ctzll(lanes);
    const int64_t start = kind == STREAM_AFFINE ? place->base + affine_lane(place, lane) : values[i * step];
    address[lane] = in_space(warp, space, lane, (uint32_t)(start + loops));
  }
}

/* Only recorded addresses are prefetched: they lie far apart, and those of many warps do not fit in the caches of the
 * host. */
void stream_prefetch(const struct stream_place *place, uint64_t lanes) {
  if (place->stream.kind != STREAM_RAW)
    return;
  const uint32_t *value = place->warp->group->values + place->base + place->index * place->executions + place->number;
  for (; lanes; lanes &= lanes - 1, value += place->executions)
    __builtin_prefetch(value);
}

void stream_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out) {
  const struct warp *warp = place->warp;
  out->count = warp->count;
  out->word_stride_bytes = stream_word_stride_bytes(warp, space);
  out->lanes = UINT64_MAX >> (64 - warp->count);
  if (affine_lanes(place, space, out))
    return;
  out->affine = false;
  stream_some(place, space, out->lanes, out->address);
}
