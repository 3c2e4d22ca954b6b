/* Finds the loads that read a value that matters, so that reading it undefined is a mistake;
 * tracegen/run/group/shadow.c checks them.
 *
 * A good kernel must not be refused. What only moves memory is no read: padding of structures, the fourth element of
 * a vector of three, the rest of a vector of which one element is set. Neither is a load that the optimiser moved to
 * where the source has none; such loads have lost a mark that is set before optimisation. */
#include <string.h>

#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/instructions.h"
#include "tracegen/sanitize/sanitize.h"

#define MARK         "reassemble.read"
#define MAX_DEPTH    8
#define MAX_STEPS    2000 /* uses that are examined for one load: assumed, far below a millisecond */
#define MAX_ELEMENTS 16
#define MAX_BYTES    128 /* double16; SHADOW_ACCESS_BYTES */

static unsigned mark_kind(struct lowering *l) {
  return LLVMGetMDKindIDInContext(l->context, MARK, (unsigned)strlen(MARK));
}

int load_uses_mark(struct lowering *l) {
  LLVMValueRef mark = LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, NULL, 0));
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    for (LLVMValueRef i = ir_first(f); i; i = ir_next(i))
      if (LLVMIsALoadInst(i))
        LLVMSetMetadata(i, mark_kind(l), mark);
  return 0;
}

/* Returns whether a place is known when the kernel is built. The optimiser may execute such a load where the source has
 * none. */
static bool is_fixed_place(LLVMValueRef pointer) {
  while (!LLVMIsAGlobalVariable(pointer) && !LLVMIsAAllocaInst(pointer)) {
    const bool gep = LLVMIsAGetElementPtrInst(pointer) ||
                     (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
    if (!gep)
      return false;
    for (int i = 1; i < LLVMGetNumOperands(pointer); i++)
      if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)i)))
        return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
  return true;
}

/* The uses of a loaded value. */
struct use {
  uint32_t elements; /* that something is computed with */
  bool copied;       /* the value, or a vector that holds it, goes to memory */
  bool visible;      /* to memory without a shadow */
};

struct reading {
  struct lowering *l;
  bool tracks_buffers;
  uint32_t steps; /* taken for the current load */
  LLVMValueRef phis[MAX_DEPTH + 1];
  uint32_t phi_count; /* between the load and the current use: loops lead back to them */
};

static uint32_t element_mask(LLVMValueRef value) {
  uint32_t elements;
  ir_element(LLVMTypeOf(value), &elements);
  return elements >= 32 ? UINT32_MAX : (1u << elements) - 1;
}

static void find_use(struct reading *r, LLVMValueRef value, struct use *use, int depth);

/* Returns the elements of `value`, an operand of the shuffle, that become one of `elements` of its result. */
static uint32_t shuffled_elements(LLVMValueRef shuffle, LLVMValueRef value, uint32_t elements) {
  uint32_t width, used = 0;
  ir_element(LLVMTypeOf(value), &width);
  for (unsigned i = 0; i < LLVMGetNumMaskElements(shuffle); i++) {
    const int from = LLVMGetMaskValue(shuffle, i);
    if (from == LLVMGetUndefMaskElem() || !(elements >> i & 1))
      continue;
    const bool second = (uint32_t)from >= width;
    if (LLVMGetOperand(shuffle, second) == value)
      used |= 1u << (((uint32_t)from - (second ? width : 0)) & 31);
  }
  return used;
}

/* Returns whether each element of the result depends on the element at the same place of the operand alone, so that an
 * element is used where that of the result is. */
static bool is_element_by_element(LLVMValueRef user, LLVMValueRef value) {
  const LLVMTypeRef type = LLVMTypeOf(value);
  uint32_t here, there;
  ir_element(type, &here);
  ir_element(LLVMTypeOf(user), &there);
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind && here == there &&
         (LLVMIsABinaryOperator(user) || LLVMIsAUnaryOperator(user) || LLVMIsACastInst(user) ||
          LLVMIsASelectInst(user) || LLVMIsAPHINode(user) || LLVMIsACmpInst(user));
}

/* Returns whether the result is one of the operands, unchanged. */
static bool is_choice(LLVMValueRef user, LLVMValueRef value) {
  return LLVMIsAPHINode(user) || (LLVMIsASelectInst(user) && LLVMGetOperand(user, 0) != value);
}

