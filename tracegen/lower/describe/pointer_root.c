/* The argument or variable that a pointer points into: a walk back through address arithmetic, casts, phis and
 * selects. */
#include "tracegen/lower/describe/pointer_root.h"

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/variables.h"

#define MAX_VISITED 64

struct search {
  struct lowering *l;
  LLVMValueRef visited[MAX_VISITED];
  unsigned visited_count;
  bool found, mixed_spaces, many;
  struct pointer_root root;
};

static void merge(struct search *s, struct pointer_root root) {
  if (!s->found)
    s->root = root;
  else if (s->root.space != root.space)
    s->mixed_spaces = true;
  else if (s->root.kind != root.kind || s->root.index != root.index)
    s->many = true;
  s->found = true;
}

static void follow(struct search *s, LLVMValueRef pointer);

static void follow_unknown(struct search *s, LLVMValueRef pointer) {
  /* OpenCL 1.2 has no generic pointers: a pointer without a space is private. Those of 2.0 have number 4. */
  static const uint8_t spaces[] = {[IR_PRIVATE] = SPACE_PRIVATE,
                                   [IR_GLOBAL] = SPACE_GLOBAL,
                                   [IR_CONSTANT] = SPACE_CONSTANT,
                                   [IR_LOCAL] = SPACE_LOCAL};
  const unsigned space = ir_space(pointer);
  merge(s, (struct pointer_root){.kind = ROOT_UNKNOWN, .space = space < IR_GENERIC ? spaces[space] : SPACE_COUNT});
}

static void follow_variable(struct search *s, LLVMValueRef variable) {
  static const uint8_t spaces[] = {
      [ROOT_LOCAL] = SPACE_LOCAL, [ROOT_CONSTANT] = SPACE_CONSTANT, [ROOT_PRIVATE] = SPACE_PRIVATE};
  struct placed_variable place;
  if (!variable_find(&s->l->variables, variable, &place)) {
    follow_unknown(s, variable);
    return;
  }
  merge(s, (struct pointer_root){.kind = (uint8_t)place.kind, .space = spaces[place.kind], .index = place.index});
}

static void follow_argument(struct search *s, LLVMValueRef argument) {
  for (uint32_t i = 0; i < s->l->program->parameter_count; i++)
    if (LLVMGetParam(s->l->kernel, i) == argument) {
      merge(s, (struct pointer_root){.kind = ROOT_ARGUMENT, .space = s->l->program->parameters[i].space, .index = i});
      return;
    }
}

static bool visit(struct search *s, LLVMValueRef pointer) {
  for (unsigned i = 0; i < s->visited_count; i++)
    if (s->visited[i] == pointer)
      return false;
  if (s->visited_count == MAX_VISITED)
    return false;
  s->visited[s->visited_count++] = pointer;
  return true;
}

static void follow_phi(struct search *s, LLVMValueRef phi) {
  if (s->visited_count + LLVMCountIncoming(phi) >= MAX_VISITED) {
    follow_unknown(s, phi);
    return;
  }
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    follow(s, LLVMGetIncomingValue(phi, i));
}

static void follow(struct search *s, LLVMValueRef pointer) {
  if (LLVMIsUndef(pointer) || LLVMIsNull(pointer) || !visit(s, pointer))
    return;
  if (LLVMIsAArgument(pointer)) {
    follow_argument(s, pointer);
    return;
  }
  if (LLVMIsAGlobalVariable(pointer) || LLVMIsAAllocaInst(pointer)) {
    follow_variable(s, pointer);
    return;
  }
  switch (ir_opcode(pointer)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze:
    follow(s, LLVMGetOperand(pointer, 0));
    return;
  case LLVMPHI:
    follow_phi(s, pointer);
    return;
  case LLVMSelect:
    follow(s, LLVMGetOperand(pointer, 1));
    follow(s, LLVMGetOperand(pointer, 2));
    return;
  default:
    follow_unknown(s, pointer);
  }
}

int pointer_root_find(struct lowering *l, LLVMValueRef pointer, LLVMValueRef user, struct pointer_root *root) {
  struct search s = {.l = l};
  follow(&s, pointer);
  if (!s.found)
    follow_unknown(&s, pointer);
  if (s.mixed_spaces || s.root.space == SPACE_COUNT)
    return lower_error(l, user,
                       "an access whose address space (global, local, private) is only known while running is "
                       "not supported; use a pointer qualified with its address space");
  if (s.many)
    s.root.kind = ROOT_UNKNOWN;
  *root = s.root;
  return 0;
}
