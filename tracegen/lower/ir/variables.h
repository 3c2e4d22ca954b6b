/* Variables of a kernel: the lists of struct kernel_program, and where LLVM's allocas and globals are in them.
 * Private to tracegen/lower and tracegen/sanitize.
 *
 * Ownership: kernel_program owns the lists, struct lowering the map. */
#ifndef TRACEGEN_VARIABLES_H
#define TRACEGEN_VARIABLES_H

#include "tracegen/lower/ir/lowering.h"

/* Adds a variable to the end of a list; the name is copied. -1: out of memory. */
int kernel_variable_add(struct kernel_variables *v, const char *name, uint64_t bytes, uint32_t alignment);

/* An entry of l->variables: which list an alloca or a global is in, and at which index (below 2^24). */
struct placed_variable {
  enum root_kind kind;
  uint32_t index;
};

/* False: out of memory. */
bool variable_place(struct value_map *variables, LLVMValueRef value, struct placed_variable place);
/* False: the value is no variable of the kernel. */
bool variable_find(const struct value_map *variables, LLVMValueRef value, struct placed_variable *place);

/* Metadata of an alloca that keeps a number and the name in the source, which optimisation may remove. */
void variable_number(struct lowering *l, LLVMValueRef alloca, uint32_t number);
uint32_t variable_number_of(struct lowering *l, LLVMValueRef alloca);  /* 0: it has none */
const char *variable_name_of(struct lowering *l, LLVMValueRef alloca); /* "": unknown */

#endif
