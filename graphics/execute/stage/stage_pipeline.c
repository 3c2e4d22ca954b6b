/* Questions to a pipeline about its stages. */
#include <vulkan/vulkan_core.h>

#include "graphics/execute/stage/stage_launch.h"
#include "graphics/pixel/blend.h"

const struct frame_stage *stage_find(const struct frame_pipeline *p, uint32_t stage_bit) {
  for (uint32_t i = 0; i < p->stage_count; i++)
    if (frame_stages(p)[i].stage == stage_bit)
      return &frame_stages(p)[i];
  return NULL;
}

bool stage_is_there(const struct frame_pipeline *p, uint32_t stage_bit) {
  return stage_find(p, stage_bit) != NULL;
}

bool stage_takes_second_color(const struct frame_pipeline *p) {
  for (uint32_t i = 0; i < p->blend_count; i++)
    if (blend_takes_second(&frame_blends(p)[i]))
      return true;
  return false;
}

const char *stage_name(uint32_t stage_bit) {
  switch (stage_bit) {
  case VK_SHADER_STAGE_VERTEX_BIT:
    return "vertex";
  case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    return "tessellation control";
  case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
    return "tessellation evaluation";
  case VK_SHADER_STAGE_GEOMETRY_BIT:
    return "geometry";
  default:
    return stage_bit == VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment" : "compute";
  }
}

/* Shaders between those of vertices and the rasteriser may make points of any primitive. */
bool stage_draws_points(const struct frame_pipeline *p) {
  return p->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST || stage_is_there(p, VK_SHADER_STAGE_GEOMETRY_BIT) ||
         stage_is_there(p, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
}
