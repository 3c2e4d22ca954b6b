/* Images that kernels load from and store to without a sampler. LEA_ATTR_TEX gives the address and the format of a
 * texel, ST_CVT stores to them: the third register between the two is the format. */
#include "tracegen/bifrost/exec/image_message.h"

#include "tracegen/bifrost/exec/image.h"

#define FORMAT_BITS 0x3fffffu

void registers_put_texel(struct warp *warp, unsigned first, unsigned lane, const struct texel *texel, unsigned count,
                         enum texel_number number, bool packs) {
  for (unsigned i = 0; i < count; i++) {
    const uint32_t value = texel_number(texel, i, number);
    uint32_t *to = &warp->values[(first + (packs ? i / 2 : i)) & 63].at[lane];
    if (!packs)
      *to = value;
    else
      *to = i % 2 ? (*to & 0xffff) | value << 16 : (*to & 0xffff0000) | (value & 0xffff);
  }
}

/* Coordinates: x and y are halves of the first source, the layer or depth is the second. */
static void take_coordinates(const struct lanes *const *sources, unsigned lane, int32_t at[3]) {
  at[0] = (int32_t)(sources[0]->at[lane] & 0xffff);
  at[1] = (int32_t)(sources[0]->at[lane] >> 16);
  at[2] = (int32_t)sources[1]->at[lane];
}

/* The texel that a lane names. */
struct named_texel {
  struct image image;
  uint64_t address; /* 0: it is outside of the image */
};

static int find_texel(struct bifrost_runner *runner, const struct shader_slot *slot, const struct lanes *const *sources,
                      unsigned lane, struct named_texel *out) {
  const uint32_t index = sources[2]->at[lane];
  int32_t at[3];
  if (!image_of_attribute(runner->dispatch, index, &out->image))
    return lane_error(runner, lane, "%s names image %u, which is not there or has a format that is not supported",
                      slot->instruction.operation->name, index);
  take_coordinates(sources, lane, at);
  out->address = image_contains(&out->image, at) ? image_texel_address(&out->image, at) : 0;
  return 0;
}

/* Nothing is stored to address 0. */
static void put_address(struct warp *warp, unsigned first, unsigned lane, const struct named_texel *named) {
  warp->values[first & 63].at[lane] = (uint32_t)named->address;
  warp->values[(first + 1) & 63].at[lane] = (uint32_t)(named->address >> 32);
  warp->values[(first + 2) & 63].at[lane] = named->image.format;
}

static unsigned component_count(const struct shader_slot *slot) {
  switch (slot->instruction.modifier[T_VECSIZE]) {
  case V_V4:
    return 4;
  case V_V3:
    return 3;
  case V_V2:
    return 2;
  default:
    return 1;
  }
}

static enum texel_number number_of(uint8_t register_format) {
  switch (register_format) {
  case V_F16:
    return TEXEL_HALF;
  case V_S16:
  case V_S32:
    return TEXEL_SIGNED;
  case V_U16:
  case V_U32:
    return TEXEL_UNSIGNED;
  default:
    return TEXEL_FLOAT;
  }
}

static void put_texel(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot, unsigned first,
                      unsigned lane, const struct named_texel *named) {
  const uint8_t format = slot->instruction.modifier[T_REGISTER_FORMAT];
  const bool packs = format == V_F16 || format == V_S16 || format == V_U16;
  const uint8_t *from = named->address ? gpu_memory(runner, named->address, named->image.texel_bytes, lane) : NULL;
  struct texel texel = {.is_integer = false};
  if (from)
    texel = texel_read(named->image.format, runner->dispatch->architecture, from);
  registers_put_texel(warp, first, lane, &texel, component_count(slot), number_of(format), packs);
}

/* Puts the address of each lane's texel, or the texel, to the lane's staging registers. */
static int run_texels(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot,
                      const struct lanes *const *sources, unsigned first, uint64_t *addresses) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    struct named_texel named;
    if (!(runner->at.lanes >> lane & 1))
      continue;
    if (find_texel(runner, slot, sources, lane, &named) != 0)
      return -1;
    addresses[lane] = named.address;
    if (slot->action == ACTION_IMAGE_ADDRESS)
      put_address(warp, first, lane, &named);
    else
      put_texel(runner, warp, slot, first, lane, &named);
  }
  return 0;
}

static int store_lane(struct bifrost_runner *runner, const struct warp *warp, const struct shader_slot *slot,
                      unsigned lane, unsigned first, uint64_t address, uint32_t format) {
  const uint32_t architecture = runner->dispatch->architecture;
  const uint8_t bytes = texel_bytes(format, architecture);
  uint32_t component[4] = {0};
  uint8_t *to;
  if (!address)
    return 0;
  to = bytes ? gpu_memory(runner, address, bytes, lane) : NULL;
  if (!to)
    return lane_error(runner, lane,
                      "%s stores a texel to 0x%llx, which is outside of GPU memory or has no known format",
                      slot->instruction.operation->name, (unsigned long long)address);
  for (unsigned i = 0; i < component_count(slot); i++)
    component[i] = warp->values[(first + i) & 63].at[lane];
  texel_write(format, architecture, component, to);
  return 0;
}

static int run_store(struct bifrost_runner *runner, const struct warp *warp, const struct shader_slot *slot,
                     const struct lanes *const *sources, unsigned first, uint64_t *addresses) {
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    if (!(runner->at.lanes >> lane & 1))
      continue;
    addresses[lane] = sources[0]->at[lane] | (uint64_t)sources[1]->at[lane] << 32;
    if (store_lane(runner, warp, slot, lane, first, addresses[lane], sources[2]->at[lane] & FORMAT_BITS) != 0)
      return -1;
  }
  return 0;
}

static void announce(struct bifrost_runner *runner, const struct shader_slot *slot, unsigned number,
                     const uint64_t *addresses) {
  struct bifrost_access access = {.op_class = slot->action == ACTION_IMAGE_STORE ? OP_STORE : OP_LOAD,
                                  .space = SPACE_GLOBAL,
                                  .bytes = slot->bytes,
                                  .tuple = (uint8_t)number};
  for (int i = 0; i < WARP_LANES; i++)
    access.address[i] = addresses[i];
  if (runner->listener.access)
    runner->listener.access(runner->listener.context, &runner->at, &access);
}

int image_message_run(struct bifrost_runner *runner, struct warp *warp, const struct shader_slot *slot, unsigned number,
                      const struct lanes *const *sources) {
  const unsigned first = runner->shader->clauses[runner->at.clause].header.staging_register;
  uint64_t addresses[WARP_LANES] = {0};
  int status;
  status = slot->action == ACTION_TEXTURE       ? texture_run(runner, warp, slot, sources, addresses)
           : slot->action == ACTION_IMAGE_STORE ? run_store(runner, warp, slot, sources, first, addresses)
                                                : run_texels(runner, warp, slot, sources, first, addresses);
  if (status == 0 && slot->action != ACTION_IMAGE_ADDRESS)
    announce(runner, slot, number, addresses);
  return status;
}
