/* Inputs and outputs of a stage: each variable is flattened into words. */
#include <stdlib.h>
#include <string.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

#define MOST_PARTS 65536 /* of a variable, those without words counted */

/* The progress of flattening a variable. */
struct flattening {
  struct translation *t;
  uint32_t parts; /* so far */
  uint32_t variable;
  bool is_output;
  struct shader_slot slot; /* of the next word */
};

/* A number of 16 bits is one of 32 bits in its word: floats are interpolated. */
static void write_short(const struct flattening *f, uint32_t slot, const char *expression, bool is_float) {
  FILE *body = f->t->body;
  if (f->is_output)
    fprintf(body, is_float ? "  out[%u] = as_uint(convert_float(%s));\n" : "  out[%u] = (uint)(%s);\n", slot,
            expression);
  else if (is_float)
    fprintf(body, "  %s = convert_half(as_float(in[%u]));\n", expression, slot);
  else
    fprintf(body, "  %s = (ushort)in[%u];\n", expression, slot);
}

static void write_word(const struct flattening *f, uint32_t slot, const char *expression, uint32_t scalar) {
  struct translation *t = f->t;
  if (translation_is_short(t, scalar)) {
    write_short(f, slot, expression, translation_is_float(t, scalar));
    return;
  }
  const char *type = translation_is_float(t, scalar) ? "float" : "uint";
  if (f->is_output)
    fprintf(t->body, "  out[%u] = as_uint(%s);\n", slot, expression);
  else if (strcmp(type, "float") == 0)
    fprintf(t->body, "  %s = as_float(in[%u]);\n", expression, slot);
  else
    fprintf(t->body, "  %s = in[%u];\n", expression, slot);
}

static void take_word(struct flattening *f, const char *expression, uint32_t scalar) {
  struct shader_source *out = f->t->out;
  struct shader_slot *slots = f->is_output ? out->outputs : out->inputs;
  uint32_t *count = f->is_output ? &out->output_count : &out->input_count;
  if (*count == SHADER_MAX_SLOTS - 1) {
    translation_fail(f->t, "more than %d words of input or output", SHADER_MAX_SLOTS - 1);
    return;
  }
  f->slot.is_float = translation_is_float(f->t, scalar);
  slots[*count] = f->slot;
  write_word(f, *count, expression, scalar);
  ++*count;
}

static void take_vector(struct flattening *f, const char *expression, uint32_t type) {
  const uint32_t components = translation_components(f->t, type), first = f->slot.component;
  for (uint32_t k = 0; k < components && translation_goes_on(f->t); k++) {
    char part[256];
    snprintf(part, sizeof part, components > 1 ? "%s.%c" : "%s", expression, "xyzw"[k & 3]);
    take_word(f, part, translation_scalar(f->t, type));
    f->slot.component++;
  }
  f->slot.component = first;
  if (f->slot.location != SPIRV_NONE)
    f->slot.location++;
}

/* Returns whether the function has a pointer to a member of a structure, which is the variable or its element. */
static bool points_to(const struct translation *t, uint32_t variable, uint32_t member) {
  const uint32_t type = spirv_pointee(&t->module, spirv_id(&t->module, variable)->type);
  const uint16_t at = spirv_id(&t->module, type)->opcode == SpvOpTypeArray ? 5 : 4;
  for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd; i = spirv_next(&t->module, i))
    if ((spirv_opcode(i) == SpvOpAccessChain || spirv_opcode(i) == SpvOpInBoundsAccessChain) && spirv_length(i) > at &&
        i[3] == variable && translation_word(t, i[at]) == member)
      return true;
  return false;
}

/* Sizes of points are needed where points are drawn. */
static bool is_used(const struct translation *t, const struct shader_slot *slot) {
  return slot->builtin != SpvBuiltInPointSize || t->request->draws_points;
}

/* Compilers declare distances to cull by in each gl_PerVertex; those that the shader does not name get no words. */
static bool is_named(const struct flattening *f, const struct spirv_id *type, uint32_t member) {
  return type->opcode != SpvOpTypeStruct || member >= type->member_count ||
         type->members[member].builtin != SpvBuiltInCullDistance || points_to(f->t, f->variable, member);
}

/* Returns whether the elements of the array are components. */
static bool is_list(uint32_t builtin) {
  return builtin == SpvBuiltInClipDistance || builtin == SpvBuiltInCullDistance ||
         builtin == SpvBuiltInTessLevelOuter || builtin == SpvBuiltInTessLevelInner;
}

