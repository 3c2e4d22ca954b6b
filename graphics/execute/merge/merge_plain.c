/* Merges fragments of most draws: one sample a pixel, colors that replace those of targets with a byte for each of four
 * channels, a test of depth or none, no stencil. */
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "graphics/execute/merge/merge.h"
#include "graphics/frame/texel_format.h"

/* A float of 2^23 and above has no fraction: to add it rounds to the nearest whole number, even where two are as near,
 * and leaves this number in the lowest bits. */
#define WHOLE 0x1p23f

/* A target's row of texels, and the output that each byte of a texel is made of. */
struct bytes_target {
  uint8_t *texels;
  size_t row_bytes;
  uint32_t slots[4];
};

struct plain {
  struct bytes_target colors[FRAME_MAX_COLORS];
  uint32_t color_count;
  uint8_t *depths; /* NULL: there is no test */
  size_t depth_row_bytes, depth_bytes;
  bool depth_is_short, writes_depth;
  float most;      /* of a depth that is a whole number; 0: depths are floats */
  uint32_t passes; /* bits: less, equal, greater, not comparable */
  float least_depth, most_depth;
};

static bool is_written(const struct target *t) {
  return t->image && t->format && t->texels && t->slots[0] >= 0;
}

static bool replaces_bytes(const struct target *t) {
  return t->format->numbers == TEXEL_UNORM && t->format->bits[0] == 8 && t->format->bytes == 4 &&
         t->format->channels == 4 && t->slots[1] >= 0 && t->slots[2] >= 0 && t->slots[3] >= 0 &&
         (!t->blend || (!t->blend->enabled && t->blend->mask == 15));
}

bool merge_is_plain(const struct merge *m) {
  const struct frame_pipeline *p = m->e->bound->pipeline;
  if (p->line_mode == VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT) /* alpha has a share */
    return false;
  if (m->samples != 1 || m->depth_slot >= 0 || m->mask_slot >= 0 || (p->stencil_test && m->stencil.image) ||
      p->multisampling & (FRAME_ALPHA_TO_COVERAGE | FRAME_ALPHA_TO_ONE) || !(p->sample_mask & 1) || m->e->covered)
    return false;
  for (uint32_t i = 0; i < m->e->pass->color_count; i++)
    if (is_written(&m->colors[i]) && !replaces_bytes(&m->colors[i]))
      return false;
  return true;
}

/* The comparison of VkCompareOp has the bits less, equal and greater. What is no number is different from all. */
static uint32_t passing(uint32_t compare) {
  return compare | (compare == VK_COMPARE_OP_NOT_EQUAL || compare == VK_COMPARE_OP_ALWAYS ? 8 : 0);
}

static float largest(uint32_t format) {
  return format == VK_FORMAT_D16_UNORM                                                      ? 65535
         : format == VK_FORMAT_X8_D24_UNORM_PACK32 || format == VK_FORMAT_D24_UNORM_S8_UINT ? 16777215
                                                                                            : 0;
}

static struct plain plain_of(const struct merge *m) {
  const struct frame_pipeline *p = m->e->bound->pipeline;
  const uint32_t depth_format = m->tests_depth ? m->depth.image->info->format : VK_FORMAT_UNDEFINED;
  struct plain out = {.depths = m->tests_depth ? m->depth.texels : NULL,
                      .depth_row_bytes = m->depth.row_bytes,
                      .depth_bytes = m->depth.texel_bytes,
                      .depth_is_short = depth_format == VK_FORMAT_D16_UNORM,
                      .writes_depth = p->depth_write,
                      .most = largest(depth_format),
                      .passes = passing(p->depth_compare),
                      .least_depth = m->e->viewport.least_depth,
                      .most_depth = m->e->viewport.most_depth};
  for (uint32_t i = 0; i < m->e->pass->color_count; i++) {
    const struct target *t = &m->colors[i];
    struct bytes_target *to = &out.colors[out.color_count];
    if (!is_written(t))
      continue;
    *to = (struct bytes_target){.texels = t->texels, .row_bytes = t->row_bytes};
    for (int k = 0; k < 4; k++)
      to->slots[k] = (uint32_t)t->slots[t->format->place[k]];
    out.color_count++;
  }
  return out;
}

/* Functions of each fragment become part of the one loop, which is compiled twice (merge_plain). */
#define OF_EACH_FRAGMENT static inline __attribute__((always_inline))

OF_EACH_FRAGMENT float fraction_of(float v) {
  const float above = v > 0 ? v : 0; /* not a number: 0 */
  return above < 1 ? above : 1;
}

/* Returns the number of a depth from 0 to `most`, rounded as lrintf does. */
OF_EACH_FRAGMENT uint32_t depth_number(float depth, float most) {
  const float v = fraction_of(depth) * most;
  return (uint32_t)(v < WHOLE ? (v + WHOLE) - WHOLE : v);
}

OF_EACH_FRAGMENT uint32_t word_of(float f) {
  uint32_t word;
  memcpy(&word, &f, sizeof word);
  return word;
}

