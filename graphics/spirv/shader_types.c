/* Types and constants in OpenCL C. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

#define MOST_NESTING  64
#define MOST_LOOKS    1000000 /* at types in types, all of a module */
#define MOST_ELEMENTS 65536
#define MOST_WRITTEN  (1 << 18) /* parts of constants, all of a module */

uint32_t translation_components(const struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  return i->opcode == SpvOpTypeVector ? spirv_operand(i, 2) : 1;
}

uint32_t translation_scalar(const struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  return i->opcode == SpvOpTypeVector ? spirv_operand(i, 1) : type;
}

bool translation_is_float(const struct translation *t, uint32_t type) {
  return spirv_id(&t->module, translation_scalar(t, type))->opcode == SpvOpTypeFloat;
}

bool translation_is_short(const struct translation *t, uint32_t type) {
  const struct spirv_id *scalar = spirv_id(&t->module, translation_scalar(t, type));
  return (scalar->opcode == SpvOpTypeInt && spirv_operand(scalar, 1) == 16) ||
         (scalar->opcode == SpvOpTypeFloat && (spirv_operand(scalar, 1) == 16 || t->in_halves));
}

bool translation_is_bool(const struct translation *t, uint32_t type) {
  return spirv_id(&t->module, translation_scalar(t, type))->opcode == SpvOpTypeBool;
}

void translation_shaped(struct translation *t, const char *base, uint32_t type) {
  const uint32_t components = translation_components(t, type);
  if (components > 1)
    fprintf(t->body, "%s%u", base, components);
  else
    fputs(base, t->body);
}

static const char *scalar_name(struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  const uint32_t bits = i->opcode == SpvOpTypeBool ? 32 : spirv_operand(i, 1);
  if (bits != 32 && bits != 16)
    translation_fail(t, "%s of %u bits", i->opcode == SpvOpTypeFloat ? "floats" : "integers", bits);
  if (i->opcode == SpvOpTypeFloat)
    return bits == 16 || t->in_halves ? "half" : "float";
  if (bits == 16)
    return spirv_operand(i, 2) ? "short" : "ushort";
  return i->opcode == SpvOpTypeBool || spirv_operand(i, 2) ? "int" : "uint";
}

void translation_type(struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  switch (i->opcode) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
    fputs(scalar_name(t, type), t->body);
    break;
  case SpvOpTypeVector:
    translation_shaped(t, scalar_name(t, spirv_operand(i, 1)), type);
    break;
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
  case SpvOpTypeStruct:
    fprintf(t->body, "t%u", type);
    break;
  default:
    translation_fail(t, "the type of instruction %u", i->opcode);
  }
}

uint32_t translation_parts(const struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  switch (i->opcode) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return spirv_operand(i, 2);
  case SpvOpTypeArray:
    return spirv_constant(&t->module, spirv_operand(i, 2), 0);
  case SpvOpTypeStruct:
    return i->word_count - 2u;
  default:
    return 0;
  }
}

uint32_t translation_part(const struct translation *t, uint32_t type, uint32_t index) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  if (i->opcode == SpvOpTypeStruct)
    return spirv_operand(i, 1 + index);
  return i->opcode == SpvOpTypeVector || i->opcode == SpvOpTypeMatrix || i->opcode == SpvOpTypeArray ||
                 i->opcode == SpvOpTypeRuntimeArray
             ? spirv_operand(i, 1)
             : 0;
}

/* Returns whether variables of the type can be declared: without images, and without arrays of unknown length. */
static bool is_plain(struct translation *t, uint32_t type, unsigned depth) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  if (++t->types_looked_at > MOST_LOOKS)
    translation_fail(t, "types of more than %d parts", MOST_LOOKS);
  switch (i->opcode) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    return true;
  case SpvOpTypeArray:
  case SpvOpTypeStruct:
    for (uint32_t k = 0; k < (i->opcode == SpvOpTypeStruct ? translation_parts(t, type) : 1); k++)
      if (depth > 8 || t->missing[0] || !is_plain(t, translation_part(t, type, k), depth + 1))
        return false;
    return translation_parts(t, type) > 0 && translation_parts(t, type) <= MOST_ELEMENTS;
  default:
    return false;
  }
}

static void write_typedef(struct translation *t, uint32_t type) {
  const struct spirv_id *i = spirv_id(&t->module, type);
  fputs("typedef struct { ", t->body);
  if (i->opcode != SpvOpTypeStruct) {
    translation_type(t, translation_part(t, type, 0));
    fprintf(t->body, " e[%u]; } t%u;\n", translation_parts(t, type), type);
    return;
  }
  for (uint32_t k = 0; k < translation_parts(t, type) && translation_goes_on(t); k++) {
    translation_type(t, translation_part(t, type, k));
    fprintf(t->body, " m%u; ", k);
  }
  fprintf(t->body, "} t%u;\n", type);
}

