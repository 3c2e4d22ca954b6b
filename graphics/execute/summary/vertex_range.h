/* The vertices and primitives of an instance of a draw, as its parameters and the contents of its index buffer say. */
#ifndef GRAPHICS_VERTEX_RANGE_H
#define GRAPHICS_VERTEX_RANGE_H

#include "graphics/execute/execution.h"

struct vertex_range {
  bool is_known; /* the draw has no indices, or their contents are known */
  uint32_t least,
      most; /* with the draw's offset, without those that restart a primitive; least > most: there are none */
  uint64_t primitives;
};

/* `known`: the contents of the index buffer are those that the capture says. */
struct vertex_range vertex_range_of(const struct execution *e, const struct frame_draw *draw, bool known);

#endif
