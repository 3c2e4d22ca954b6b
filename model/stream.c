#include "model/stream.h"

#include "trace/code.h"

static int64_t loop_offset(const struct stream_place *place) {
  int64_t offset = 0;
  for (uint32_t d = 0; d < place->nest->depth; d++)
    offset += (int64_t)place->stream.loop_stride[d] * place->counters[d];
  return offset;
}

static uint64_t execution_number(const struct stream_place *place) {
  uint64_t e = 0;
  for (uint32_t d = 0; d < place->nest->depth; d++)
    e = e * place->nest->repeat[d] + place->counters[d];
  return e;
}

static int64_t affine_item(const struct stream_place *place, uint32_t item) {
  const uint32_t *local = place->trace->header.local;
  const uint32_t at[3] = {item % local[0], item / local[0] % local[1], item / local[0] / local[1]};
  int64_t offset = 0;
  for (uint32_t d = 0; d < 3; d++)
    offset += (int64_t)place->stream.item_stride[d] * at[d];
  return offset;
}

/* Offset within its memory space, as recorded: 32 bits. */
static uint32_t item_offset(const struct stream_place *place, uint32_t item, uint32_t index) {
  const uint32_t *values = place->warp->group->values + place->base;
  switch (place->stream.kind) {
  case STREAM_AFFINE:
    return (uint32_t)(place->base + affine_item(place, item) + loop_offset(place));
  case STREAM_ITEM:
    return (uint32_t)(values[index] + loop_offset(place));
  default:
    return values[index * place->nest->executions + execution_number(place)];
  }
}

static uint64_t in_space(const struct warp *warp, uint8_t space, uint32_t lane, uint32_t offset) {
  if (space == SPACE_LOCAL)
    return warp->local_base + offset;
  if (space == SPACE_PRIVATE)
    return warp->private_base + lane * warp->private_stride + offset;
  return offset;
}

uint64_t stream_item(const struct stream_place *place, uint8_t space, uint32_t lane, uint32_t index) {
  return in_space(place->warp, space, lane, item_offset(place, place->warp->first_item + lane, index));
}

/* One row of the work-group and no wrap at 32 bits: lane k is at first + k * stride. */
static bool affine_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out) {
  const struct trace_stream *stream = &place->stream;
  const struct warp *warp = place->warp;
  if (stream->kind != STREAM_AFFINE || !warp->one_row)
    return false;
  int64_t first = place->base + affine_item(place, warp->first_item) + loop_offset(place);
  const int64_t stride = stream->item_stride[0];
  int64_t last = first + stride * (warp->count - 1);
  if (first < 0 || first > UINT32_MAX || last < 0 || last > UINT32_MAX)
    return false;
  out->affine = true;
  out->first = in_space(warp, space, 0, (uint32_t)first);
  out->stride = stride + (space == SPACE_PRIVATE ? (int64_t)warp->private_stride : 0);
  return true;
}

void stream_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out) {
  const struct warp *warp = place->warp;
  out->count = warp->count;
  if (affine_lanes(place, space, out))
    return;
  out->affine = false;
  for (uint32_t k = 0; k < warp->count; k++)
    out->address[k] = stream_item(place, space, k, warp->index_in_cohort + k);
}
