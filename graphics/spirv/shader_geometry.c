/* Geometry shaders: each vertex that one emits is a copy of its outputs, behind those emitted before. */
#include <spirv/unified1/spirv.h>
#include <vulkan/vulkan_core.h>

#include "graphics/spirv/translation.h"

#define MOST_VERTICES    1024 /* and words, of a work-item: llvmpipe's limits */
#define MOST_WORDS       4096
#define MOST_INVOCATIONS 127

void translation_primitives(struct translation *t) {
  const struct spirv_module *m = &t->module;
  struct shader_source *out = t->out;
  out->input_vertices = m->input_vertices;
  out->most_vertices = m->most_vertices;
  out->invocations = m->invocations > 0 ? m->invocations : 1;
  out->topology = m->output_mode == SpvExecutionModeOutputPoints      ? VK_PRIMITIVE_TOPOLOGY_POINT_LIST
                  : m->output_mode == SpvExecutionModeOutputLineStrip ? VK_PRIMITIVE_TOPOLOGY_LINE_STRIP
                                                                      : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  if (out->input_vertices == 0 || out->most_vertices == 0 || out->most_vertices > MOST_VERTICES ||
      out->invocations > MOST_INVOCATIONS)
    translation_fail(t, "%u vertices in, %u out and %u invocations of a geometry shader", out->input_vertices,
                     out->most_vertices, out->invocations);
}

static void emit(struct translation *t) {
  struct shader_source *out = t->out;
  fprintf(t->body, "  if (emitted < %u) {\n", out->most_vertices);
  out->output_count = 0; /* the same slots each time */
  translation_outputs(t);
  fprintf(t->body, "  out[%u] = 0;\n  out += %u;\n  emitted++;\n  }\n", out->output_count, out->output_count + 1);
  if (out->output_count * out->most_vertices > MOST_WORDS)
    translation_fail(t, "more than %d words of emitted vertices", MOST_WORDS);
}

bool translation_vertices(struct translation *t, const uint32_t *i) {
  switch (spirv_opcode(i)) {
  case SpvOpEmitVertex:
    emit(t);
    return true;
  case SpvOpEndPrimitive:
    fputs("  if (emitted)\n    out[-1] = 1;\n", t->body);
    return true;
  case SpvOpEmitStreamVertex: /* only the first stream is drawn */
    if (translation_word(t, i[1]) == 0)
      emit(t);
    return true;
  case SpvOpEndStreamPrimitive:
    if (translation_word(t, i[1]) == 0)
      fputs("  if (emitted)\n    out[-1] = 1;\n", t->body);
    return true;
  default:
    return false;
  }
}

void translation_count_vertices(struct translation *t) {
  fprintf(t->body, "  first[%u] = emitted;\n", (t->out->output_count + 1) * t->out->most_vertices);
}
