#include "graphics/execute/summary/shader_choices.h"

#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#define HEAD_WORDS 5

/* Returns the instruction at or behind word *at that has this opcode and at least so many words, and sets *at behind
 * it; NULL: there is none. */
static const uint32_t *find(const struct frame_shader *shader, uint32_t opcode, uint32_t least, uint64_t *at) {
  const uint32_t *words = (const uint32_t *)(shader + 1);
  while (*at < shader->word_count) {
    const uint32_t *i = words + *at, length = i[0] >> SpvWordCountShift;
    if (length == 0 || length > shader->word_count - *at)
      return NULL;
    *at += length;
    if ((i[0] & SpvOpCodeMask) == opcode && length >= least)
      return i;
  }
  return NULL;
}

static bool is_output(const struct frame_shader *shader, uint32_t id) {
  uint64_t at = HEAD_WORDS;
  for (const uint32_t *i; (i = find(shader, SpvOpVariable, 4, &at));)
    if (i[2] == id && i[3] == SpvStorageClassOutput)
      return true;
  return false;
}

static const struct frame_shader *last_shader(const struct frame_capture *c, const struct frame_pipeline *p) {
  static const uint32_t last[] = {VK_SHADER_STAGE_GEOMETRY_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                  VK_SHADER_STAGE_VERTEX_BIT};
  for (size_t k = 0; k < sizeof last / sizeof last[0]; k++)
    for (uint32_t i = 0; i < p->stage_count; i++)
      if (frame_stages(p)[i].stage == last[k])
        return frame_object(c, FRAME_SHADER, frame_stages(p)[i].shader);
  return NULL;
}

bool shader_chooses(const struct frame_capture *c, const struct frame_pipeline *p, uint32_t builtin) {
  const struct frame_shader *shader = last_shader(c, p);
  uint64_t at = HEAD_WORDS;
  for (const uint32_t *i; shader && (i = find(shader, SpvOpDecorate, 4, &at));)
    if (i[2] == SpvDecorationBuiltIn && i[3] == builtin)
      return is_output(shader, i[1]);
  return false;
}
