/* Chunked: each core runs one piece of neighbouring work-groups. All pieces except the last ones have the same size. */
#include "model/policy/dispatch.h"

#include <stddef.h>

static uint32_t at_most(uint64_t index, uint32_t groups) {
  return (uint32_t)(index < groups ? index : groups);
}

static struct dispatch_range one_piece(uint32_t core, uint32_t cores, uint32_t groups) {
  const uint64_t piece = (groups + (uint64_t)cores - 1) / cores, first = core * piece;
  return (struct dispatch_range){at_most(first, groups), at_most(first + piece, groups), 1, NULL};
}

const struct dispatch_order_ops dispatch_chunked = {.own = one_piece};
