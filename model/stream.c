#include "model/stream.h"

#include "trace/code.h"

static int64_t loop_offset(const struct stream_place *place, const struct trace_stream *stream) {
  int64_t offset = 0;
  for (uint32_t d = 0; d < place->leaf->depth; d++)
    offset += (int64_t)stream->loop_stride[d] * place->counters[d];
  return offset;
}

static uint64_t execution_number(const struct stream_place *place) {
  uint64_t e = 0;
  for (uint32_t d = 0; d < place->leaf->depth; d++)
    e = e * place->leaf->repeat[d] + place->counters[d];
  return e;
}

static int64_t affine_item(const struct stream_place *place, const struct trace_stream *stream, uint32_t item) {
  const uint32_t *local = place->trace->header.local;
  uint32_t x = item % local[0], y = item / local[0] % local[1], z = item / local[0] / local[1];
  return (int64_t)stream->item_stride[0] * x + (int64_t)stream->item_stride[1] * y +
         (int64_t)stream->item_stride[2] * z;
}

/* Offset within its memory space, as recorded: 32 bits. */
static uint32_t item_offset(const struct stream_place *place, const struct trace_stream *stream, uint32_t item,
                            uint32_t index) {
  int64_t base = place->warp->group->base[place->stream];
  const uint32_t *values = place->warp->group->values;
  switch (stream->kind) {
  case STREAM_AFFINE:
    return (uint32_t)(base + affine_item(place, stream, item) + loop_offset(place, stream));
  case STREAM_ITEM:
    return (uint32_t)(values[base + index] + loop_offset(place, stream));
  default:
    return values[(uint64_t)base + index * place->leaf->executions + execution_number(place)];
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
  const struct trace_stream *stream = &place->warp->shape->streams[place->stream];
  return in_space(place->warp, space, lane, item_offset(place, stream, place->warp->first_item + lane, index));
}

/* One row of the work-group and no wrap at 32 bits: lane k is at first + k * stride. */
static bool affine_lanes(const struct stream_place *place, const struct trace_stream *stream, uint8_t space,
                         struct lane_addresses *out) {
  const struct warp *warp = place->warp;
  if (stream->kind != STREAM_AFFINE || !warp->one_row)
    return false;
  int64_t first =
      warp->group->base[place->stream] + affine_item(place, stream, warp->first_item) + loop_offset(place, stream);
  int64_t last = first + (int64_t)stream->item_stride[0] * (warp->count - 1);
  if (first < 0 || first > UINT32_MAX || last < 0 || last > UINT32_MAX)
    return false;
  out->affine = true;
  out->first = in_space(warp, space, 0, (uint32_t)first);
  out->stride = stream->item_stride[0] + (space == SPACE_PRIVATE ? (int64_t)warp->private_stride : 0);
  return true;
}

void stream_lanes(const struct stream_place *place, uint8_t space, struct lane_addresses *out) {
  const struct trace_stream *stream = &place->warp->shape->streams[place->stream];
  const struct warp *warp = place->warp;
  out->count = warp->count;
  if (affine_lanes(place, stream, space, out))
    return;
  out->affine = false;
  for (uint32_t k = 0; k < warp->count; k++)
    out->address[k] = stream_item(place, space, k, warp->index_in_cohort + k);
}
