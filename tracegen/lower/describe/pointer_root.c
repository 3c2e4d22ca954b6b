/* Which argument or variable a pointer points into: followed back through address arithmetic, casts, phis, selects. */
#include "tracegen/lower/lower.h"

#include <assert.h>

#define MAX_VISITED 64

struct search {
  struct lowering *l;
  LLVMValueRef visited[MAX_VISITED];
  unsigned visited_count;
  bool found, mixed_spaces, many;
  struct pointer_root root;
};

/* The map holds kind << 24 | index. */
void pointer_root_remember(struct lowering *l, LLVMValueRef variable, enum root_kind kind, uint32_t index) {
  assert(index < 1u << 24);
  value_map_put(&l->variables, variable, (uint32_t)kind << 24 | index);
}

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
  /* OpenCL 1.x has no generic pointers: what stays without a space is private. (2.0's have number 4.) */
  static const uint8_t spaces[] = {SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL};
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  merge(s, (struct pointer_root){.kind = ROOT_UNKNOWN, .space = space < 4 ? spaces[space] : SPACE_COUNT});
}

static void follow_variable(struct search *s, LLVMValueRef variable) {
  static const uint8_t spaces[] = {
      [ROOT_LOCAL] = SPACE_LOCAL, [ROOT_CONSTANT] = SPACE_CONSTANT, [ROOT_PRIVATE] = SPACE_PRIVATE};
  uint32_t packed;
  if (!value_map_get(&s->l->variables, variable, &packed)) {
    follow_unknown(s, variable);
    return;
  }
  merge(s, (struct pointer_root){
               .kind = (uint8_t)(packed >> 24), .space = spaces[packed >> 24], .index = packed & 0xffffff});
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

LLVMOpcode pointer_made_by(LLVMValueRef pointer) {
  return LLVMIsAInstruction(pointer)    ? LLVMGetInstructionOpcode(pointer)
         : LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                                        : LLVMRet;
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
  switch (pointer_made_by(pointer)) {
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
