/* The body of the entry function: variables, blocks and branches. A block is a label; a branch is a goto. Values that
 * merge (OpPhi) go through a second variable, which each predecessor sets. */
#include <spirv/unified1/spirv.h>

#include "graphics/spirv/translation.h"

static bool is_value(const struct translation *t, const uint32_t *i, uint32_t *id) {
  if (spirv_result_place(spirv_opcode(i)) != 2 || spirv_length(i) < 3)
    return false;
  *id = i[2];
  switch (spirv_id(&t->module, i[1])->opcode) {
  case SpvOpTypeBool:
  case SpvOpTypeInt:
  case SpvOpTypeFloat:
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
  case SpvOpTypeArray:
  case SpvOpTypeStruct:
    return true;
  default:
    return false;
  }
}

static bool is_constant(uint16_t opcode) {
  return (opcode >= SpvOpConstantTrue && opcode <= SpvOpSpecConstantComposite) || opcode == SpvOpUndef;
}

static void declare_constant(struct translation *t, const uint32_t *i, uint32_t id) {
  fputs("  const ", t->body);
  translation_type(t, i[1]);
  fprintf(t->body, " v%u = ", id);
  translation_constant(t, id);
  fputs(";\n", t->body);
  translation_half_constant(t, i[1], id);
}

/* Constants and variables that stand in front of the functions. */
static void declare_globals(struct translation *t) {
  for (const uint32_t *i = t->module.words + 5; i && i != t->module.function; i = spirv_next(&t->module, i)) {
    uint32_t id;
    if (spirv_opcode(i) == SpvOpVariable && spirv_length(i) > 3)
      translation_variable(t, i[2]);
    else if (is_constant(spirv_opcode(i)) && is_value(t, i, &id))
      declare_constant(t, i, id);
  }
}

static void declare_values(struct translation *t) {
  for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd;
       i = spirv_next(&t->module, i)) {
    uint32_t id;
    if (spirv_opcode(i) == SpvOpVariable && spirv_length(i) > 3)
      translation_variable(t, i[2]);
    else if (spirv_opcode(i) == SpvOpUndef && is_value(t, i, &id))
      declare_constant(t, i, id);
    else if (is_value(t, i, &id)) {
      const bool merges = spirv_opcode(i) == SpvOpPhi;
      fputs("  ", t->body);
      translation_type(t, i[1]);
      fprintf(t->body, merges && !translation_has_half(t, id) ? " v%u, p%u;\n" : " v%u;\n", id, id);
      translation_declare_half(t, i[1], id, merges);
    }
  }
}

static void set_merging(struct translation *t, uint32_t merged, uint32_t value) {
  fprintf(t->body, " p%u = ", merged);
  t->in_halves = translation_has_half(t, merged);
  translation_operand(t, value);
  t->in_halves = false;
  fputs(";", t->body);
}

/* Sets the values that merge at the beginning of block `target`, which is entered from the present one. */
static void set_merged(struct translation *t, uint32_t target) {
  const uint32_t *i = spirv_id(&t->module, target)->words;
  for (i = i ? spirv_next(&t->module, i) : NULL; i && (spirv_opcode(i) == SpvOpPhi || spirv_opcode(i) == SpvOpLine);
       i = spirv_next(&t->module, i))
    for (uint32_t k = 3; spirv_opcode(i) == SpvOpPhi && k + 1 < spirv_length(i); k += 2)
      if (i[k + 1] == t->label)
        set_merging(t, i[2], i[k]);
}

static void go(struct translation *t, uint32_t target) {
  fputs(" {", t->body);
  set_merged(t, target);
  fprintf(t->body, " goto L%u; }", target);
}

static void write_switch(struct translation *t, const uint32_t *i) {
  fprintf(t->body, "  switch (v%u) {\n", i[1]);
  for (uint32_t k = 3; k + 1 < spirv_length(i); k += 2) {
    fprintf(t->body, "  case %uu:", i[k]);
    go(t, i[k + 1]);
    fputs("\n", t->body);
  }
  fputs("  default:", t->body);
  go(t, i[2]);
  fputs("\n  }\n", t->body);
}

/* Discarded fragments of a quad are still needed for their neighbours' derivatives. They continue after the
 * selection in which they were discarded, as in lavapipe. */

static void go_on_at(struct translation *t, uint32_t label, uint32_t where) {
  if (label < t->module.bound && label != where && !t->goes_on_at[label])
    t->goes_on_at[label] = where;
}

static uint32_t present_place(const struct translation *t) {
  return t->label < t->module.bound ? t->goes_on_at[t->label] : 0;
}

/* Records where the branches of a selection continue. */
static void note_selection(struct translation *t, const uint32_t *i) {
  const uint32_t *branch = spirv_next(&t->module, i);
  const uint16_t length = branch ? spirv_length(branch) : 0;
  go_on_at(t, i[1], present_place(t));
  if (branch && spirv_opcode(branch) == SpvOpBranchConditional && length > 3) {
    go_on_at(t, branch[2], i[1]);
    go_on_at(t, branch[3], i[1]);
  }
  for (uint16_t k = 2; branch && spirv_opcode(branch) == SpvOpSwitch && k < length; k += 2)
    go_on_at(t, branch[k], i[1]);
}

