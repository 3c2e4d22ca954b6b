/* Unrolls loops of a constant count wholly, by two limits on the operations of all copies, found with nvcc 13.0
 * (tests/accuracy/unrolled_by_nvcc.py; docs/tracegen.md).
 *
 * 300 for any loop. nvcc unrolls 64 and not 128 copies of a sum of neighbours, 16 and not 32 copies of a tile's step
 * with four sums.
 *
 * 1,500 for a loop whose counter is an index into a private array, because only constant indices let the array's
 * elements become registers. nvcc unrolls 256 and not 384 copies of `s[i] = s[i] * s[i] + x`. */
#include "tracegen/lower/unroll.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/optimise.h"

enum { ANY_OPERATIONS = 300, ARRAY_OPERATIONS = 1500, LOOP_BLOCKS = 64, INDEX_DEPTH = 8, NEST_DEPTH = 8 };

/* A loop whose last block compares a counter with a constant. */
struct counted_loop {
  LLVMValueRef branch;  /* back to the head, or out of the loop */
  LLVMValueRef counter; /* a phi of the head */
  LLVMBasicBlockRef head;
  LLVMBasicBlockRef blocks[LOOP_BLOCKS];
  unsigned block_count;
  uint64_t operations; /* of one iteration */
  uint64_t count;      /* of iterations; 0: not known, or more than ARRAY_OPERATIONS */
};

static bool is_phi_of(LLVMValueRef value, LLVMBasicBlockRef block) {
  return LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
}

/* The counter behind one side of a comparison: a phi of the block `head`, or its sum with a constant. */
static LLVMValueRef counter_of(LLVMValueRef value, LLVMBasicBlockRef head, int64_t *step) {
  *step = 0;
  if (is_phi_of(value, head))
    return value;
  if (!LLVMIsABinaryOperator(value) || LLVMGetInstructionOpcode(value) != LLVMAdd)
    return NULL;
  LLVMValueRef phi = LLVMGetOperand(value, 0), constant = LLVMGetOperand(value, 1);
  if (!is_phi_of(phi, head) || !LLVMIsAConstantInt(constant))
    return NULL;
  *step = LLVMConstIntGetSExtValue(constant);
  return phi;
}

/* The constant with which the counter begins. Returns false where it is none. */
static bool first_value(const struct counted_loop *loop, LLVMBasicBlockRef latch, int64_t *first) {
  for (unsigned i = 0; i < LLVMCountIncoming(loop->counter); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(loop->counter, i);
    if (LLVMGetIncomingBlock(loop->counter, i) == latch)
      continue;
    if (!LLVMIsAConstantInt(value))
      return false;
    *first = LLVMConstIntGetSExtValue(value);
    return true;
  }
  return false;
}

static bool contains(const struct counted_loop *loop, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < loop->block_count; i++)
    if (loop->blocks[i] == block)
      return true;
  return false;
}

/* Collects the blocks from which the last block is reached without the head. Returns false where there are too many. */
static bool collect_blocks(struct counted_loop *loop, LLVMBasicBlockRef latch) {
  loop->blocks[0] = loop->head;
  loop->block_count = 1;
  if (latch != loop->head)
    loop->blocks[loop->block_count++] = latch;
  for (unsigned at = 1; at < loop->block_count; at++)
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->blocks[at])); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (!LLVMIsATerminatorInst(user) || contains(loop, LLVMGetInstructionParent(user)))
        continue;
      if (loop->block_count == LOOP_BLOCKS)
        return false;
      loop->blocks[loop->block_count++] = LLVMGetInstructionParent(user);
    }
  return true;
}

/* Returns whether the value is a constant in each copy: computed from the counter and constants alone. */
static bool becomes_constant(const struct counted_loop *loop, LLVMValueRef value, unsigned depth) {
  if (value == loop->counter || LLVMIsAConstant(value))
    return true;
  if (depth == 0 || !(LLVMIsABinaryOperator(value) || LLVMIsACastInst(value) || LLVMIsACmpInst(value)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!becomes_constant(loop, LLVMGetOperand(value, (unsigned)i), depth - 1))
      return false;
  return true;
}

/* Returns whether the value is a place at a constant behind another one in each copy, which an access can address. */
static bool becomes_offset(const struct counted_loop *loop, LLVMValueRef value) {
  for (int i = 1; i < LLVMGetNumOperands(value); i++)
    if (!becomes_constant(loop, LLVMGetOperand(value, (unsigned)i), INDEX_DEPTH))
      return false;
  return LLVMIsAGetElementPtrInst(value);
}

/* Operations of an iteration that copies have: without what becomes constant, and without casts, most of which index
 * arithmetic has on a 64-bit host alone. */
static uint64_t count_operations(const struct counted_loop *loop) {
  uint64_t operations = 0;
  for (unsigned i = 0; i < loop->block_count; i++)
    for (LLVMValueRef in = LLVMGetFirstInstruction(loop->blocks[i]); in; in = LLVMGetNextInstruction(in))
      operations += in != loop->branch && !LLVMIsAPHINode(in) && !LLVMIsADbgInfoIntrinsic(in) && !LLVMIsACastInst(in) &&
                    !becomes_constant(loop, in, INDEX_DEPTH) && !becomes_offset(loop, in);
  return operations;
}

/* Returns how many steps lead from `first` to `last`; 0 where these are none or too many. */
static uint64_t count_between(int64_t first, int64_t last, int64_t step) {
  int64_t distance;
  if (__builtin_sub_overflow(last, first, &distance) || step == 0 || step < -INT32_MAX || step > INT32_MAX)
    return 0;
  if (step < 0 && __builtin_sub_overflow((int64_t)0, distance, &distance))
    return 0;
  const int64_t count = distance / (step < 0 ? -step : step);
  return count > 0 && count <= ARRAY_OPERATIONS ? (uint64_t)count : 0;
}

/* Reads the loop that ends in `branch`. Returns false where its counter is not compared with a constant. */
static bool read_loop(LLVMValueRef branch, struct counted_loop *loop) {
  LLVMBasicBlockRef latch = LLVMGetInstructionParent(branch);
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) || !LLVMIsAICmpInst(LLVMGetCondition(branch)))
    return false;
  LLVMValueRef limit = LLVMGetOperand(LLVMGetCondition(branch), 1);
  if (!LLVMIsAConstantInt(limit) || LLVMGetIntTypeWidth(LLVMTypeOf(limit)) > 64)
    return false;
  for (unsigned i = 0; i < 2; i++) {
    int64_t step, first;
    *loop = (struct counted_loop){.branch = branch, .head = LLVMGetSuccessor(branch, i)};
    loop->counter = counter_of(LLVMGetOperand(LLVMGetCondition(branch), 0), loop->head, &step);
    if (!loop->counter)
      continue;
    if (first_value(loop, latch, &first))
      loop->count = count_between(first, LLVMConstIntGetSExtValue(limit), step);
    return true;
  }
  return false;
}