/* A result that is stored counts as a use only where no element of the vector was written. */
static void find_use_of_result(struct reading *r, LLVMValueRef result, struct use *use, int depth) {
  struct use inner = {0};
  const uint32_t phi_count = r->phi_count;
  for (uint32_t i = 0; i < phi_count; i++)
    if (r->phis[i] == result)
      return;
  if (LLVMIsAPHINode(result))
    r->phis[r->phi_count++] = result;
  find_use(r, result, &inner, depth + 1);
  r->phi_count = phi_count;
  use->elements |= inner.elements;
  use->copied |= inner.copied;
  use->visible |= LLVMIsAPHINode(result) || LLVMIsASelectInst(result) ? inner.visible : inner.copied;
}

static void find_use_in_vector(struct reading *r, LLVMValueRef value, LLVMValueRef vector, struct use *use, int depth) {
  struct use inner = {0};
  find_use(r, vector, &inner, depth + 1);
  use->copied |= inner.copied;
  if (LLVMIsAShuffleVectorInst(vector))
    use->elements |= shuffled_elements(vector, value, inner.elements);
  else if (LLVMIsAConstantInt(LLVMGetOperand(vector, 2)))
    use->elements |= inner.elements & ~(1u << (LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2)) & 31));
  else
    use->elements |= inner.elements;
}

/* Returns whether the value becomes a part of a wide integer: with shadow values, vectors and structures are assembled
 * that way. */
static bool is_packed(const struct reading *r, LLVMValueRef user) {
  if (!r->l->program->is_dry_run || !LLVMIsAZExtInst(user))
    return false;
  for (LLVMUseRef u = LLVMGetFirstUse(user); u; u = LLVMGetNextUse(u)) {
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(LLVMGetUser(u));
    if (opcode != LLVMShl && opcode != LLVMOr)
      return false;
  }
  return true;
}

/* A number that becomes an element of a vector is used where that element is. */
static void find_use_as_element(struct reading *r, LLVMValueRef value, LLVMValueRef vector, struct use *use,
                                int depth) {
  struct use inner = {0};
  find_use(r, vector, &inner, depth + 1);
  use->copied |= inner.copied;
  use->visible |= inner.visible;
  if (inner.elements >> (LLVMConstIntGetZExtValue(LLVMGetOperand(vector, 2)) & 31) & 1)
    use->elements |= element_mask(value);
}

/* An element that is extracted may be the last of four: the padding behind a vector of three, in a structure that is
 * moved piece by piece. */
static void find_use_of_element(struct reading *r, LLVMValueRef vector, LLVMValueRef element, struct use *use,
                                int depth) {
  struct use inner = {0};
  uint32_t width;
  ir_element(LLVMTypeOf(vector), &width);
  const uint32_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(element, 1)) & 31;
  const bool may_be_room = width == 4 && index == 3;
  find_use(r, element, &inner, depth + 1);
  use->copied |= inner.copied;
  if (inner.elements || (inner.visible && !may_be_room))
    use->elements |= 1u << index;
}

/* Returns whether a value is selected from by shuffle or shuffle2. Which elements are used is known only while the
 * kernel runs. */
static bool is_picked_from(LLVMValueRef user, LLVMValueRef value) {
  return builtin_is_shuffle(user) && LLVMGetOperand(user, LLVMGetNumArgOperands(user) - 1) != value; /* the mask */
}

/* Perhaps only written elements are used: the use counts where nothing of the vector was written. */
static void find_use_of_picked(struct reading *r, LLVMValueRef picked, struct use *use, int depth) {
  struct use inner = {0};
  find_use(r, picked, &inner, depth + 1);
  use->copied |= inner.copied || inner.elements;
  use->visible |= inner.visible || inner.copied || inner.elements;
}

static void find_one_use(struct reading *r, LLVMValueRef value, LLVMValueRef user, struct use *use, int depth) {
  if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value) {
    const unsigned space = ir_space(LLVMGetOperand(user, 1));
    use->copied = true;
    use->visible |= space == IR_GLOBAL && !r->tracks_buffers;
  } else if (is_packed(r, user))
    use->copied = true;
  else if ((LLVMIsAInsertElementInst(user) && LLVMGetOperand(user, 0) == value) || LLVMIsAShuffleVectorInst(user))
    find_use_in_vector(r, value, user, use, depth);
  else if (LLVMIsAInsertElementInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 2)))
    find_use_as_element(r, value, user, use, depth);
  else if (is_element_by_element(user, value) || is_choice(user, value))
    find_use_of_result(r, user, use, depth);
  else if (LLVMIsAExtractElementInst(user) && LLVMIsAConstantInt(LLVMGetOperand(user, 1)))
    find_use_of_element(r, value, user, use, depth);
  else if (is_picked_from(user, value))
    find_use_of_picked(r, user, use, depth);
  else
    use->elements |= element_mask(value);
}

