/* Translates the side effects of shaders: stores to buffers, atomic operations, barriers. In a graphics shader only
 * work-items whose `active` is set execute them: neither helper invocations nor work-items that fill up a
 * work-group. */
#include <stdlib.h>
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

/* Returns whether a variable is a storage buffer. */
static bool is_storage(const struct translation *t, const struct spirv_id *v) {
  uint32_t type = spirv_pointee(&t->module, v->type);
  if (spirv_id(&t->module, type)->opcode == SpvOpTypeArray)
    type = translation_part(t, type, 0);
  return spirv_operand(v, 2) == SpvStorageClassStorageBuffer ||
         (spirv_operand(v, 2) == SpvStorageClassUniform && spirv_id(&t->module, type)->buffer_block);
}

bool translation_has_effects(const struct translation *t) {
  for (uint32_t id = 0; id < t->module.bound; id++) {
    const struct spirv_id *v = spirv_id(&t->module, id);
    if ((v->opcode == SpvOpTypeImage && spirv_operand(v, 6) == 2) || (v->opcode == SpvOpVariable && is_storage(t, v)))
      return true;
  }
  return false;
}

/* Writes a pointer for atomic operations, to numbers of `type`. */
static void write_pointer(struct translation *t, const struct place *p, const char *type) {
  if (p->kind == PLACE_BYTES && p->resource < t->out->resource_count) {
    t->out->resources[p->resource].writes = true;
    fprintf(t->body, "(volatile global %s *)(b%u + (%s))", type, p->resource, p->text);
  } else if (p->kind == PLACE_VARIABLE && p->is_shared)
    fprintf(t->body, "(volatile local %s *)&(%s)", type, p->text);
  else
    translation_fail(t, "an atomic operation on a variable of its own");
}

/* X(instruction, function of OpenCL, the numbers' type, value: 'v' an operand, '1' none) */
#define ATOMICS(X)                                                                                                     \
  X(Exchange, "atomic_xchg", "uint", 'v')                                                                              \
  X(IIncrement, "atomic_inc", "uint", '1')                                                                             \
  X(IDecrement, "atomic_dec", "uint", '1')                                                                             \
  X(IAdd, "atomic_add", "uint", 'v')                                                                                   \
  X(ISub, "atomic_sub", "uint", 'v')                                                                                   \
  X(SMin, "atomic_min", "int", 'v')                                                                                    \
  X(UMin, "atomic_min", "uint", 'v')                                                                                   \
  X(SMax, "atomic_max", "int", 'v')                                                                                    \
  X(UMax, "atomic_max", "uint", 'v')                                                                                   \
  X(And, "atomic_and", "uint", 'v')                                                                                    \
  X(Or, "atomic_or", "uint", 'v')                                                                                      \
  X(Xor, "atomic_xor", "uint", 'v')

static const struct atomic {
  uint16_t opcode;
  const char *function, *type;
  char value;
} atomics[] = {
#define X(name, function, type, value) {SpvOpAtomic##name, function, type, value},
    ATOMICS(X)
#undef X
};

/* Returns whether the number that an atomic operation takes has 32 bits and no fraction. */
static bool is_word(const struct translation *t, uint32_t value) {
  const struct spirv_id *type = spirv_id(&t->module, spirv_id(&t->module, value)->type);
  return type->opcode == SpvOpTypeInt && spirv_operand(type, 1) == 32;
}

static void begin_result(struct translation *t, const uint32_t *i) {
  fprintf(t->body, "  v%u = 0;\n  if (active)\n    v%u = as_", i[2], i[2]);
  translation_type(t, i[1]);
  fputs("(", t->body);
}

static bool write_atomic(struct translation *t, const uint32_t *i, const struct place *p) {
  for (size_t k = 0; k < sizeof atomics / sizeof atomics[0]; k++) {
    const struct atomic *a = &atomics[k];
    if (a->opcode != spirv_opcode(i) || spirv_length(i) < (a->value == 'v' ? 7 : 6))
      continue;
    begin_result(t, i);
    fprintf(t->body, "%s(", a->function);
    write_pointer(t, p, a->type);
    if (a->value == 'v')
      fprintf(t->body, ", as_%s(v%u)", a->type, i[6]);
    fputs("));\n", t->body);
    if (a->value == 'v' && !is_word(t, i[6]))
      translation_fail(t, "an atomic operation on other numbers than integers of 32 bits");
    return true;
  }
  return false;
}