/* Returns whether the fragment passes, after which its depth is the texel's. */
OF_EACH_FRAGMENT bool test(const struct plain *p, float depth, uint8_t *texel) {
  uint32_t before = 0, word = p->most > 0 ? depth_number(depth, p->most) : word_of(depth), order;
  if (p->depth_is_short)
    memcpy(&before, texel, 2);
  else
    memcpy(&before, texel, 4);
  if (p->most > 0) {
    before &= (uint32_t)p->most;
    order = (uint32_t)(word < before) | (uint32_t)(word == before) << 1 | (uint32_t)(word > before) << 2;
  } else {
    const float old = float_of(before);
    order = depth < old ? 1 : depth == old ? 2 : depth > old ? 4 : 8;
  }
  if (!(order & p->passes))
    return false;
  if (p->writes_depth && p->depth_is_short)
    memcpy(texel, &word, 2);
  else if (p->writes_depth)
    memcpy(texel, &word, 4);
  return true;
}

/* Four channels at once, with the compilers' vectors. */
typedef float four_floats __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));

/* The same as fraction_of. */
OF_EACH_FRAGMENT four_floats fractions_of(four_floats v) {
  const four_floats ones = {1, 1, 1, 1};
  const four_floats above = (four_floats)((four_masks)v & (v > 0));
  const four_masks below = above < ones;
  return (four_floats)(((four_masks)above & below) | ((four_masks)ones & ~below));
}

OF_EACH_FRAGMENT void write_color(const struct bytes_target *t, const uint32_t *words, uint32_t x, uint32_t y) {
  const uint32_t loaded[4] = {words[t->slots[0]], words[t->slots[1]], words[t->slots[2]], words[t->slots[3]]};
  uint32_t numbers[4];
  four_floats channels;
  memcpy(&channels, loaded, sizeof channels);
  channels = fractions_of(channels) * 255 + (float)WHOLE;
  memcpy(numbers, &channels, sizeof numbers);
  const uint8_t bytes[4] = {(uint8_t)numbers[0], (uint8_t)numbers[1], (uint8_t)numbers[2], (uint8_t)numbers[3]};
  memcpy(t->texels + y * t->row_bytes + (size_t)x * 4, bytes, sizeof bytes);
}

OF_EACH_FRAGMENT bool merge_lane(const struct merge *m, const struct plain *p, uint32_t x, uint32_t y,
                                 const uint32_t *words) {
  if (p->depths) {
    const float at = plane_at(&m->depth_plane, (float)x, (float)y);
    const float above = at < p->least_depth ? p->least_depth : at;
    const float depth = above > p->most_depth ? p->most_depth : above;
    if (!test(p, depth, p->depths + y * p->depth_row_bytes + x * p->depth_bytes))
      return false;
  }
  for (uint32_t i = 0; i < p->color_count; i++)
    write_color(&p->colors[i], words, x, y);
  return true;
}

OF_EACH_FRAGMENT void merge_quad(const struct merge *m, const struct plain *p, struct raster_quad *q, size_t item) {
  struct frame_draw_result *result = m->result;
  for (int lane = 0; lane < 4; lane++) {
    if (!(q->coverage & 1 << lane))
      continue;
    const uint32_t x = (uint32_t)(q->x + (lane & 1)), y = (uint32_t)(q->y + (lane >> 1));
    const uint32_t *words = stage_word(m->words, item + (size_t)lane, 0);
    result->fragments++;
    merge_count_overdraw(m, x, y);
    if (m->discard_slot >= 0 && words[m->discard_slot]) {
      result->discarded++;
      continue;
    }
    if (!(q->samples[lane] & 1) || !merge_lane(m, p, x, y, words))
      continue;
    result->passed++;
    q->passed_samples[lane] |= 1;
    q->passed |= (uint8_t)(1 << lane);
  }
}

OF_EACH_FRAGMENT void merge_quads(struct merge *m, const struct plain *p, struct raster *r) {
  for (size_t q = 0; q < r->quad_count; q++) {
    if (m->triangle != &r->triangles[r->quads[q].triangle])
      merge_begin_triangle(m, &r->triangles[r->quads[q].triangle]);
    merge_quad(m, p, &r->quads[q], 4 * q);
  }
}

/* Compiled with the instruction for fmaf where the processor has one; elsewhere fmaf is a call of the C library with
 * the same result. */
#ifdef __x86_64__
__attribute__((target("fma"))) static void merge_quads_fused(struct merge *m, const struct plain *p, struct raster *r) {
  merge_quads(m, p, r);
}

static bool fuses(void) {
  return __builtin_cpu_supports("fma");
}
#else
#define merge_quads_fused merge_quads

static bool fuses(void) {
  return false;
}
#endif

void merge_plain(struct merge *m, struct raster *r) {
  const struct plain p = plain_of(m);
  if (fuses())
    merge_quads_fused(m, &p, r);
  else
    merge_quads(m, &p, r);
}
