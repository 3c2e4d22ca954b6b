/* Questions about LLVM's instructions and types that many passes ask, and changes that many passes make.
 *
 * Ownership: what is built belongs to the module. Cost: that of the calls of LLVM, unless said. */
#ifndef TRACEGEN_INSTRUCTIONS_H
#define TRACEGEN_INSTRUCTIONS_H

#include "tracegen/lower/ir/lowering.h"

/* LLVM's numbers of OpenCL's address spaces (llvm's target spir64). */
enum ir_space { IR_PRIVATE, IR_GLOBAL, IR_CONSTANT, IR_LOCAL, IR_GENERIC };

/* Instructions of a function, block by block: the first one, and the one after `instruction`; NULL at the end. */
LLVMValueRef ir_first(LLVMValueRef function);
LLVMValueRef ir_next(LLVMValueRef instruction);

/* The name of a value, which the value keeps; "" where it has none. */
const char *ir_name(LLVMValueRef value);
/* The function that `value` calls by its name; NULL where it is no such call. */
LLVMValueRef ir_callee(LLVMValueRef value);
/* Returns whether `value` calls a function whose name starts with `prefix`. */
bool ir_calls(LLVMValueRef value, const char *prefix);
/* The number of arguments of a call, of operands of another instruction. */
unsigned ir_operand_count(LLVMValueRef value);
/* The address space that a pointer points to. */
unsigned ir_space(LLVMValueRef pointer);
/* Returns whether the instruction is an integer division or remainder. */
bool ir_is_division(LLVMValueRef value);
/* Returns whether a function was defined in the kernel's source, not in the library of built-in functions. */
bool ir_is_from_source(LLVMValueRef function);
void ir_set_from_source(LLVMValueRef function);
/* Returns whether a function is a kernel with a body. */
bool ir_is_kernel(LLVMValueRef function);

/* The type of one element, and the number of elements; 1 where the type is no vector. */
LLVMTypeRef ir_element(LLVMTypeRef type, uint32_t *elements);
uint32_t ir_elements(LLVMValueRef value);
bool ir_is_vector(LLVMTypeRef type);
/* The type as the trace knows it (enum trace_type). -1: the trace has no such type. */
int ir_trace_type(LLVMTypeRef type, uint8_t *out, uint32_t *elements);

/* A place `offset` bytes after `pointer`, built at the builder's position. */
LLVMValueRef ir_offset(struct lowering *l, LLVMBuilderRef b, LLVMValueRef pointer, uint64_t offset);
/* Places the builder before `instruction`, whose source line new instructions get. */
void ir_build_before(LLVMBuilderRef b, LLVMValueRef instruction);
/* Places the builder behind `instruction`, whose source line new instructions get. */
void ir_build_behind(LLVMBuilderRef b, LLVMValueRef instruction);

/* Adds an attribute of LLVM's to a function; an attribute that this LLVM does not know is left out. */
void ir_add_attribute(struct lowering *l, LLVMValueRef function, const char *name, uint64_t value);
void ir_remove_attribute(LLVMValueRef function, const char *name);
/* An attribute of a parameter; NULL: the parameter has none of this name. */
LLVMAttributeRef ir_parameter_attribute(LLVMValueRef function, unsigned parameter, const char *name);
/* Makes the optimiser neither inline nor look into a function. */
void ir_make_opaque(struct lowering *l, LLVMValueRef function);

/* The function of this name; it is declared when the module has none. */
LLVMValueRef ir_declare(struct lowering *l, const char *name, LLVMTypeRef type);
/* Tells the optimiser that a function's result depends on its arguments alone, and that its calls may move anywhere. */
void ir_make_invariant(struct lowering *l, LLVMValueRef function);
/* Tells the optimiser that a function touches only memory that the kernel cannot reach: the code around its calls is
 * optimised as without them, and the calls are neither merged nor reordered. */
void ir_touch_hidden_memory(struct lowering *l, LLVMValueRef function);
/* Declares a function without a body whose result depends on its arguments alone. */
LLVMValueRef ir_declare_pure(struct lowering *l, const char *name, LLVMTypeRef type);
/* Declares a function that never returns. */
LLVMValueRef ir_declare_trap(struct lowering *l, const char *name, LLVMTypeRef type);

/* Splits a block behind `instruction`: it and what precedes it move to a new block in front, which takes over the
 * predecessors and has no terminator yet. Returns the new block; the old one keeps the rest. */
LLVMBasicBlockRef ir_split_behind(struct lowering *l, LLVMValueRef instruction);
/* Builds a branch in front of `instruction` to a new block that runs when `condition` holds. The condition was built
 * just before. The builder is left in the new block, which the caller has to fill. */
void ir_branch_when(struct lowering *l, LLVMBuilderRef b, LLVMValueRef condition, LLVMValueRef instruction);
/* One bit: some element of `condition` is true. */
LLVMValueRef ir_any(struct lowering *l, LLVMBuilderRef b, LLVMValueRef condition);

/* The opcode of an instruction or of a constant expression; LLVMRet, which makes no pointer, for any other value. */
LLVMOpcode ir_opcode(LLVMValueRef value);

#endif
