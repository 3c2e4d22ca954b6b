#include "graphics/execute/frame_execute.h"

#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan_core.h>

#include "base/file.h"
#include "base/text.h"
#include "graphics/execute/agreement.h"
#include "graphics/execute/execution.h"
#include "graphics/frame/frame_memory.h"
#include "graphics/pixel/color.h"
#include "tracegen/emulate.h"

/* Returns false when memory runs out. */
static bool make_maps(struct execution *e, size_t pixels) {
  struct frame_execution *out = e->out;
  out->overdraw = frame_memory_take((pixels + 1) * sizeof *out->overdraw);
  if (e->options->traces) {
    out->operations = calloc(pixels + 1, sizeof *out->operations);
    out->texels = calloc(pixels + 1, sizeof *out->texels);
  }
  return out->overdraw && (!e->options->traces || (out->operations && out->texels));
}

static int begin(struct execution *e, struct error *error) {
  const size_t objects = (size_t)e->capture->object_count + 1;
  bool made = storage_create(&e->storage, e->capture);
  e->set_records = calloc(objects, sizeof *e->set_records);
  e->kept = e->options->kept ? e->options->kept : kept_shaders_create();
  made &= e->kept && kept_shaders_begin_frame(e->kept, e->options->traces);
  if (e->capture->picture) {
    e->out->width = e->capture->picture->width;
    e->out->height = e->capture->picture->height;
    made &= make_maps(e, (size_t)e->out->width * e->out->height);
  }
  return made && e->set_records ? file_make_directories(e->options->folder, error) : error_no_memory(error);
}

static void end(struct execution *e) {
  free(e->set_records);
  free(e->covered);
  frame_memory_give(e->gathered);
  raster_clear(&e->raster);
  if (!e->options->kept)
    kept_shaders_destroy(e->kept);
  storage_clear(&e->storage);
}

static int note_unsupported(struct execution *e, const char *name, struct error *error) {
  char **list = &e->out->unsupported;
  if (*list && strstr(*list, name))
    return 0;
  char *longer = *list ? text_format("%s, %s", *list, name) : text_format("%s", name);
  if (!longer)
    return error_no_memory(error);
  free(*list);
  *list = longer;
  return 0;
}

static int take(struct execution *e, const struct frame_entry *r, struct error *error) {
  if (!storage_take(&e->storage, r))
    return error_no_memory(error);
  switch (r->kind) {
  case FRAME_SET:
    e->set_records[*(const uint32_t *)r->payload] = r->payload;
    return 0;
  case FRAME_BEGIN_PASS:
    e->compares = false;
    execution_begin_pass(e, r->payload);
    return execution_note_pass(e, r->payload, error);
  case FRAME_END_PASS:
    execution_end_pass(e);
    return 0;
  case FRAME_DRAW:
    return execution_draw(e, r->payload, error);
  case FRAME_DRAW_INDIRECT:
    return execution_draw_indirect(e, r->payload, error);
  case FRAME_DISPATCH:
    return execution_dispatch(e, r->payload, error);
  case FRAME_CLEAR_IMAGE:
    execution_clear_image(e, r->payload);
    return 0;
  case FRAME_CLEAR_TARGETS:
    e->compares = false;
    execution_clear_targets(e, r->payload);
    return 0;
  case FRAME_TARGET_BYTES:
    return agreement_take_target(e, r->payload, error);
  case FRAME_SAMPLES:
    agreement_take_samples(e, r->payload);
    return 0;
  case FRAME_UNSUPPORTED:
    e->compares = false;
    return note_unsupported(e, ((const struct frame_unsupported *)r->payload)->name, error);
  default:
    if (!execution_bind(e, r))
      execution_transfer(e, r);
    return 0;
  }
}

/* Copies texels of four bytes; red and blue change places where `swaps`. */
static void copy_bytes(const uint8_t *texels, size_t pixels, bool swaps, uint8_t *rgba) {
  if (!swaps) {
    memcpy(rgba, texels, pixels * 4);
    return;
  }
  for (size_t i = 0; i < pixels; i++) {
    const uint8_t *from = texels + 4 * i;
    uint8_t *to = rgba + 4 * i;
    to[0] = from[2];
    to[1] = from[1];
    to[2] = from[0];
    to[3] = from[3];
  }
}