/* ---- private arrays ---- */

/* Returns whether the value is computed from the loop's counter. */
static bool depends_on_counter(const struct counted_loop *loop, LLVMValueRef value, unsigned depth) {
  if (value == loop->counter)
    return true;
  if (depth == 0 || !LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || LLVMIsALoadInst(value) ||
      LLVMIsACallInst(value) || !contains(loop, LLVMGetInstructionParent(value)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (depends_on_counter(loop, LLVMGetOperand(value, (unsigned)i), depth - 1))
      return true;
  return false;
}

static bool indexes_private_array(const struct counted_loop *loop) {
  for (unsigned i = 0; i < loop->block_count; i++)
    for (LLVMValueRef in = LLVMGetFirstInstruction(loop->blocks[i]); in; in = LLVMGetNextInstruction(in))
      if (LLVMIsAGetElementPtrInst(in) && LLVMIsAAllocaInst(LLVMGetOperand(in, 0)) &&
          depends_on_counter(loop, in, INDEX_DEPTH))
        return true;
  return false;
}

/* Returns whether the source or an earlier pass says how the loop is to be unrolled. */
static bool is_decided(LLVMValueRef branch, unsigned kind) {
  static const char prefix[] = "llvm.loop.unroll.";
  LLVMValueRef facts = LLVMGetMetadata(branch, kind), all[16], words[4];
  if (!facts || LLVMGetMDNodeNumOperands(facts) > sizeof all / sizeof *all)
    return facts != NULL;
  LLVMGetMDNodeOperands(facts, all);
  for (unsigned i = 1; i < LLVMGetMDNodeNumOperands(facts); i++) {
    unsigned length;
    if (!all[i] || !LLVMIsAMDNode(all[i]) || LLVMGetMDNodeNumOperands(all[i]) > sizeof words / sizeof *words)
      continue;
    LLVMGetMDNodeOperands(all[i], words);
    const char *text = words[0] && LLVMIsAMDString(words[0]) ? LLVMGetMDString(words[0], &length) : "";
    if (strncmp(text, prefix, sizeof prefix - 1) == 0)
      return true;
  }
  return false;
}

/* Returns whether the copies of the loop are few enough, and fills in its blocks and operations. */
static bool is_short(struct counted_loop *loop) {
  if (loop->count == 0 || !collect_blocks(loop, LLVMGetInstructionParent(loop->branch)))
    return false;
  loop->operations = count_operations(loop);
  const uint64_t all = loop->count * loop->operations;
  return all <= ANY_OPERATIONS || (all <= ARRAY_OPERATIONS && indexes_private_array(loop));
}

/* Returns whether a loop inside of this one is short; its copies have to be counted first. */
static bool has_short_loop(const struct counted_loop *loop) {
  for (unsigned i = 0; i < loop->block_count; i++) {
    struct counted_loop inner;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(loop->blocks[i]);
    if (end != loop->branch && read_loop(end, &inner) && contains(loop, inner.head) && is_short(&inner))
      return true;
  }
  return false;
}

/* Says on the loop's last branch what `#pragma unroll` says. The description of a loop names itself first. */
static bool ask_to_unroll(struct lowering *l, struct counted_loop *loop) {
  static const char word[] = "llvm.loop.unroll.full", loops[] = "llvm.loop";
  const unsigned kind = LLVMGetMDKindIDInContext(l->context, loops, sizeof loops - 1);
  if (!is_short(loop) || is_decided(loop->branch, kind) || has_short_loop(loop))
    return false;
  LLVMMetadataRef self = LLVMTemporaryMDNode(l->context, NULL, 0);
  LLVMMetadataRef text = LLVMMDStringInContext2(l->context, word, sizeof word - 1);
  LLVMMetadataRef facts[] = {self, LLVMMDNodeInContext2(l->context, &text, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(l->context, facts, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  LLVMSetMetadata(loop->branch, kind, LLVMMetadataAsValue(l->context, node));
  return true;
}

int loops_unroll(struct lowering *l) {
  /* The inner loops of a nest go first. What is left of them decides about the next one. */
  for (int depth = 0; depth < NEST_DEPTH; depth++) {
    unsigned asked = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(l->kernel); b; b = LLVMGetNextBasicBlock(b)) {
      struct counted_loop loop;
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      asked += end && read_loop(end, &loop) && ask_to_unroll(l, &loop);
    }
    if (asked == 0)
      return 0;
    if (optimise(l))
      return -1;
  }
  return 0;
}