/* A load adds 0; a store is an exchange without result. */
static bool write_special(struct translation *t, const uint32_t *i) {
  const uint16_t length = spirv_length(i);
  if (spirv_opcode(i) == SpvOpAtomicLoad && length > 5) {
    begin_result(t, i);
    fputs("atomic_add(", t->body);
    write_pointer(t, translation_place(t, i[3]), "uint");
    fputs(", 0u));\n", t->body);
  } else if (spirv_opcode(i) == SpvOpAtomicStore && length > 4) {
    fputs("  if (active)\n    atomic_xchg(", t->body);
    write_pointer(t, translation_place(t, i[1]), "uint");
    fprintf(t->body, ", as_uint(v%u));\n", i[4]);
  } else if (spirv_opcode(i) == SpvOpAtomicCompareExchange && length > 8) {
    begin_result(t, i);
    fputs("atomic_cmpxchg(", t->body);
    write_pointer(t, translation_place(t, i[3]), "uint");
    fprintf(t->body, ", as_uint(v%u), as_uint(v%u)));\n", i[8], i[7]);
  } else
    return false;
  return true;
}

bool translation_effect(struct translation *t, const uint32_t *i) {
  if (spirv_opcode(i) == SpvOpControlBarrier) {
    if (!t->request->is_compute && !t->request->is_control)
      translation_fail(t, "a barrier outside of compute and control shaders");
    fputs("  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n", t->body);
    return true;
  }
  if (spirv_opcode(i) == SpvOpMemoryBarrier) /* work-items see each other's stores in any case */
    return true;
  if (spirv_opcode(i) < SpvOpAtomicLoad || spirv_opcode(i) > SpvOpAtomicXor || spirv_length(i) < 4)
    return false;
  return write_special(t, i) || write_atomic(t, i, translation_place(t, i[3]));
}

/* Built-in inputs of compute shaders, and the number of their dimension. */
static const char *compute_input(uint32_t builtin) {
  switch (builtin) {
  case SpvBuiltInNumWorkgroups:
    return "(uint3)(get_num_groups(0), get_num_groups(1), get_num_groups(2))";
  case SpvBuiltInWorkgroupId:
    return "(uint3)(get_group_id(0), get_group_id(1), get_group_id(2))";
  case SpvBuiltInLocalInvocationId:
    return "(uint3)(get_local_id(0), get_local_id(1), get_local_id(2))";
  case SpvBuiltInGlobalInvocationId:
    return "(uint3)(get_global_id(0), get_global_id(1), get_global_id(2))";
  case SpvBuiltInLocalInvocationIndex:
    return "(uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))";
  default:
    return NULL;
  }
}

void translation_compute_inputs(struct translation *t) {
  for (uint32_t id = 0; id < t->module.bound; id++) {
    const struct spirv_id *v = spirv_id(&t->module, id);
    if (v->opcode != SpvOpVariable || spirv_operand(v, 2) != SpvStorageClassInput)
      continue;
    const char *value = compute_input(v->builtin);
    if (value)
      fprintf(t->body, "  v%u = as_", id), translation_type(t, spirv_pointee(&t->module, v->type)),
          fprintf(t->body, "(%s);\n", value);
    else
      translation_fail(t, "built-in %u of compute shaders", v->builtin);
  }
}

void translation_work_group(struct translation *t) {
  uint32_t sizes[3] = {t->module.local_size[0], t->module.local_size[1], t->module.local_size[2]};
  for (uint32_t id = 0; id < t->module.bound; id++) {
    const struct spirv_id *c = spirv_id(&t->module, id);
    if (c->builtin == SpvBuiltInWorkgroupSize && c->word_count == 6)
      for (uint32_t k = 0; k < 3; k++)
        sizes[k] = translation_word(t, spirv_operand(c, 2 + k));
  }
  for (uint32_t k = 0; k < 3; k++) {
    if (t->module.size_ids[k])
      sizes[k] = translation_word(t, t->module.size_ids[k]);
    t->out->local[k] = sizes[k];
  }
  if (sizes[0] == 0 || sizes[0] > 1024 || sizes[1] == 0 || sizes[1] > 1024 || sizes[2] == 0 || sizes[2] > 1024 ||
      sizes[0] * sizes[1] * sizes[2] > 1024)
    translation_fail(t, "work-groups of %u x %u x %u", sizes[0], sizes[1], sizes[2]);
}