void translation_typedefs(struct translation *t) {
  const struct spirv_module *m = &t->module;
  for (const uint32_t *i = m->words + 5; i && i != m->function; i = spirv_next(m, i)) {
    const uint16_t opcode = spirv_opcode(i);
    if ((opcode == SpvOpTypeMatrix || opcode == SpvOpTypeArray || opcode == SpvOpTypeStruct) && spirv_length(i) > 1 &&
        is_plain(t, i[1], 0))
      write_typedef(t, i[1]);
  }
}

/* Returns the word of a scalar constant; a specialization constant has the pipeline's value where there is one. */
static uint32_t scalar_word(const struct translation *t, const struct spirv_id *c) {
  const struct shader_request *r = t->request;
  uint32_t word = spirv_operand(c, 2);
  for (uint32_t k = 0; k < r->constant_count; k++)
    if (c->constant == r->constants[k].number && r->constants[k].stage == r->stage &&
        r->constants[k].bytes == (translation_is_short(t, c->type) ? 2u : 4u))
      __builtin_memcpy(&word, r->constant_data + r->constants[k].offset, r->constants[k].bytes);
  return word;
}

uint32_t translation_word(const struct translation *t, uint32_t id) {
  const struct spirv_id *c = spirv_id(&t->module, id);
  return c->opcode == SpvOpConstant || c->opcode == SpvOpSpecConstant ? scalar_word(t, c) : 0;
}

static bool spec_truth(const struct translation *t, const struct spirv_id *c) {
  struct spirv_id as_number = *c;
  const bool otherwise = c->opcode == SpvOpSpecConstantTrue || c->opcode == SpvOpConstantTrue;
  return c->constant == SPIRV_NONE ? otherwise : scalar_word(t, &as_number) != 0 || otherwise;
}

static void write_parts(struct translation *t, const struct spirv_id *c) {
  const bool is_vector = spirv_id(&t->module, c->type)->opcode == SpvOpTypeVector;
  const bool is_struct = spirv_id(&t->module, c->type)->opcode == SpvOpTypeStruct;
  if (is_vector) {
    fputc('(', t->body);
    translation_type(t, c->type);
    fputs(")(", t->body);
  } else
    fputs(is_struct ? "{" : "{{", t->body);
  for (uint32_t k = 2; k + 1 < c->word_count && translation_goes_on(t); k++) {
    fputs(k > 2 ? ", " : "", t->body);
    translation_constant(t, spirv_operand(c, k));
  }
  fputs(is_vector ? ")" : is_struct ? "}" : "}}", t->body);
}

void translation_constant(struct translation *t, uint32_t id) {
  const struct spirv_id *c = spirv_id(&t->module, id);
  if (++t->constants_written > MOST_WRITTEN)
    translation_fail(t, "constants of more than %d parts", MOST_WRITTEN);
  switch (c->opcode) {
  case SpvOpConstant:
  case SpvOpSpecConstant:
    fputs(translation_is_float(t, c->type) ? "as_" : "(", t->body);
    translation_type(t, c->type);
    if (translation_is_float(t, c->type) && translation_is_short(t, c->type))
      fprintf(t->body, "((ushort)0x%xu)", scalar_word(t, c) & 0xffff);
    else
      fprintf(t->body, translation_is_float(t, c->type) ? "(0x%xu)" : ")0x%xu", scalar_word(t, c));
    break;
  case SpvOpConstantTrue:
  case SpvOpConstantFalse:
  case SpvOpSpecConstantTrue:
  case SpvOpSpecConstantFalse:
    fputs(spec_truth(t, c) ? "1" : "0", t->body);
    break;
  case SpvOpConstantComposite:
  case SpvOpSpecConstantComposite:
    if (++t->nesting > MOST_NESTING)
      translation_fail(t, "constants of more than %d levels", MOST_NESTING);
    if (!t->missing[0])
      write_parts(t, c);
    t->nesting--;
    break;
  case SpvOpConstantNull:
  case SpvOpUndef:
    if (translation_parts(t, c->type) == 0 || spirv_id(&t->module, c->type)->opcode == SpvOpTypeVector) {
      fputc('(', t->body);
      translation_type(t, c->type);
      fputs(")(0)", t->body);
    } else
      fputs("{0}", t->body);
    break;
  default:
    translation_fail(t, "the constant of instruction %u", c->opcode);
  }
}
