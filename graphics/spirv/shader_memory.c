/* Variables, pointers, loads and stores. Resources are bytes, and a pointer into one is an offset. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

#define MOST_TEXT 4096 /* of a pointer's expression */

/* Returns the place that the id names, of kind PLACE_NONE where it names none. */
const struct place *translation_place(const struct translation *t, uint32_t id) {
  static const struct place nowhere;
  return id < t->module.bound ? &t->places[id] : &nowhere;
}

/* Lets the id name this place, whose text it owns from here on. A damaged module may name an id twice, or one out of
 * its bound. */
static void set_place(struct translation *t, uint32_t id, struct place place) {
  free(id < t->module.bound ? t->places[id].text : place.text);
  if (id < t->module.bound)
    t->places[id] = place;
}

/* Returns a text that the caller frees. Where memory runs out the translation fails, and it is NULL. */
static char *text_of(struct translation *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *text_of(struct translation *t, const char *format, ...) {
  char *text = NULL;
  va_list list;
  va_start(list, format);
  if (vasprintf(&text, format, list) < 0) {
    text = NULL;
    t->no_memory = true;
    translation_fail(t, "a text that has no memory");
  }
  va_end(list);
  return text;
}

void translation_places_clear(struct translation *t) {
  for (uint32_t i = 0; t->places && i < t->module.bound; i++)
    free(t->places[i].text);
  free(t->places);
  t->places = NULL;
}

/* Returns the index of a resource, which is new where it was not used before. */
static uint32_t resource_of(struct translation *t, enum shader_resource_kind kind, const struct spirv_id *variable,
                            uint32_t id, uint32_t element) {
  struct shader_source *out = t->out;
  for (uint32_t k = 0; k < out->resource_count; k++)
    if (out->resources[k].variable == id && out->resources[k].element == element)
      return k;
  if (out->resource_count == SHADER_MAX_RESOURCES) {
    translation_fail(t, "more than %d resources", SHADER_MAX_RESOURCES);
    return 0;
  }
  out->resources[out->resource_count] = (struct shader_resource){
      .kind = kind, .set = variable->set, .binding = variable->binding, .element = element, .variable = id};
  return out->resource_count++;
}

static bool is_aggregate(const struct translation *t, uint32_t type) {
  return spirv_id(&t->module, type)->opcode != SpvOpTypeVector && translation_parts(t, type) > 0;
}

/* A variable of a storage class that C can represent. A part that the shader reads and has not written is undefined
 * in SPIR-V and 0 here. */
static void declare(struct translation *t, uint32_t id, uint32_t type, uint32_t initial, bool is_shared) {
  t->in_halves = translation_has_half(t, id);
  fputs(is_shared ? "  local " : "  ", t->body);
  translation_type(t, type);
  fprintf(t->body, " v%u", id);
  if (is_shared)
    ; /* it begins with the previous value */
  else if (initial) {
    fputs(" = ", t->body);
    translation_constant(t, initial);
  } else
    fputs(is_aggregate(t, type) ? " = {0}" : " = 0", t->body);
  fputs(";\n", t->body);
  t->in_halves = false;
  set_place(t, id,
            (struct place){.kind = PLACE_VARIABLE,
                           .text = text_of(t, "v%u", id),
                           .type = type,
                           .is_shared = is_shared,
                           .is_half = translation_has_half(t, id)});
}

void translation_variable(struct translation *t, uint32_t id) {
  const struct spirv_id *v = spirv_id(&t->module, id);
  const uint32_t type = spirv_pointee(&t->module, v->type);
  bool of_patch;
  switch (spirv_operand(v, 2)) {
  case SpvStorageClassFunction:
  case SpvStorageClassPrivate:
  case SpvStorageClassInput:
  case SpvStorageClassOutput:
    declare(t, id, type, spirv_operand(v, 3), translation_is_shared_output(t, id, &of_patch));
    break;
  case SpvStorageClassWorkgroup:
    declare(t, id, type, 0, true);
    break;
  case SpvStorageClassUniform:
  case SpvStorageClassStorageBuffer:
    set_place(t, id, (struct place){.kind = PLACE_BYTES, .text = text_of(t, "0"), .type = type});
    break;
  case SpvStorageClassPushConstant:
    set_place(t, id,
              (struct place){.kind = PLACE_BYTES, .text = text_of(t, "0"), .type = type, .resource = RESOURCE_PUSH});
    break;
  case SpvStorageClassUniformConstant:
    set_place(t, id, (struct place){.kind = PLACE_TEXTURE, .type = type});
    break;
  default:
    translation_fail(t, "variables of storage class %u", spirv_operand(v, 2));
  }
}

/* Access chains. */

/* An index into a C array is kept inside it. */
static char *variable_step(struct translation *t, const struct place *p, uint32_t index) {
  const struct spirv_id *type = spirv_id(&t->module, p->type);
  if (type->opcode == SpvOpTypeStruct)
    return text_of(t, "%s.m%u", p->text, spirv_constant(&t->module, index, 0));
  const char *member = type->opcode == SpvOpTypeVector ? "" : ".e";
  return text_of(t, "%s%s[min((uint)v%u, %uu)]", p->text, member, index, translation_parts(t, p->type) - 1);
}

static char *bytes_step(struct translation *t, struct place *p, uint32_t index) {
  const struct spirv_id *type = spirv_id(&t->module, p->type);
  const uint32_t k = spirv_constant(&t->module, index, 0);
  switch (type->opcode) {
  case SpvOpTypeStruct:
    if (k >= type->member_count)
      return text_of(t, "%s", p->text);
    p->row_major = type->members[k].row_major;
    p->matrix_stride = type->members[k].matrix_stride;
    return text_of(t, "%s + %u", p->text, type->members[k].offset);
  case SpvOpTypeMatrix:
    if (p->row_major)
      translation_fail(t, "a column of a row-major matrix");
    return text_of(t, "%s + %uu * (uint)v%u", p->text, p->matrix_stride, index);
  case SpvOpTypeVector:
    return text_of(t, translation_is_short(t, p->type) ? "%s + 2u * (uint)v%u" : "%s + 4u * (uint)v%u", p->text, index);
  default:
    return text_of(t, "%s + %uu * (uint)v%u", p->text, type->array_stride, index);
  }
}

static void step(struct translation *t, struct place *p, uint32_t index) {
  char *text = p->kind == PLACE_VARIABLE ? variable_step(t, p, index) : bytes_step(t, p, index);
  const uint32_t k = spirv_constant(&t->module, index, 0);
  p->type = translation_part(t, p->type, spirv_id(&t->module, p->type)->opcode == SpvOpTypeStruct ? k : 0);
  free(p->text);
  p->text = text;
  if (!text || strlen(text) > MOST_TEXT)
    translation_fail(t, "a pointer of so many steps");
}

static bool is_array(const struct translation *t, uint32_t type) {
  const uint16_t opcode = spirv_id(&t->module, type)->opcode;
  return opcode == SpvOpTypeArray || opcode == SpvOpTypeRuntimeArray;
}

/* Storage images and buffers of texels are texels in memory. */
static enum shader_resource_kind kind_of(const struct translation *t, const struct place *p) {
  const struct spirv_id *type = spirv_id(&t->module, p->type);
  if (p->kind != PLACE_TEXTURE)
    return RESOURCE_BUFFER;
  return type->opcode == SpvOpTypeImage && (spirv_operand(type, 6) == 2 || spirv_operand(type, 2) == SpvDimBuffer)
             ? RESOURCE_TEXELS
             : RESOURCE_TEXTURE;
}

/* The resource that a chain from a variable begins in; an array of resources takes the first index, a constant. Returns
 * the number of indices that are used up. */
static uint32_t enter_resource(struct translation *t, struct place *p, uint32_t root, const uint32_t *i) {
  const struct spirv_id *v = spirv_id(&t->module, root);
  const bool array = is_array(t, p->type);
  const uint32_t element = array && spirv_length(i) > 4 ? spirv_constant(&t->module, i[4], SPIRV_NONE) : 0;
  if (element == SPIRV_NONE)
    translation_fail(t, "an array of resources with an index that varies");
  if (array)
    p->type = translation_part(t, p->type, 0);
  p->resource = resource_of(t, kind_of(t, p), v, root, element);
  return array ? 1 : 0;
}

static bool is_resource(const struct translation *t, const struct place *p, uint32_t root) {
  return (p->kind == PLACE_TEXTURE || (p->kind == PLACE_BYTES && p->resource != RESOURCE_PUSH)) &&
         spirv_id(&t->module, root)->opcode == SpvOpVariable;
}

void translation_access_chain(struct translation *t, const uint32_t *i) {
  const uint32_t root = i[3];
  struct place p = *translation_place(t, root);
  uint32_t used = 0;
  if (p.kind == PLACE_NONE) {
    translation_fail(t, "a pointer without a variable");
    return;
  }
  p.text = p.text ? text_of(t, "%s", p.text) : NULL;
  if (is_resource(t, &p, root))
    used = enter_resource(t, &p, root, i);
  for (uint32_t k = 4 + used; k < spirv_length(i) && !t->missing[0]; k++)
    step(t, &p, i[k]);
  set_place(t, i[2], p);
}

/* Loads of bytes. */

static void write_base(struct translation *t, const struct place *p) {
  if (p->resource == RESOURCE_PUSH)
    fputs("push", t->body);
  else
    fprintf(t->body, "b%u", p->resource);
}

static void write_pointer(struct translation *t, const struct place *p, uint32_t offset, uint32_t scalar) {
  fputs("(global const ", t->body);
  translation_type(t, scalar);
  fputs(" *)(", t->body);
  write_base(t, p);
  fprintf(t->body, " + (%s) + %u)", p->text, offset);
}

/* Loads or stores a value of `type` that lies in bytes; `value` is the expression that has it. */
typedef void byte_access(struct translation *t, const struct place *p, uint32_t type, uint32_t offset,
                         const char *value);

/* Calls `access` for each member of a structure, element of an array or column of a matrix. */
static void access_parts(struct translation *t, const struct place *p, uint32_t type, uint32_t offset,
                         const char *value, byte_access *access) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  const uint32_t parts = translation_parts(t, type);
  for (uint32_t k = 0; k < parts && translation_goes_on(t); k++) {
    struct place q = *p;
    uint32_t at = offset;
    char *part = text_of(t, i->opcode == SpvOpTypeStruct ? "%s.m%u" : "%s.e[%u]", value, k);
    if (i->opcode == SpvOpTypeStruct && k < i->member_count) {
      q.row_major = i->members[k].row_major;
      q.matrix_stride = i->members[k].matrix_stride;
      at += i->members[k].offset;
    } else
      at += k * (i->opcode == SpvOpTypeMatrix ? q.matrix_stride : i->array_stride);
    if (i->opcode == SpvOpTypeMatrix && q.row_major)
      translation_fail(t, "row-major matrices");
    if (part && strlen(part) < MOST_TEXT)
      access(t, &q, translation_part(t, type, k), at, part);
    free(part);
  }
}

