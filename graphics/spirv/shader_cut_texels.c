/* Texels as halves. Where nothing but conversions to halves takes what a read of an image gives, lavapipe's sampler
 * gives halves itself, and drops the digits that a half lacks. All other conversions to halves round to nearest. */
#include <stdlib.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

static bool reads_image(uint16_t opcode) {
  return (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageDrefGather);
}

/* Returns how many operands of an instruction that only moves bits are values, from word 3 on; 0: it computes. */
static unsigned moved_values(uint16_t opcode) {
  switch (opcode) {
  case SpvOpBitcast:
  case SpvOpCopyObject:
  case SpvOpCompositeExtract:
    return 1;
  case SpvOpVectorShuffle:
    return 2;
  default:
    return 0;
  }
}

static bool narrows(const struct translation *t, const uint32_t *i) {
  return spirv_opcode(i) == SpvOpFConvert && translation_is_short(t, i[1]);
}

/* Returns the read whose texel an id is; 0: none. */
static uint32_t read_of(const struct translation *t, uint32_t id) {
  return id < t->module.bound ? t->texels[id].read : 0;
}

/* Returns the read whose texel an instruction moves; 0: it computes, or moves those of two reads. */
static uint32_t moved_read(const struct translation *t, const uint32_t *i) {
  const unsigned count = moved_values(spirv_opcode(i));
  uint32_t read = count > 0 && spirv_length(i) > 3 ? read_of(t, i[3]) : 0;
  for (unsigned k = 1; k < count && 3 + k < spirv_length(i); k++)
    if (read_of(t, i[3 + k]) != read)
      read = 0;
  return read;
}

/* All words behind the result count as operands: a literal that is the number of a texel costs a conversion its cut. */
static void look_at(struct translation *t, const uint32_t *i) {
  const unsigned place = spirv_result_place(spirv_opcode(i));
  const uint32_t result = place == 2 && spirv_length(i) > 2 && i[2] < t->module.bound ? i[2] : 0;
  const uint32_t moved = result ? moved_read(t, i) : 0;
  for (unsigned k = place + 1; !moved && !narrows(t, i) && k < spirv_length(i); k++)
    if (read_of(t, i[k]))
      t->texels[read_of(t, i[k])].is_float = true;
  if (result)
    t->texels[result].read = reads_image(spirv_opcode(i)) ? result : moved;
}

void translation_find_cut_texels(struct translation *t) {
  bool any = false;
  for (const uint32_t *i = t->module.function; i && !any && spirv_opcode(i) != SpvOpFunctionEnd;
       i = spirv_next(&t->module, i))
    any = narrows(t, i);
  if (!any)
    return;
  t->texels = calloc((size_t)t->module.bound + 1, sizeof *t->texels);
  t->no_memory = t->no_memory || !t->texels;
  for (const uint32_t *i = t->module.function; t->texels && i && spirv_opcode(i) != SpvOpFunctionEnd;
       i = spirv_next(&t->module, i))
    look_at(t, i);
}

bool translation_cuts(const struct translation *t, const uint32_t *i) {
  const uint32_t read = t->texels && narrows(t, i) ? read_of(t, i[3]) : 0;
  return read && !t->texels[read].is_float;
}