static void write_branch(struct translation *t, const uint32_t *i) {
  if (spirv_opcode(i) == SpvOpBranchConditional) {
    fprintf(t->body, "  if (v%u)", i[1]);
    go(t, i[2]);
    fputs(" else", t->body);
    go(t, i[3]);
  } else {
    if (t->lanes_help && present_place(t) != i[1])
      go_on_at(t, i[1], present_place(t));
    go(t, i[1]);
  }
  fputs("\n", t->body);
}

static bool takes_derivatives(const struct translation *t) {
  for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd;
       i = spirv_next(&t->module, i)) {
    const uint16_t o = spirv_opcode(i);
    if ((o >= SpvOpDPdx && o <= SpvOpFwidthCoarse) || o == SpvOpImageQueryLod || o == SpvOpImageSampleImplicitLod ||
        o == SpvOpImageSampleDrefImplicitLod || o == SpvOpImageSampleProjImplicitLod ||
        o == SpvOpImageSampleProjDrefImplicitLod)
      return true;
  }
  return false;
}

static void discard(struct translation *t, bool ends) {
  t->out->may_discard = true;
  if (t->has_effects)
    fputs("  active = 0;\n", t->body);
  fputs("  discarded = 1;\n", t->body);
  if (ends && present_place(t))
    fprintf(t->body, "  goto L%u;\n", present_place(t));
  else if (ends)
    fputs("  goto end;\n", t->body);
}

/* Returns whether the instruction belongs to the flow of control. */
static bool write_flow(struct translation *t, const uint32_t *i) {
  switch (spirv_opcode(i)) {
  case SpvOpSelectionMerge:
    if (t->lanes_help && spirv_length(i) > 1)
      note_selection(t, i);
    return true;
  case SpvOpLabel:
    t->label = i[1];
    fprintf(t->body, "L%u:;\n", i[1]);
    return true;
  case SpvOpPhi:
    translation_result(t, i[2]);
    fprintf(t->body, " = p%u;\n", i[2]);
    translation_end_halves(t, i);
    return true;
  case SpvOpBranch:
  case SpvOpBranchConditional:
    write_branch(t, i);
    return true;
  case SpvOpSwitch:
    write_switch(t, i);
    return true;
  case SpvOpReturn:
  case SpvOpUnreachable:
    fputs("  goto end;\n", t->body);
    return true;
  case SpvOpKill:
  case SpvOpTerminateInvocation:
  case SpvOpDemoteToHelperInvocation:
    discard(t, spirv_opcode(i) != SpvOpDemoteToHelperInvocation);
    return true;
  default:
    return false;
  }
}

static bool has_no_effect(uint16_t opcode) {
  return opcode == SpvOpFunction || opcode == SpvOpLoopMerge || opcode == SpvOpNop || opcode == SpvOpLine ||
         opcode == SpvOpNoLine || opcode == SpvOpVariable || opcode == SpvOpName;
}

static void write_effect(struct translation *t, const uint32_t *i) {
  const uint16_t opcode = spirv_opcode(i);
  if (opcode == SpvOpLoad)
    translation_load(t, i);
  else if (opcode == SpvOpStore)
    translation_store(t, i);
  else if (opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain)
    translation_access_chain(t, i);
  else if (opcode == SpvOpExtInst)
    translation_glsl(t, i);
  else if (opcode == SpvOpArrayLength && spirv_length(i) > 4)
    translation_array_length(t, i);
  else if (t->request->is_geometry && translation_vertices(t, i))
    return;
  else if (!translation_operation(t, i) && !translation_effect(t, i) && !translation_texels(t, i) &&
           !translation_image(t, i))
    translation_fail(t, "instruction %u of SPIR-V", opcode);
}

static void write_instruction(struct translation *t, const uint32_t *i) {
  if (has_no_effect(spirv_opcode(i)) || write_flow(t, i))
    return;
  translation_begin_halves(t, i);
  write_effect(t, i);
  translation_end_halves(t, i);
}

void translation_function(struct translation *t) {
  t->lanes_help = t->request->is_fragment && takes_derivatives(t);
  translation_find_halves(t);
  translation_find_cut_texels(t);
  declare_globals(t);
  declare_values(t);
  translation_inputs(t);
  for (const uint32_t *i = t->module.function; i && spirv_opcode(i) != SpvOpFunctionEnd && !t->missing[0];
       i = spirv_next(&t->module, i))
    write_instruction(t, i);
  fputs("end:;\n", t->body);
  if (t->request->is_control)
    fputs("  barrier(CLK_LOCAL_MEM_FENCE);\n", t->body);
  if (t->request->is_geometry)
    translation_count_vertices(t);
  else
    translation_outputs(t);
}
