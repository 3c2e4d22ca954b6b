#include "tracegen/bifrost/exec/texture_request.h"

#include <string.h>

/* The fields of a descriptor: where they begin, and how many bits they have. */
#define FIELD(at, bits) ((descriptor >> (at)) & ((1u << (bits)) - 1))

enum texture_operation { OPERATION_FETCH = 6, OPERATION_SAMPLE = 7 };
enum level_mode { LEVEL_EXPLICIT = 4, LEVEL_BIAS = 5, LEVEL_ZERO = 6, LEVEL_COMPUTED = 7 };
enum index_mode { INDEX_SHARED, INDEX_OF_SAMPLER, INDEX_OF_TEXTURE, INDEX_IN_REGISTERS };

#define FETCH_TEXEL    1
#define ALL_COMPONENTS 15
#define SINGLE_TEXTURE 3

static bool set_number(uint32_t format, struct texture_request *out) {
  switch (format) {
  case 0:
    out->number = TEXEL_HALF;
    break;
  case 4:
    out->number = TEXEL_FLOAT;
    break;
  case 12:
  case 14:
    out->number = TEXEL_UNSIGNED;
    break;
  case 13:
  case 15:
    out->number = TEXEL_SIGNED;
    break;
  default:
    return false;
  }
  out->packs = format == 0 || format == 12 || format == 13;
  return true;
}

static bool set_indices(uint32_t descriptor, struct texture_request *out) {
  const uint32_t low = FIELD(0, 4), index = FIELD(4, 7), mode = low & 3;
  out->texture = out->sampler = index;
  if (FIELD(11, 1)) {
    out->sampler = low;
    return true;
  }
  out->has_texture = mode == INDEX_OF_SAMPLER || mode == INDEX_IN_REGISTERS;
  out->has_sampler = mode == INDEX_OF_TEXTURE || mode == INDEX_IN_REGISTERS;
  return low >> 2 == SINGLE_TEXTURE;
}

static bool set_level(uint32_t mode, struct texture_request *out) {
  out->has_level = out->is_fetch || mode == LEVEL_EXPLICIT || mode == LEVEL_BIAS;
  return out->is_fetch ? mode == FETCH_TEXEL : mode >= LEVEL_EXPLICIT && mode <= LEVEL_COMPUTED;
}

static bool read_descriptor(uint32_t descriptor, struct texture_request *out) {
  const uint32_t operation = FIELD(12, 3);
  const bool has_shadow = FIELD(16, 1);
  out->is_fetch = operation == OPERATION_FETCH;
  out->has_offset = FIELD(15, 1);
  out->has_layer = FIELD(17, 1);
  out->dimensions = FIELD(18, 2);
  out->has_z = out->dimensions == 3;
  return (out->is_fetch || (operation == OPERATION_SAMPLE && !out->has_offset)) && !has_shadow && out->dimensions &&
         FIELD(28, 4) == ALL_COMPONENTS && set_level(FIELD(20, 3), out) && set_number(FIELD(24, 4), out) &&
         set_indices(descriptor, out);
}

bool texture_request_of(const struct bifrost_shader *shader, const struct shader_slot *slot,
                        struct texture_request *out) {
  const struct shader_operand *descriptor = &slot->operands[2];
  const char *name = slot->instruction.operation->name;
  *out = (struct texture_request){.dimensions = 2};
  if (strcmp(name, "TEXC") == 0)
    return slot->operand_count == 3 && descriptor->in_pool && !descriptor->is_code &&
           read_descriptor(shader->pool[descriptor->index].at[0], out);
  if (strncmp(name, "TEXS_2D", 7) != 0 || slot->instruction.modifier[T_SKIP] == V_SKIP)
    return false;
  out->number = strcmp(name, "TEXS_2D.f16") == 0 ? TEXEL_HALF : TEXEL_FLOAT;
  out->packs = out->number == TEXEL_HALF;
  out->texture = slot->instruction.number[NUMBER_TEXTURE_INDEX];
  out->sampler = slot->instruction.number[NUMBER_SAMPLER_INDEX];
  return true;
}