/* Writes an assignment for each scalar or vector of `type`, `target` being the expression that is assigned to. */
static void load_bytes(struct translation *t, const struct place *p, uint32_t type, uint32_t offset,
                       const char *target) {
  if (is_aggregate(t, type)) {
    access_parts(t, p, type, offset, target, load_bytes);
    return;
  }
  const uint32_t scalar = translation_scalar(t, type), parts = translation_parts(t, type);
  fprintf(t->body, "  %s = ", target);
  if (parts)
    fprintf(t->body, "vload%u(0, ", parts);
  else
    fputs("*(", t->body);
  write_pointer(t, p, offset, scalar);
  fputs(");\n", t->body);
}

void translation_load(struct translation *t, const uint32_t *i) {
  const struct place *p = translation_place(t, i[3]);
  char target[16];
  snprintf(target, sizeof target, "%c%u", translation_has_half(t, i[2]) ? 'h' : 'v', i[2]);
  if (p->kind == PLACE_VARIABLE && p->is_half && !translation_has_half(t, i[2])) {
    fprintf(t->body, "  %s = convert_", target);
    translation_type(t, i[1]);
    fprintf(t->body, "(%s);\n", p->text);
  } else if (p->kind == PLACE_VARIABLE)
    fprintf(t->body, "  %s = %s;\n", target, p->text);
  else if (p->kind == PLACE_BYTES) {
    if (is_resource(t, p, i[3]))
      translation_fail(t, "a load of a whole resource");
    else
      load_bytes(t, p, i[1], 0, target);
  } else if (p->kind == PLACE_TEXTURE) {
    struct place q = *p;
    q.text = NULL;
    if (is_resource(t, p, i[3]))
      q.resource = resource_of(t, kind_of(t, p), spirv_id(&t->module, i[3]), i[3], 0);
    set_place(t, i[2], q);
  } else
    translation_fail(t, "a load without a variable");
}