static void find_use(struct reading *r, LLVMValueRef value, struct use *use, int depth) {
  if (depth > MAX_DEPTH || ++r->steps > MAX_STEPS) {
    use->copied = true;
    return;
  }
  for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u))
    find_one_use(r, value, LLVMGetUser(u), use, depth);
}

static void classify_load(struct reading *r, LLVMValueRef load, struct kernel_access *access) {
  struct use use = {0};
  uint32_t elements;
  ir_element(LLVMTypeOf(load), &elements);
  const bool in_source = LLVMGetMetadata(load, mark_kind(r->l)) != NULL;
  const bool moved = is_fixed_place(LLVMGetOperand(load, 0)) && !in_source;
  if (elements > MAX_ELEMENTS || access->bytes > MAX_BYTES)
    return; /* wider than any type of OpenCL: the optimiser moves memory that way */
  r->steps = 0;
  find_use(r, load, &use, 0);
  use.copied |= use.visible;
  use.visible &= in_source; /* otherwise a part of a structure that is assigned, perhaps padding */
  if (moved) {              /* it is no read of the source; as part of a block copy it copies the shadow */
    access->read = use.copied && !use.elements ? READ_COPY : READ_IGNORED;
    return;
  }
  if (elements == 4 && use.elements == 15)
    use.elements = 7; /* a vector of three occupies four elements */
  access->elements = (uint16_t)use.elements;
  access->element_bytes = (uint8_t)(access->bytes / elements);
  access->read = use.elements ? READ_ELEMENTS : use.visible ? READ_VISIBLE_COPY : use.copied ? READ_COPY : READ_IGNORED;
}

/* An exchange does not use the old value. */
static void classify_atomic(LLVMValueRef i, struct kernel_access *access) {
  access->element_bytes = (uint8_t)access->bytes;
  access->elements = 1;
  access->read =
      LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg ? READ_IGNORED : READ_ELEMENTS;
}

/* Notes in a store which load of the same block read its value. */
static void classify_store(struct lowering *l, LLVMValueRef store, const struct value_map *loads,
                           struct kernel_access *access) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  uint32_t load;
  if (!LLVMIsALoadInst(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(store) ||
      !value_map_get(loads, value, &load))
    return;
  const struct kernel_access *from = &l->program->accesses[load];
  if (from->read == READ_COPY || from->read == READ_VISIBLE_COPY)
    access->copy_of = load + 1;
}

static bool is_shadowed(const struct lowering *l, const struct kernel_access *access) {
  return access->root.space == SPACE_LOCAL || access->root.space == SPACE_PRIVATE ||
         (access->root.space == SPACE_GLOBAL && l->purpose.tracks_buffers);
}

int load_uses_classify(struct lowering *l) {
  struct reading r = {.l = l, .tracks_buffers = l->purpose.tracks_buffers};
  struct value_map loads = {0};
  int status = 0;
  const bool looks = l->purpose.records || l->program->is_dry_run;
  for (uint32_t i = 0; looks && i < l->program->code.mem_count; i++) {
    struct kernel_access *access = &l->program->accesses[i];
    LLVMValueRef instruction = l->access_instructions[i];
    access->shadowed = is_shadowed(l, access);
    if (!access->shadowed)
      continue;
    if (LLVMIsALoadInst(instruction)) {
      classify_load(&r, instruction, access);
      status |= !value_map_put(&loads, instruction, i);
    } else if (LLVMIsAStoreInst(instruction))
      classify_store(l, instruction, &loads, access);
    else if (!LLVMIsACallInst(instruction))
      classify_atomic(instruction, access);
    /* stores into buffers matter for later launches */
    l->program->checks_reads |=
        access->read == READ_ELEMENTS || access->read == READ_VISIBLE_COPY || l->purpose.tracks_buffers;
  }
  value_map_clear(&loads);
  return status ? lower_no_memory(l) : 0;
}
