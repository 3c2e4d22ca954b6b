#include "graphics/spirv/spirv_module.h"

#include <stdlib.h>
#include <string.h>

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>

#define HEADER_WORDS 5

/* The header's function is inline: this is its definition. */
extern void SpvHasResultAndType(SpvOp opcode, bool *has_result, bool *has_type);

const struct spirv_id *spirv_id(const struct spirv_module *m, uint32_t id) {
  static const struct spirv_id none;
  return id < m->bound ? &m->ids[id] : &none;
}

uint32_t spirv_operand(const struct spirv_id *id, uint32_t k) {
  return k + 1 < id->word_count ? id->words[k + 1] : 0;
}

const uint32_t *spirv_next(const struct spirv_module *m, const uint32_t *i) {
  const uint32_t *next = i + spirv_length(i);
  return next < m->words + m->word_count ? next : NULL;
}

uint32_t spirv_constant(const struct spirv_module *m, uint32_t id, uint32_t otherwise) {
  const struct spirv_id *c = spirv_id(m, id);
  return c->opcode == SpvOpConstant || c->opcode == SpvOpSpecConstant ? spirv_operand(c, 2) : otherwise;
}

uint32_t spirv_pointee(const struct spirv_module *m, uint32_t pointer_type) {
  const struct spirv_id *t = spirv_id(m, pointer_type);
  return t->opcode == SpvOpTypePointer ? spirv_operand(t, 2) : 0;
}

unsigned spirv_result_place(uint16_t opcode) {
  bool has_result, has_type;
  SpvHasResultAndType((SpvOp)opcode, &has_result, &has_type);
  return !has_result ? 0 : has_type ? 2 : 1;
}

static void define(struct spirv_module *m, const uint32_t *i) {
  const uint16_t length = spirv_length(i), opcode = spirv_opcode(i);
  const unsigned place = spirv_result_place(opcode);
  if (place == 0 || place >= length || i[place] >= m->bound)
    return;
  struct spirv_id *id = &m->ids[i[place]];
  id->opcode = opcode;
  id->word_count = length;
  id->words = i;
  id->type = place == 2 ? i[1] : 0;
}

static void decorate(struct spirv_id *id, uint32_t decoration, uint32_t value) {
  switch (decoration) {
  case SpvDecorationLocation:
    id->location = value;
    break;
  case SpvDecorationComponent:
    id->component = value;
    break;
  case SpvDecorationIndex:
    id->index = value;
    break;
  case SpvDecorationBuiltIn:
    id->builtin = value;
    break;
  case SpvDecorationDescriptorSet:
    id->set = value;
    break;
  case SpvDecorationBinding:
    id->binding = value;
    break;
  case SpvDecorationArrayStride:
    id->array_stride = value;
    break;
  case SpvDecorationSpecId:
    id->constant = value;
    break;
  case SpvDecorationFlat:
    id->flat = true;
    break;
  case SpvDecorationNoPerspective:
    id->no_perspective = true;
    break;
  case SpvDecorationCentroid:
    id->centroid = true;
    break;
  case SpvDecorationBlock:
  case SpvDecorationBufferBlock:
    id->block = true;
    id->buffer_block = decoration == SpvDecorationBufferBlock;
    break;
  default:
    break;
  }
}

static struct spirv_member *member_of(struct spirv_id *id, uint32_t member) {
  if (member >= 4096)
    return NULL;
  if (member >= id->member_count) {
    struct spirv_member *larger = realloc(id->members, (member + 1) * sizeof *larger);
    if (!larger)
      return NULL;
    for (uint32_t i = id->member_count; i <= member; i++)
      larger[i] = (struct spirv_member){.builtin = SPIRV_NONE, .location = SPIRV_NONE};
    id->members = larger;
    id->member_count = member + 1;
  }
  return &id->members[member];
}

static void decorate_member(struct spirv_member *m, uint32_t decoration, uint32_t value) {
  if (decoration == SpvDecorationOffset)
    m->offset = value;
  else if (decoration == SpvDecorationMatrixStride)
    m->matrix_stride = value;
  else if (decoration == SpvDecorationRowMajor)
    m->row_major = true;
  else if (decoration == SpvDecorationBuiltIn)
    m->builtin = value;
  else if (decoration == SpvDecorationLocation)
    m->location = value;
  else if (decoration == SpvDecorationFlat)
    m->flat = true;
}

/* Returns whether the decoration makes a fragment shader run once a sample. */
static bool shades_samples(const uint32_t *i) {
  return i[2] == SpvDecorationSample || (i[2] == SpvDecorationBuiltIn && spirv_length(i) > 3 &&
                                         (i[3] == SpvBuiltInSampleId || i[3] == SpvBuiltInSamplePosition));
}

static void take_annotation(struct spirv_module *m, const uint32_t *i) {
  const uint16_t length = spirv_length(i);
  if (length >= 3 && spirv_opcode(i) == SpvOpDecorate && shades_samples(i))
    m->shades_samples = true;
  if (length >= 3 && i[1] < m->bound && spirv_opcode(i) == SpvOpDecorate)
    decorate(&m->ids[i[1]], i[2], length > 3 ? i[3] : 0);
  const uint16_t at = spirv_opcode(i) == SpvOpMemberDecorate ? 3 : 2; /* all members of a block are of a patch */
  if (length > at && i[1] < m->bound && i[at] == SpvDecorationPatch && (at == 3 || spirv_opcode(i) == SpvOpDecorate))
    m->ids[i[1]].of_patch = true;
  if (length >= 3 && i[1] < m->bound && spirv_opcode(i) == SpvOpDecorate && i[2] == SpvDecorationRelaxedPrecision)
    m->ids[i[1]].relaxed = true;
  if (length < 4 || i[1] >= m->bound || spirv_opcode(i) != SpvOpMemberDecorate)
    return;
  struct spirv_member *member = member_of(&m->ids[i[1]], i[2]);
  if (member)
    decorate_member(member, i[3], length > 4 ? i[4] : 0);
}

