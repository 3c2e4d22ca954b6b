/* Functions without a body that passes declare, call in the kernel, and replace later: markers. Their names begin with
 * MARKER_PREFIX, which no OpenCL C program can give to a function of its own. This is the only list of them.
 *
 * A marker is put into the kernel by the pass named below and replaced by tracegen/lower/instrument (the calls that
 * remain), or by its own pass. The trace has no operation for a marker, unless said. */
#ifndef TRACEGEN_MARKERS_H
#define TRACEGEN_MARKERS_H

#include "tracegen/lower/ir/instructions.h"

#define MARKER_PREFIX "reassemble."

/* X(marker, "name behind the prefix"): arguments, meaning, the file that builds the calls.
 *   ARGUMENT_PART       (parameter, offset): part of an argument by value; structures.c. One operation, class move
 *   IMAGE               image and sampler are in its name; image_calls.c. A built-in function and its texels
 *   GROUP_CALL          (kind, arguments...): all work-items of a group make this call alike; group_copies.c
 *   UNINITIALISED_READ  (part): ends the run: a variable is read before a write; uninitialised_variables.c
 *   ZERO_DIVISOR        (): ends the run: a divisor is zero; elided_divisions.c, zero_divisors.c
 *   ELIDED_ACCESS       (trap, variable, offset): ends the run: an access is outside; elided_accesses.c
 *   SHADOW_SOURCE       (part): the undefined value that a variable's part starts with; shadow_sources.c
 *   SHADOW_STORE        (address, bytes, origin): undefined bytes go to private memory; shadow_stores.c
 *   KEPT_VARIABLE       (variable): keeps a large variable in memory; shadow_stores.c */
#define MARKERS(X)                                                                                                     \
  X(ARGUMENT_PART, "argument.")                                                                                        \
  X(IMAGE, "image.")                                                                                                   \
  X(GROUP_CALL, "group_call.")                                                                                         \
  X(UNINITIALISED_READ, "uninitialised_read")                                                                          \
  X(ZERO_DIVISOR, "zero_divisor")                                                                                      \
  X(ELIDED_ACCESS, "elided_access")                                                                                    \
  X(SHADOW_SOURCE, "shadow_source.")                                                                                   \
  X(SHADOW_STORE, "shadow_store")                                                                                      \
  X(KEPT_VARIABLE, "kept_variable")

enum marker {
#define X(id, name) MARKER_##id,
  MARKERS(X)
#undef X
      MARKER_NONE
};

/* The full name of a marker, or its beginning where the name ends in a dot. */
const char *marker_name(enum marker marker);
/* The marker that a function is; MARKER_NONE for any other function. */
enum marker marker_of(LLVMValueRef function);
/* The marker that an instruction calls; MARKER_NONE where it calls none. */
enum marker marker_called(LLVMValueRef instruction);
/* The function of a marker without a dot in the current module; NULL when nothing declares it. */
LLVMValueRef marker_function(struct lowering *l, enum marker marker);

/* Builds a call of ARGUMENT_PART for `type` at byte `offset` of an argument. NULL: out of memory. */
LLVMValueRef marker_argument_part(struct lowering *l, LLVMBuilderRef b, uint32_t parameter, LLVMTypeRef type,
                                  uint64_t offset);
/* Builds a call of a marker whose result has `type` and depends on `arguments`, numbers of 32 bits, alone. NULL: out of
 * memory. */
LLVMValueRef marker_value(struct lowering *l, LLVMBuilderRef b, enum marker marker, LLVMTypeRef type,
                          const uint64_t *arguments, unsigned count);
/* Builds a call of a marker that ends the run; what follows it in the block is not reached. */
void marker_trap(struct lowering *l, LLVMBuilderRef b, enum marker marker, LLVMValueRef *arguments, unsigned count);
/* Returns whether a call of SHADOW_STORE may tell of an undefined byte. */
bool marker_store_matters(LLVMValueRef call);

#endif
