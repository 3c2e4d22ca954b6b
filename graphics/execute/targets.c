/* The uses of targets by passes and draws. A replay decides which of them are traffic with memory. */
#include <stdlib.h>
#include <vulkan/vulkan_core.h>

#include "base/array.h"

#include "graphics/execute/execution.h"

static uint32_t pixel_bytes(const struct storage_image *image) {
  uint32_t bytes = 0;
  for (int plane = 0; plane < PLANE_COUNT; plane++)
    bytes += image->levels[plane][0] ? storage_texel_bytes(image, (enum storage_plane)plane) : 0;
  return bytes * image->info->samples;
}

static bool loads(const struct frame_target *t) {
  return t->view && t->load == VK_ATTACHMENT_LOAD_OP_LOAD;
}

static bool stores(const struct frame_target *t) {
  return t->view && t->store == VK_ATTACHMENT_STORE_OP_STORE;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Appends a target; one that has no image is there too, without bytes, so that the numbers of targets stay. */
static void add(const struct execution *e, const struct frame_target *t, bool is_loaded, bool is_stored,
                struct pass *out) {
  uint32_t level, layer;
  const struct storage_image *image = execution_target(e, t->view, &level, &layer);
  struct pass_target *to = &out->targets[out->target_count++];
  *to = (struct pass_target){0};
  if (!image)
    return;
  *to = (struct pass_target){image->info->id, pixel_bytes(image), is_loaded, is_stored};
  out->width = least(out->width, frame_level_side(image->info->width, level));
  out->height = least(out->height, frame_level_side(image->info->height, level));
}

int execution_note_pass(struct execution *e, const struct frame_begin_pass *p, struct error *error) {
  struct frame_execution *x = e->out;
  if (!array_room_for_one(&x->passes, x->pass_count, sizeof *x->passes))
    return error_no_memory(error);
  struct pass *r = &x->passes[x->pass_count++];
  *r = (struct pass){.width = p->area.width, .height = p->area.height};
  for (uint32_t i = 0; i < p->color_count; i++)
    add(e, &p->colors[i], loads(&p->colors[i]), stores(&p->colors[i]), r);
  if (!p->depth.view && !p->stencil.view)
    return 0;
  r->has_depth = true;
  add(e, p->depth.view ? &p->depth : &p->stencil, loads(&p->depth) || loads(&p->stencil),
      stores(&p->depth) || stores(&p->stencil), r);
  return 0;
}

void execution_note_targets(const struct execution *e, struct frame_draw_result *result) {
  const struct frame_pipeline *p = e->bound->pipeline;
  const struct pass *pass = e->out->pass_count ? &e->out->passes[e->out->pass_count - 1] : NULL;
  struct pass_draw *d = &result->targets;
  if (!pass || !p)
    return;
  for (uint32_t i = 0; i < p->blend_count && i < pass->target_count - pass->has_depth; i++) {
    const struct frame_blend *b = &frame_blends(p)[i];
    d->writes |= b->mask ? 1u << i : 0;
    d->reads |= b->mask && b->enabled ? 1u << i : 0;
  }
  if (!pass->has_depth)
    return;
  const uint32_t depth = 1u << (pass->target_count - 1);
  d->reads |= (p->depth_test && p->depth_compare != VK_COMPARE_OP_ALWAYS) || p->stencil_test ? depth : 0;
  d->writes |= (p->depth_test && p->depth_write) || p->stencil_test ? depth : 0;
}
