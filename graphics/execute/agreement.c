#include "graphics/execute/agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/pixel/color.h"
#include "graphics/pixel/depth.h"

#define DEPTH_STEPS 65535 /* depths are compared in these, colors in 255 */

bool agreement_follows(const struct execution *e) {
  const uint32_t next = e->record + 1;
  return e->options->each_draw && !e->is_one_of_many && next < e->capture->record_count &&
         (e->capture->records[next].kind == FRAME_TARGET_BYTES || e->capture->records[next].kind == FRAME_SAMPLES);
}

/* A level and layer of a target: the emulator's result, and Vulkan's before and after the draw. */
struct target {
  const struct storage_image *image;
  enum storage_plane plane;
  uint32_t width, height, size; /* size: bytes of a sample; width: samples of a row */
  uint8_t *here, *vulkan, *before;
};

/* Returns the difference of two numbers in steps of 1/255; for numbers above 1 it is relative to them. */
static double steps_between(float a, float b) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b) ? 0 : 255;
  if (isinf(a) || isinf(b))
    return a == b ? 0 : 255;
  return fabs((double)a - (double)b) * 255 / fmax(1, fabs((double)b));
}

static double color_steps(const struct texel_format *format, const uint8_t *a, const uint8_t *b) {
  struct texel_format plain = *format;
  if (plain.numbers == TEXEL_SRGB)
    plain.numbers = TEXEL_UNORM;
  const union color x = color_load(&plain, a), y = color_load(&plain, b);
  double most = 0;
  for (int k = 0; k < 4; k++)
    most = fmax(most, color_is_integer(&plain) ? (x.u[k] == y.u[k] ? 0 : 255) : steps_between(x.f[k], y.f[k]));
  return most;
}

static double difference(const struct target *t, size_t texel) {
  const uint8_t *a = t->here + texel * t->size, *b = t->vulkan + texel * t->size;
  const uint32_t format = t->image->info->format;
  if (t->plane == PLANE_DEPTH)
    return fabs((double)depth_load(format, a) - (double)depth_load(format, b)) * DEPTH_STEPS;
  if (t->plane == PLANE_STENCIL)
    return *a == *b ? 0 : 255;
  return color_steps(texel_format_find(format), a, b);
}

static bool is_covered(const struct execution *e, uint32_t x, uint32_t y) {
  return e->covered && x < e->covered_width && y < e->covered_height && e->covered[(size_t)y * e->covered_width + x];
}

/* Compares colors, or, where the pass has no colors, depth and stencil. Pixels that only Vulkan has changed always
 * count. */
static void compare(const struct execution *e, const struct target *t, struct draw_agreement *out) {
  const bool judged = t->plane == PLANE_COLOR || e->pass->color_count == 0;
  for (uint32_t y = 0; y < t->height; y++)
    for (uint32_t x = 0; x < t->width; x++) {
      const size_t texel = (size_t)y * t->width + x, at = texel * t->size;
      const bool changed = memcmp(t->vulkan + at, t->before + at, t->size) != 0,
                 covered = is_covered(e, x / t->image->info->samples, y);
      out->missing += changed && !covered;
      if (!judged || (!changed && !covered))
        continue;
      const bool same = memcmp(t->vulkan + at, t->here + at, t->size) == 0;
      const double steps = same ? 0 : difference(t, texel);
      out->pixels++;
      out->equal += same;
      out->near += steps <= 1.0001;
      out->worst = fmax(out->worst, steps);
    }
}

static void apply_runs(uint8_t *bytes, const struct frame_target_bytes *t) {
  const struct frame_run *runs = (const struct frame_run *)(t + 1);
  const uint8_t *from = (const uint8_t *)(runs + t->runs);
  for (uint32_t k = 0; k < t->runs; k++) {
    memcpy(bytes + runs[k].offset, from, runs[k].bytes);
    from += runs[k].bytes;
  }
}

/* Makes room for Vulkan's texels of a level, which are 0. */
static bool make_room(struct storage_image *image, enum storage_plane plane, uint32_t level, uint32_t aspect) {
  if (!image->vulkan[plane][level])
    image->vulkan[plane][level] = calloc(1, frame_level_bytes(image->info, aspect, level, image->info->layers) + 1);
  return image->vulkan[plane][level] != NULL;
}

int agreement_take_target(struct execution *e, const struct frame_target_bytes *r, struct error *error) {
  struct storage_image *image = storage_image(&e->storage, r->image);
  const enum storage_plane plane = storage_plane_of(r->aspect);
  if (!e->options->each_draw || !image || !image->levels[plane][r->level] || !e->pass)
    return 0;
  const uint64_t bytes = frame_level_bytes(image->info, r->aspect, r->level, 1);
  struct target t = {.image = image,
                     .plane = plane,
                     .width = frame_level_side(image->info->width, r->level) * image->info->samples,
                     .height = frame_level_side(image->info->height, r->level),
                     .size = storage_texel_bytes(image, plane),
                     .before = malloc(bytes + 1)};
  if (!t.before || !make_room(image, plane, r->level, r->aspect)) {
    free(t.before);
    return error_no_memory(error);
  }
  t.here = image->levels[plane][r->level] + r->layer * bytes;
  t.vulkan = image->vulkan[plane][r->level] + r->layer * bytes;
  if (!r->goes_on)
    memset(t.vulkan, 0, bytes);
  memcpy(t.before, t.vulkan, bytes);
  apply_runs(t.vulkan, r);
  if (e->compares) {
    struct frame_draw_result *d = &e->out->draws[e->out->draw_count - 1];
    d->agreement.compared = true;
    d->agreement.not_compared = NULL;
    compare(e, &t, &d->agreement);
  }
  memcpy(t.here, t.vulkan, bytes);
  free(t.before);
  return 0;
}

void agreement_take_samples(struct execution *e, const struct frame_samples *s) {
  if (!e->compares)
    return;
  e->out->draws[e->out->draw_count - 1].agreement.counted = true;
  e->out->draws[e->out->draw_count - 1].agreement.samples = s->passed;
}

/* Returns the sampler of a texture; NULL: it has none. */
static const struct frame_sampler *sampler_of(const struct execution *e, const struct shader_resource *r) {
  const struct frame_descriptor *d =
      r->kind == RESOURCE_TEXTURE ? execution_descriptor(e, r->set, r->binding, r->element) : NULL;
  return d ? frame_object(e->capture, FRAME_SAMPLER, d->sampler) : NULL;
}

const char *agreement_reason(const struct execution *e, const struct shader_source *s) {
  bool ellipse = false, nearest = false, levels = false;
  for (uint32_t i = 0; i < s->resource_count; i++) {
    const struct frame_sampler *k = sampler_of(e, &s->resources[i]);
    ellipse = ellipse || (k && k->anisotropy > 1);
    nearest = nearest || (k && (k->magnify == VK_FILTER_NEAREST || k->minify == VK_FILTER_NEAREST));
    levels = levels || (k && k->most_lod > 0 && s->resources[i].levels > 1);
  }
  return ellipse   ? "anisotropic texture: one bit decides about the level and the rim of the ellipse"
         : nearest ? "nearest texel: one bit of a coordinate decides which"
         : levels  ? "levels of a texture: one bit of a derivative decides about the level"
                   : "roundings of what is interpolated and computed";
}
