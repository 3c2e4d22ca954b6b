#include "tracegen/lower/describe/atomic_roles.h"

#include "tracegen/abi/kernel_abi.h"
#include "tracegen/lower/ir/builtin_names.h"
#include "tracegen/lower/ir/markers.h"

#define MOST_STEPS 256 /* values that an address is computed from: assumed */
#define MOST_LOOPS 16  /* values of loops among them: assumed */

struct search {
  const struct value_map *block_ids;
  LLVMValueRef loops[MOST_LOOPS]; /* values of loops that are being examined, taken as uniform meanwhile */
  unsigned loop_count, steps;
  uint32_t block; /* of the atomic operation */
};

static bool is_uniform(struct search *s, LLVMValueRef value);

static bool are_uniform(struct search *s, LLVMValueRef instruction, unsigned operands) {
  bool uniform = true;
  for (unsigned i = 0; i < operands && uniform; i++)
    uniform = is_uniform(s, LLVMGetOperand(instruction, i));
  return uniform;
}

/* Returns whether the value is one of a loop around the atomic operation: it has one value from before the loop and one
 * from the end of an iteration. Work-items that are in the loop together are in the same iteration. */
static bool belongs_to_loop_around(const struct search *s, LLVMValueRef phi) {
  uint32_t head, from[2];
  if (LLVMCountIncoming(phi) != 2 || !value_map_get(s->block_ids, LLVMGetInstructionParent(phi), &head))
    return false;
  for (unsigned i = 0; i < 2; i++)
    if (!value_map_get(s->block_ids, LLVMGetIncomingBlock(phi, i), &from[i]))
      return false;
  const uint32_t last = from[0] > from[1] ? from[0] : from[1], before = from[0] > from[1] ? from[1] : from[0];
  return before < head && head <= last && head <= s->block && s->block <= last;
}

/* Values that meet where paths join depend on the path, so that only values of loops can be uniform. */
static bool phi_is_uniform(struct search *s, LLVMValueRef phi) {
  for (unsigned i = 0; i < s->loop_count; i++)
    if (s->loops[i] == phi)
      return true;
  if (s->loop_count == MOST_LOOPS || !belongs_to_loop_around(s, phi))
    return false;
  s->loops[s->loop_count++] = phi;
  return are_uniform(s, phi, 2);
}

static bool call_is_uniform(struct search *s, LLVMValueRef call) {
  LLVMValueRef callee = ir_callee(call);
  if (!callee)
    return false;
  const int query = builtin_query(callee);
  if (query >= 0)
    return query != QUERY_GLOBAL_ID && query != QUERY_LOCAL_ID && query != QUERY_GLOBAL_LINEAR_ID &&
           query != QUERY_LOCAL_LINEAR_ID;
  return (LLVMGetIntrinsicID(callee) || marker_of(callee) == MARKER_ARGUMENT_PART) &&
         are_uniform(s, call, LLVMGetNumArgOperands(call));
}

static bool computes(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsAGetElementPtrInst(value) ||
         LLVMIsASelectInst(value) || LLVMIsACmpInst(value) || LLVMIsAExtractElementInst(value) ||
         LLVMIsAInsertElementInst(value) || LLVMIsAShuffleVectorInst(value) || LLVMIsAExtractValueInst(value) ||
         LLVMIsAFreezeInst(value);
}

static bool is_uniform(struct search *s, LLVMValueRef value) {
  if (LLVMIsConstant(value) || LLVMIsAArgument(value))
    return true;
  if (s->steps++ == MOST_STEPS)
    return false;
  if (LLVMIsAPHINode(value))
    return phi_is_uniform(s, value);
  if (LLVMIsACallInst(value))
    return call_is_uniform(s, value);
  if (LLVMIsALoadInst(value))
    return ir_space(LLVMGetOperand(value, 0)) != IR_PRIVATE && is_uniform(s, LLVMGetOperand(value, 0));
  return computes(value) && are_uniform(s, value, (unsigned)LLVMGetNumOperands(value));
}

/* Returns whether the values of several work-items can be put together before one of them goes to the address. */
static bool can_be_merged(LLVMValueRef atomic, bool is_used) {
  LLVMValueRef operand = LLVMGetOperand(atomic, 1);
  const bool is_word =
      LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(operand)) <= 32;
  switch (LLVMGetAtomicRMWBinOp(atomic)) {
  case LLVMAtomicRMWBinOpAdd:
  case LLVMAtomicRMWBinOpSub:
    return is_word || LLVMIsConstant(operand);
  case LLVMAtomicRMWBinOpAnd:
  case LLVMAtomicRMWBinOpOr:
  case LLVMAtomicRMWBinOpXor:
  case LLVMAtomicRMWBinOpMax:
  case LLVMAtomicRMWBinOpMin:
  case LLVMAtomicRMWBinOpUMax:
  case LLVMAtomicRMWBinOpUMin:
    return is_word && !is_used;
  default:
    return false;
  }
}

static bool counts(LLVMValueRef atomic, bool is_used) {
  LLVMValueRef operand = LLVMGetOperand(atomic, 1);
  return !is_used && LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpAdd && LLVMIsAConstantInt(operand) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(operand)) == 32 && LLVMConstIntGetZExtValue(operand) == 1;
}

const char *atomic_role(LLVMValueRef instruction, const struct value_map *block_ids) {
  struct search s = {.block_ids = block_ids};
  if (!LLVMIsAAtomicRMWInst(instruction) || !value_map_get(block_ids, LLVMGetInstructionParent(instruction), &s.block))
    return NULL;
  const bool is_used = LLVMGetFirstUse(instruction) != NULL;
  if (can_be_merged(instruction, is_used) && is_uniform(&s, LLVMGetOperand(instruction, 0)))
    return "uniform";
  return counts(instruction, is_used) ? "increment" : NULL;
}