/* Stores of bytes. */

static void write_target(struct translation *t, const struct place *p, uint32_t offset, uint32_t scalar) {
  fputs("(global ", t->body);
  translation_type(t, scalar);
  fprintf(t->body, " *)(b%u + (%s) + %u)", p->resource, p->text, offset);
}

/* Writes a store of each scalar or vector of `type`, `value` being the expression that has it. */
static void store_bytes(struct translation *t, const struct place *p, uint32_t type, uint32_t offset,
                        const char *value) {
  if (is_aggregate(t, type)) {
    access_parts(t, p, type, offset, value, store_bytes);
    return;
  }
  const uint32_t parts = translation_parts(t, type);
  if (parts)
    fprintf(t->body, "    vstore%u(%s, 0, ", parts, value);
  else
    fputs("    *(", t->body);
  write_target(t, p, offset, translation_scalar(t, type));
  fprintf(t->body, parts ? ");\n" : ") = %s;\n", value);
}

void translation_store(struct translation *t, const uint32_t *i) {
  const struct place *p = translation_place(t, i[1]);
  char value[16];
  snprintf(value, sizeof value, "v%u", i[2]);
  if (p->kind == PLACE_VARIABLE) {
    fprintf(t->body, "  %s = ", p->text);
    t->in_halves = p->is_half;
    translation_operand(t, i[2]);
    t->in_halves = false;
    fputs(";\n", t->body);
  } else if (p->kind == PLACE_BYTES && p->resource < t->out->resource_count && !is_resource(t, p, i[1]) &&
             t->has_effects) {
    t->out->resources[p->resource].writes = true;
    fputs("  if (active) {\n", t->body);
    store_bytes(t, p, spirv_id(&t->module, i[2])->type, 0, value);
    fputs("  }\n", t->body);
  } else
    translation_fail(t, "a store without a variable");
}

