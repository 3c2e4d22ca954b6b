/* Kernels whose work-items run in rows: SIMD_LANES neighbours along x at once, as the lanes of vectors. Private to
 * tracegen; shows LLVM.
 *
 *   simd_values.c  which values a row shares
 *   simd_eligible.c    whether a kernel can run in rows at all
 *   simd_source.c  keeps the optimised kernel until a launch is found worth the compilation
 *   simd_code.c    writes the function that runs a row
 *   simd_widen.c   one instruction for all lanes
 *   run_simd.c    runs them
 *
 * A row runs where all its work-items take the same way: a branch depends on values that they share, or it stands where
 * nothing is stored yet, so that a row whose work-items part there can be run again, one by one. Then a block
 * is recorded once for the row, and an access once, as the first lane's address, because those of the others are a step
 * away that is known when the kernel is built. What a work-item computes is the same, to the bit. */
#ifndef TRACEGEN_SIMD_H
#define TRACEGEN_SIMD_H

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/lower/instrument/instrumenter.h"

enum simd_kind {
  SIMD_UNKNOWN, /* nothing known yet */
  SIMD_AFFINE,  /* first lane's + lane * step, modulo the width of its type */
  SIMD_VARYING
};

struct simd_value {
  uint8_t kind;
  bool assumed; /* it steps as long as no index that is extended wraps around within the row: addresses only */
  int64_t step; /* 0: the row shares it */
};

/* What is known of each instruction of l->kernel. */
struct simd_values {
  struct lowering *l;
  struct value_map numbers;
  struct simd_value *list;
  uint32_t count;
};

/* -1: out of memory. */
int simd_values_find(struct lowering *l, struct simd_values *values);
void simd_values_clear(struct simd_values *values);
/* Constants, arguments and the like are shared. */
struct simd_value simd_value_of(const struct simd_values *values, LLVMValueRef value);

/* A constant of at most 64 bits. */
bool simd_is_number(LLVMValueRef value);
/* simd_eligible.c: whether the kernel can run in rows. */
int simd_is_eligible(const struct simd_values *values, bool *fits);
/* What is no operation: debug information, assumptions. */
bool simd_ignores(LLVMValueRef instruction);

/* A row's function while it is written. */
struct simd_code {
  struct instrumenter n;
  const struct simd_values *values;
  LLVMValueRef *first; /* by number in `values`: the first lane's value; NULL: it varies, or is not there yet */
  LLVMValueRef *assumption_holds; /* i1, of assumed values: no index has wrapped around */
  struct value_map vectors;       /* value -> index in `list`: all lanes', made when somebody needs them */
  LLVMValueRef *list;
  uint32_t list_count;
};

/* simd_widen.c. At the end of the builder's block, and vectors of what is there already behind its definition. */
LLVMValueRef simd_first(const struct simd_code *c, LLVMValueRef value);
LLVMValueRef simd_vector(struct simd_code *c, LLVMValueRef value);
void simd_set_vector(struct simd_code *c, LLVMValueRef value, LLVMValueRef vector);
/* Of lane number `lane` (64 bits): exact, also of assumed values; the first lane's value and some steps. */
LLVMValueRef simd_lane(struct simd_code *c, LLVMValueRef value, LLVMValueRef lane);
LLVMValueRef simd_step(struct simd_code *c, LLVMValueRef first, int64_t step, LLVMValueRef lane);
LLVMValueRef simd_lane_number(const struct simd_code *c, unsigned lane);
LLVMTypeRef simd_type(LLVMTypeRef type);
LLVMValueRef simd_widen(struct simd_code *c, LLVMValueRef instruction);
LLVMValueRef simd_all_or_none(struct simd_code *c, LLVMValueRef condition,
                              LLVMValueRef *all);                      /* and whether it is all */
LLVMValueRef simd_copy(struct simd_code *c, LLVMValueRef instruction); /* for the first lane */

/* Replaces l->kernel by the function `name`. steps[operation]: of its addresses. */
int simd_code_write(struct lowering *l, const struct simd_values *values, const char *name, int32_t *steps);

#endif
