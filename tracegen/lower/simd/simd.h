/* SIMD groups: SIMD_LANES work-items at once, neighbours along x, as the lanes of vectors. Private to
 * tracegen/lower/simd.
 *
 *   simd_values.c    which values are uniform, affine or varying over the lanes
 *   simd_eligible.c  whether a kernel can run in SIMD groups
 *   simd_source.c    keeps the optimised kernel until a launch is worth the compilation
 *   simd_code.c      writes the function that runs a SIMD group
 *   simd_widen.c     one instruction for all lanes
 * The runner is tracegen/run/run_simd.c.
 *
 * A SIMD group runs where all lanes take the same path: a branch depends on a uniform value, or it stands where
 * nothing is stored yet, so that a group whose lanes diverge there can run again, one by one. A block is recorded
 * once for the group, and an access once, as the address of the first lane: the stride to the others is known when
 * the kernel is built. What a work-item computes is the same, to the bit. */
#ifndef TRACEGEN_SIMD_H
#define TRACEGEN_SIMD_H

#include "tracegen/abi/kernel_simd.h"
#include "tracegen/lower/instrument/instrumenter.h"

enum simd_kind {
  SIMD_UNKNOWN, /* nothing is known yet */
  SIMD_AFFINE,  /* the first lane's + lane * stride, modulo the width of the type */
  SIMD_VARYING
};

struct simd_value {
  uint8_t kind;
  bool assumed;   /* affine if no extended index wraps around within the group: addresses only */
  int64_t stride; /* 0: uniform */
};

/* The properties of each instruction of l->kernel. */
struct simd_values {
  struct lowering *l;
  struct value_map numbers;
  struct simd_value *list;
  uint32_t count;
};

/* Examines the instructions; simd_values_clear frees. -1: out of memory. */
int simd_values_find(struct lowering *l, struct simd_values *values);
void simd_values_clear(struct simd_values *values);
/* Returns what is known of a value. Constants and arguments are uniform. */
struct simd_value simd_value_of(const struct simd_values *values, LLVMValueRef value);

/* Returns whether a value is a constant integer of at most 64 bits. */
bool simd_is_number(LLVMValueRef value);
/* Sets *fits to whether the kernel can run in SIMD groups (simd_eligible.c). -1: out of memory. */
int simd_is_eligible(const struct simd_values *values, bool *fits);
/* Returns whether an instruction is no operation: debug information, an assumption. */
bool simd_ignores(LLVMValueRef instruction);

/* The function of a SIMD group while it is written. */
struct simd_code {
  struct instrumenter n;
  const struct simd_values *values;
  LLVMValueRef *first;            /* by number in `values`: the first lane's value; NULL: varying, or not built yet */
  LLVMValueRef *assumption_holds; /* by number: one bit, whether no index has wrapped around; NULL: no assumption */
  struct value_map vectors;       /* value -> index in `list`: its vector, built when it is needed */
  LLVMValueRef *list;
  uint32_t list_count;
};

/* The first lane's value, and the vector of all lanes (simd_widen.c). They build at the end of the builder's block;
 * the vector of an existing value is built behind the value. */
LLVMValueRef simd_first(const struct simd_code *c, LLVMValueRef value);
LLVMValueRef simd_vector(struct simd_code *c, LLVMValueRef value);
void simd_set_vector(struct simd_code *c, LLVMValueRef value, LLVMValueRef vector);
/* The value of lane `lane` (64 bits), exact also where it is assumed to be affine; and `first` plus `lane` strides. */
LLVMValueRef simd_lane(struct simd_code *c, LLVMValueRef value, LLVMValueRef lane);
LLVMValueRef simd_stride(struct simd_code *c, LLVMValueRef first, int64_t stride, LLVMValueRef lane);
LLVMValueRef simd_lane_number(const struct simd_code *c, unsigned lane);
LLVMTypeRef simd_type(LLVMTypeRef type);
LLVMValueRef simd_widen(struct simd_code *c, LLVMValueRef instruction);
LLVMValueRef simd_all_or_none(struct simd_code *c, LLVMValueRef condition,
                              LLVMValueRef *all);                      /* *all: whether it is true in all lanes */
LLVMValueRef simd_copy(struct simd_code *c, LLVMValueRef instruction); /* for the first lane */

/* Replaces l->kernel by the function `name`. strides[operation] becomes the stride of its addresses. */
int simd_code_write(struct lowering *l, const struct simd_values *values, const char *name, int32_t *strides);

#endif
