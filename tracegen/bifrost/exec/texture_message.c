/* Texture instructions: texels of an image, fetched or through a sampler, to staging registers. */
#include <string.h>

#include "tracegen/bifrost/alu/rounding.h"
#include "tracegen/bifrost/exec/image_message.h"
#include "tracegen/bifrost/exec/sample_image.h"
#include "tracegen/bifrost/exec/texture_request.h"

/* An instruction in one lane. */
struct texture_read {
  const struct texture_request *request;
  struct image_view view;
  struct image_sampler sampler;
  uint32_t x, y;                                           /* as the sources have them */
  uint32_t z, layer, offset, sampler_index, texture_index; /* as staging registers have them */
};

static void take_staging(const struct warp *warp, unsigned first, unsigned lane, struct texture_read *r) {
  const struct texture_request *request = r->request;
  unsigned at = first;
  uint32_t level;
  const struct {
    bool is_there;
    uint32_t *to;
  } parts[] = {{request->has_z, &r->z},
               {request->has_level, &level},
               {request->has_layer, &r->layer},
               {request->has_offset, &r->offset},
               {request->has_sampler, &r->sampler_index},
               {request->has_texture, &r->texture_index}};
  r->sampler_index = request->sampler;
  r->texture_index = request->texture;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i].is_there)
      *parts[i].to = warp->values[at++ & 63].at[lane];
}

static int32_t offset_of(const struct texture_read *r, unsigned d) {
  return (int8_t)(r->offset >> (8 * d));
}

static int32_t layer_of(const struct texture_read *r) {
  const uint32_t last = r->view.image.size[2] - 1;
  return (int32_t)(r->layer < last ? r->layer : last);
}

static struct texel fetch(const struct texture_read *r, uint64_t *address) {
  const uint8_t dimensions = r->request->dimensions;
  const int32_t at[3] = {(int32_t)r->x + offset_of(r, 0), dimensions > 1 ? (int32_t)r->y + offset_of(r, 1) : 0,
                         r->request->has_z ? (int32_t)r->z + offset_of(r, 2) : layer_of(r)};
  return image_fetch(&r->view, at, address);
}

static struct texel sample(const struct texture_read *r, uint64_t *address) {
  const float point[3] = {float_of(r->x), r->request->dimensions > 1 ? float_of(r->y) : 0,
                          r->request->has_z ? float_of(r->z) : (float)layer_of(r)};
  return image_sample(&r->view, &r->sampler, point, address);
}

static int read_tables(struct texture_read *r, const struct shader_slot *slot) {
  struct bifrost_runner *runner = r->view.runner;
  if (!image_of_texture(runner->dispatch, r->texture_index, &r->view.image))
    return lane_error(runner, r->view.lane,
                      "%s reads texture %u, which is not there or has a format that is not supported",
                      slot->instruction.operation->name, r->texture_index);
  if (!r->request->is_fetch && !image_sampler_read(runner->dispatch, r->sampler_index, &r->sampler))
    return lane_error(runner, r->view.lane, "%s uses sampler %u, which is not there", slot->instruction.operation->name,
                      r->sampler_index);
  return 0;
}

int texture_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot,
                const struct lanes *const *sources, uint64_t *addresses) {
  const unsigned first = runner->shader->clauses[runner->at.clause].header.staging_register;
  struct texture_request request;
  if (!texture_request_of(runner->shader, slot, &request))
    return lane_error(runner, 0, "%s is not supported", slot->instruction.operation->name);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    struct texture_read r = {.request = &request,
                             .view = {.runner = runner, .lane = lane},
                             .x = sources[0]->at[lane],
                             .y = sources[1]->at[lane]};
    if (!(runner->at.lanes >> lane & 1))
      continue;
    take_staging(warp, first, lane, &r);
    if (read_tables(&r, slot) != 0)
      return -1;
    const struct texel texel = request.is_fetch ? fetch(&r, &addresses[lane]) : sample(&r, &addresses[lane]);
    registers_put_texel(warp, first, lane, &texel, 4, (enum texel_number)request.number, request.packs);
  }
  return 0;
}