void translation_place_bytes(struct translation *t, uint32_t id, uint32_t resource, char *text) {
  set_place(t, id, (struct place){.kind = PLACE_BYTES, .text = text, .resource = resource});
  if (!text)
    translation_fail(t, "more than there is memory for");
}

void translation_enter_texels(struct translation *t, uint32_t id) {
  struct place p = *translation_place(t, id);
  if (p.kind != PLACE_TEXTURE || !is_resource(t, &p, id) || is_array(t, p.type))
    return;
  p.resource = resource_of(t, kind_of(t, &p), spirv_id(&t->module, id), id, 0);
  p.text = NULL;
  set_place(t, id, p);
}

/* The length of the array that ends a buffer. */
void translation_array_length(struct translation *t, const uint32_t *i) {
  struct place p = *translation_place(t, i[3]);
  const struct spirv_id *type = spirv_id(&t->module, p.type);
  if (p.kind == PLACE_BYTES && is_resource(t, &p, i[3]))
    p.resource = resource_of(t, RESOURCE_BUFFER, spirv_id(&t->module, i[3]), i[3], 0);
  if (p.kind != PLACE_BYTES || p.resource >= t->out->resource_count || !t->request->buffer_bytes || t->missing[0]) {
    translation_fail(t, "the length of an array that is in no buffer");
    return;
  }
  const struct shader_resource *r = &t->out->resources[p.resource];
  const uint64_t bytes = t->request->buffer_bytes(t->request->user, r->set, r->binding, r->element);
  const uint32_t stride = spirv_id(&t->module, translation_part(t, p.type, i[4]))->array_stride;
  const uint32_t first = i[4] < type->member_count ? type->members[i[4]].offset : 0;
  fprintf(t->body, "  v%u = %u;\n", i[2], stride && bytes > first ? (uint32_t)((bytes - first) / stride) : 0);
}
