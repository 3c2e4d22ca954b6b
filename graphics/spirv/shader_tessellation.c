/* Tessellation shaders. The outputs of a control shader are local memory of the work-group that is its patch: each
 * work-item may read those of the others behind a barrier. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

#define MOST_VERTICES 32 /* of a patch: the least that Vulkan asks for, and lavapipe's most */

void translation_patches(struct translation *t) {
  const struct spirv_module *m = &t->module;
  struct shader_source *out = t->out;
  out->patches = (struct shader_patches){m->domain, m->spacing, m->order, m->makes_points};
  out->input_vertices = t->request->patch_vertices;
  out->patch_vertices = t->request->is_control ? m->most_vertices : 0;
  if (out->input_vertices == 0 || out->input_vertices > MOST_VERTICES || out->patch_vertices > MOST_VERTICES ||
      (t->request->is_control && out->patch_vertices == 0))
    translation_fail(t, "patches of %u vertices, and of %u made of them", out->input_vertices, out->patch_vertices);
}

bool translation_is_shared_output(const struct translation *t, uint32_t id, bool *of_patch) {
  const struct spirv_id *v = spirv_id(&t->module, id);
  const uint32_t type = spirv_pointee(&t->module, v->type);
  *of_patch =
      v->of_patch || spirv_id(&t->module, type)->of_patch || spirv_id(&t->module, type)->opcode != SpvOpTypeArray;
  return t->request->is_control && v->opcode == SpvOpVariable && spirv_operand(v, 2) == SpvStorageClassOutput;
}