static void take_parts(struct flattening *f, const char *expression, uint32_t type, unsigned depth) {
  struct translation *t = f->t;
  const struct spirv_id *i = spirv_id(&t->module, type);
  const uint32_t parts = translation_parts(t, type);
  if (++f->parts > MOST_PARTS)
    translation_fail(t, "an input or output of more than %d parts", MOST_PARTS);
  if (!is_used(t, &f->slot))
    return;
  if (i->opcode == SpvOpTypeVector || parts == 0) {
    take_vector(f, expression, type);
    return;
  }
  for (uint32_t k = 0; k < parts && depth < 8 && translation_goes_on(t); k++) {
    char part[256];
    if (!is_named(f, i, k))
      continue;
    snprintf(part, sizeof part, i->opcode == SpvOpTypeStruct ? "%.230s.m%u" : "%.230s.e[%u]", expression, k);
    if (i->opcode == SpvOpTypeStruct && k < i->member_count && i->members[k].builtin != SPIRV_NONE)
      f->slot.builtin = i->members[k].builtin;
    if (i->opcode == SpvOpTypeStruct && k < i->member_count && i->members[k].location != SPIRV_NONE)
      f->slot.location = i->members[k].location;
    if (is_list(f->slot.builtin) && i->opcode == SpvOpTypeArray)
      f->slot.component = k;
    take_parts(f, part, translation_part(t, type, k), depth + 1);
  }
  if (is_list(f->slot.builtin))
    f->slot.component = 0;
}

/* An input of a shader of primitives or patches is an array with an element for each of their vertices. */
static void take_vertices(struct flattening *f, const char *name, uint32_t type) {
  const struct shader_slot slot = f->slot;
  const uint32_t vertices = translation_parts(f->t, type);
  for (uint32_t k = 0; k < vertices && k < f->t->out->input_vertices && translation_goes_on(f->t); k++) {
    char part[32];
    snprintf(part, sizeof part, "%s.e[%u]", name, k);
    f->slot = slot;
    f->slot.vertex = k;
    take_parts(f, part, translation_part(f->t, type, 0), 0);
  }
}

/* An output of a control shader: an element of an array for each vertex of the patch, or one value for all of it. */
static void take_shared(struct flattening *f, const char *name, uint32_t type, bool of_patch) {
  char part[32];
  if (!of_patch) {
    snprintf(part, sizeof part, "%s.e[vertex]", name);
    if (translation_parts(f->t, type) < f->t->out->patch_vertices)
      translation_fail(f->t, "an output for fewer vertices than the patch has");
    take_parts(f, part, translation_part(f->t, type, 0), 0);
    return;
  }
  f->slot.of_patch = true;
  fputs("  if (vertex == 0) {\n", f->t->body);
  take_parts(f, name, type, 0);
  fputs("  }\n", f->t->body);
}

static bool takes_vertices(const struct translation *t, const struct spirv_id *variable, uint32_t type) {
  const struct shader_request *r = t->request;
  return (r->is_geometry || r->is_control || r->is_evaluation) && !variable->of_patch &&
         spirv_id(&t->module, type)->opcode == SpvOpTypeArray && spirv_operand(variable, 2) == SpvStorageClassInput;
}

static void take_variable(struct translation *t, uint32_t id, bool is_output) {
  const struct spirv_id *v = spirv_id(&t->module, id);
  struct flattening f = {.t = t,
                         .variable = id,
                         .is_output = is_output,
                         .slot = {.location = v->builtin == SPIRV_NONE ? v->location : SPIRV_NONE,
                                  .component = v->component,
                                  .builtin = v->builtin,
                                  .is_second = v->index == 1,
                                  .of_patch = !is_output && v->of_patch,
                                  .flat = v->flat,
                                  .centroid = v->centroid,
                                  .no_perspective = v->no_perspective}};
  char name[16];
  snprintf(name, sizeof name, "v%u", id);
  const bool has_target =
      !t->request->is_fragment || !is_output || v->location == SPIRV_NONE || v->location < t->request->target_count;
  const uint32_t type = spirv_pointee(&t->module, v->type);
  bool of_patch;
  if (takes_vertices(t, v, type))
    take_vertices(&f, name, type);
  else if (is_output && translation_is_shared_output(t, id, &of_patch))
    take_shared(&f, name, type, of_patch);
  else if (v->index <= t->request->second_color && has_target)
    take_parts(&f, name, type, 0);
}

static void take_all(struct translation *t, uint32_t storage, bool is_output) {
  for (uint32_t id = 0; id < t->module.bound; id++) {
    const struct spirv_id *v = spirv_id(&t->module, id);
    if (v->opcode == SpvOpVariable && spirv_operand(v, 2) == storage)
      take_variable(t, id, is_output);
  }
}

/* A word that says whether the work-item's stores count. */
static void take_active(struct translation *t) {
  struct shader_source *out = t->out;
  if (out->input_count == SHADER_MAX_SLOTS - 1) {
    translation_fail(t, "more than %d words of input or output", SHADER_MAX_SLOTS - 1);
    return;
  }
  fprintf(t->body, "  uint active = in[%u];\n", out->input_count);
  out->inputs[out->input_count++] = (struct shader_slot){.location = SPIRV_NONE, .builtin = SHADER_ACTIVE};
}

void translation_inputs(struct translation *t) {
  if (t->request->is_compute) {
    translation_compute_inputs(t);
    return;
  }
  take_all(t, SpvStorageClassInput, false);
  if (t->has_effects)
    take_active(t);
}

void translation_outputs(struct translation *t) {
  if (t->request->is_compute)
    return;
  take_all(t, SpvStorageClassOutput, true);
  if (t->out->may_discard)
    fprintf(t->body, "  out[%u] = discarded;\n", t->out->output_count);
}
