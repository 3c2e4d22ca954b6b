#include "graphics/raster/samples.h"

#include <stddef.h>
#include <string.h>

#include "graphics/frame/frame_memory.h"
#include "graphics/raster/triangles.h"

const struct sample_place *sample_places(uint32_t samples) {
  static const struct sample_place one[] = {{0, 0}}, two[] = {{4, 4}, {-4, -4}},
                                   four[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                                   eight[] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
                                   sixteen[] = {{1, 1},  {-1, -3}, {-3, 2}, {4, -1}, {-5, -2}, {2, 5},
                                                {5, 3},  {3, -5},  {-2, 6}, {0, -7}, {-4, -6}, {-6, 4},
                                                {-8, 0}, {7, -4},  {6, 7},  {-7, -8}};
  switch (samples) {
  case 1:
    return one;
  case 2:
    return two;
  case 4:
    return four;
  case 8:
    return eight;
  case 16:
    return sixteen;
  default:
    return NULL;
  }
}

/* Returns the part of a quad that one sample covers. */
static struct raster_quad part_of(const struct raster_quad *q, uint32_t sample) {
  struct raster_quad part = *q;
  part.coverage = 0;
  part.shaded_sample = (uint8_t)(sample + 1);
  for (unsigned pixel = 0; pixel < 4; pixel++) {
    part.samples[pixel] = q->samples[pixel] & (uint16_t)(1u << sample);
    part.coverage |= (uint8_t)((part.samples[pixel] != 0) << pixel);
  }
  return part;
}

static size_t count_parts(const struct raster *r, uint32_t samples) {
  size_t count = 0;
  for (size_t q = 0; q < r->quad_count; q++)
    for (uint32_t s = 0; s < samples; s++)
      count += part_of(&r->quads[q], s).coverage != 0;
  return count;
}

bool raster_split_samples(struct raster *r, uint32_t samples, uint64_t most_quads) {
  const size_t count = count_parts(r, samples);
  struct raster_quad *parts = count <= most_quads ? frame_memory_take((count + 1) * sizeof *parts) : NULL;
  size_t made = 0;
  if (!parts)
    return false;
  for (size_t q = 0; q < r->quad_count; q++)
    for (uint32_t s = 0; s < samples; s++) {
      parts[made] = part_of(&r->quads[q], s);
      made += parts[made].coverage != 0;
    }
  frame_memory_give(r->quads);
  r->quads = parts;
  r->quad_count = count;
  r->quad_room = count + 1;
  return true;
}