static bool has_text(const uint32_t *words, size_t count, const char *text) {
  const size_t length = strlen(text);
  return count * 4 > length && memcmp(words, text, length + 1) == 0;
}

static void take_primitives(struct spirv_module *m, uint32_t mode, uint32_t value) {
  static const uint8_t vertices[] = {1, 2, 4, 3, 6}; /* points, lines, triangles, those with neighbours */
  if (mode >= SpvExecutionModeInputPoints && mode <= SpvExecutionModeInputTrianglesAdjacency)
    m->input_vertices = vertices[mode - SpvExecutionModeInputPoints];
  else if (mode == SpvExecutionModeOutputVertices)
    m->most_vertices = value;
  else if (mode == SpvExecutionModeInvocations)
    m->invocations = value;
  else if (mode >= SpvExecutionModeOutputPoints && mode <= SpvExecutionModeOutputTriangleStrip)
    m->output_mode = mode;
}

/* Triangles are a mode of geometry shaders, too. */
static void take_patches(struct spirv_module *m, uint32_t mode) {
  if (mode == SpvExecutionModeTriangles || mode == SpvExecutionModeQuads || mode == SpvExecutionModeIsolines)
    m->domain = mode;
  else if (mode >= SpvExecutionModeSpacingEqual && mode <= SpvExecutionModeSpacingFractionalOdd)
    m->spacing = mode;
  else if (mode == SpvExecutionModeVertexOrderCw || mode == SpvExecutionModeVertexOrderCcw)
    m->order = mode;
  m->makes_points = m->makes_points || mode == SpvExecutionModePointMode;
}

static void take_declaration(struct spirv_module *m, const uint32_t *i, const char *entry, uint32_t model) {
  const uint16_t length = spirv_length(i);
  switch (spirv_opcode(i)) {
  case SpvOpEntryPoint:
    if (length > 3 && i[1] == model && has_text(i + 3, length - 3u, entry))
      m->entry = i[2];
    break;
  case SpvOpExecutionModeId:
    for (int k = 0; k < 3 && length > 5 && i[2] == SpvExecutionModeLocalSizeId; k++)
      m->size_ids[k] = i[3 + k];
    break;
  case SpvOpExecutionMode:
    for (int k = 0; k < 3 && length > 5 && i[2] == SpvExecutionModeLocalSize; k++)
      m->local_size[k] = i[3 + k];
    if (length > 2) {
      take_primitives(m, i[2], length > 3 ? i[3] : 0);
      take_patches(m, i[2]);
    }
    m->early_tests = m->early_tests || (length > 2 && i[2] == SpvExecutionModeEarlyFragmentTests);
    m->writes_depth = m->writes_depth || (length > 2 && i[2] == SpvExecutionModeDepthReplacing);
    break;
  case SpvOpExtInstImport:
    if (length > 2 && i[1] < m->bound && has_text(i + 2, length - 2u, "GLSL.std.450"))
      m->glsl = i[1];
    break;
  case SpvOpFunction:
    if (length > 2 && i[2] == m->entry)
      m->function = i;
    break;
  default:
    m->uses_derivatives = m->uses_derivatives || (spirv_opcode(i) >= SpvOpDPdx && spirv_opcode(i) <= SpvOpFwidthCoarse);
  }
}

static bool lengths_are_good(const uint32_t *words, size_t count) {
  size_t at = HEADER_WORDS;
  while (at < count && words[at] >> 16 > 0 && words[at] >> 16 <= count - at)
    at += words[at] >> 16;
  return at == count;
}

int spirv_module_read(const uint32_t *words, size_t count, const char *entry, uint32_t model, struct spirv_module *m,
                      struct error *error) {
  *m = (struct spirv_module){.words = words, .word_count = count};
  if (count <= HEADER_WORDS || words[0] != SpvMagicNumber || words[3] > SPIRV_MAX_BOUND ||
      !lengths_are_good(words, count))
    return error_set(error, ERROR_INPUT, "the shader is no SPIR-V module");
  m->bound = words[3];
  m->ids = calloc((size_t)m->bound + 1, sizeof *m->ids);
  if (!m->ids)
    return error_no_memory(error);
  for (uint32_t i = 0; i < m->bound; i++)
    m->ids[i].location = m->ids[i].builtin = m->ids[i].set = m->ids[i].binding = m->ids[i].constant = SPIRV_NONE;
  for (const uint32_t *i = words + HEADER_WORDS; i; i = spirv_next(m, i)) {
    define(m, i);
    take_annotation(m, i);
    take_declaration(m, i, entry, model);
  }
  if (m->function)
    return 0;
  spirv_module_clear(m);
  return error_set(error, ERROR_INPUT, "the shader has no entry point \"%.60s\" for its stage", entry);
}

void spirv_module_clear(struct spirv_module *m) {
  for (uint32_t i = 0; m->ids && i < m->bound; i++)
    free(m->ids[i].members);
  free(m->ids);
  *m = (struct spirv_module){0};
}