/* Pictures are written without conversion: sRGB stays sRGB. */
static uint8_t *to_rgba(const struct texel_format *format, const uint8_t *texels, size_t pixels) {
  uint8_t *rgba = frame_memory_take(pixels * 4 + 1);
  struct texel_format plain = *format;
  if (plain.numbers == TEXEL_SRGB)
    plain.numbers = TEXEL_UNORM;
  const bool is_bytes = plain.numbers == TEXEL_UNORM && plain.channels == 4 && plain.bytes == 4 && plain.bits[0] == 8;
  const bool as_is = is_bytes && memcmp(plain.place, (const uint8_t[]){0, 1, 2, 3}, 4) == 0,
             swaps = is_bytes && memcmp(plain.place, (const uint8_t[]){2, 1, 0, 3}, 4) == 0;
  if (rgba && (as_is || swaps))
    copy_bytes(texels, pixels, swaps, rgba);
  for (size_t i = 0; rgba && !as_is && !swaps && i < pixels; i++) {
    const union color c = color_load(&plain, texels + i * format->bytes);
    for (int k = 0; k < 4; k++) {
      const float v = c.f[k] > 0 ? (c.f[k] < 1 ? c.f[k] : 1) : 0;
      rgba[4 * i + (size_t)k] = (uint8_t)(v * 255 + 0.5f);
    }
  }
  return rgba;
}

static int take_picture(struct execution *e, struct error *error) {
  const struct frame_present *p = e->capture->picture;
  const struct texel_format *format = p ? texel_format_find(p->format) : NULL;
  const struct storage_image *image = p ? storage_image(&e->storage, p->image) : NULL;
  if (!image || !format || !image->levels[PLANE_COLOR][0])
    return 0;
  const size_t pixels = (size_t)p->width * p->height;
  e->out->rgba = to_rgba(format, image->levels[PLANE_COLOR][0], pixels);
  e->out->expected = to_rgba(format, (const uint8_t *)(p + 1), pixels);
  return e->out->rgba && e->out->expected ? 0 : error_no_memory(error);
}

int frame_execute(const struct frame_capture *capture, const struct frame_execute_options *options,
                  struct frame_execution *out, struct error *error) {
  struct execution *e = calloc(1, sizeof *e);
  *out = (struct frame_execution){.mediump_half = options->mediump_half};
  if (!e)
    return error_no_memory(error);
  e->capture = capture;
  e->options = options;
  e->out = out;
  e->bound = &e->points[VK_PIPELINE_BIND_POINT_GRAPHICS];
  int status = begin(e, error);
  for (e->record = 0; !status && e->record < capture->record_count; e->record++)
    status = take(e, &capture->records[e->record], error);
  if (!status)
    status = take_picture(e, error);
  end(e);
  free(e);
  if (status)
    frame_execution_clear(out);
  return status;
}

void frame_execution_clear(struct frame_execution *x) {
  free(x->draws);
  free(x->dispatches);
  free(x->passes);
  free(x->unsupported);
  frame_memory_give(x->rgba);
  frame_memory_give(x->expected);
  frame_memory_give(x->overdraw);
  free(x->operations);
  free(x->texels);
  *x = (struct frame_execution){0};
}

/* Alpha is ignored, because it is not visible and programs leave arbitrary values in it. */
struct picture_agreement frame_execution_compare(const struct frame_execution *x) {
  struct picture_agreement a = {.pixels = (uint64_t)x->width * x->height};
  for (uint64_t i = 0; x->rgba && i < a.pixels; i++) {
    unsigned worst = 0;
    if (memcmp(x->rgba + 4 * i, x->expected + 4 * i, 3) == 0) {
      a.equal++;
      a.near++;
      continue;
    }
    for (int k = 0; k < 3; k++) {
      const int difference = x->rgba[4 * i + (uint64_t)k] - x->expected[4 * i + (uint64_t)k];
      const unsigned size = (unsigned)(difference < 0 ? -difference : difference);
      worst = size > worst ? size : worst;
    }
    a.equal += worst == 0;
    a.near += worst <= 1;
    a.worst = worst > a.worst ? worst : a.worst;
  }
  return a;
}
