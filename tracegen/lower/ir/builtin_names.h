/* Finds out which built-in function of OpenCL a function is, by its name. Private to tracegen/lower and
 * tracegen/sanitize.
 *
 * Cost: a few comparisons of strings. Source: OpenCL C 1.2, section 6.12. */
#ifndef TRACEGEN_BUILTIN_NAMES_H
#define TRACEGEN_BUILTIN_NAMES_H

#include "tracegen/abi/collective.h"
#include "tracegen/lower/ir/lowering.h"

#define SAMPLER_LITERAL "__translate_sampler_initializer" /* clang's function that makes a sampler of a literal */

/* "exp" for "_Z3expDv4_f" and for "_Z7_cl_expf"; the name itself when it is not mangled. Returns `buffer`. */
const char *builtin_name(LLVMValueRef function, char *buffer, size_t size);
/* Row of item_context.query that a work-item function reads; -1: the function is none. */
int builtin_query(LLVMValueRef function);
/* Functions at which all work-items of a group meet. wait_group_events is one: its copies are shared by all. */
bool builtin_is_barrier(LLVMValueRef function);
/* Memory fences. One work-item runs at a time, so a fence only keeps the optimiser from moving accesses. */
bool builtin_is_fence(LLVMValueRef function);
/* Functions by which the work-items of a sub-group or work-group exchange values. `out` may be NULL. */
bool builtin_is_collective(LLVMValueRef function, struct collective *out);
/* Collective functions of the whole work-group, at which all its work-items meet as at a barrier. */
bool builtin_is_group_collective(LLVMValueRef function);
bool builtin_is_printf(LLVMValueRef function);
/* read_image*, write_image*, get_image_* and SAMPLER_LITERAL. */
bool builtin_is_image_function(const char *name);
/* Returns whether `value` calls shuffle or shuffle2, whose last argument selects elements while the kernel runs. */
bool builtin_is_shuffle(LLVMValueRef value);
/* Returns whether a function stores a second result behind its last argument: sincos, fract, modf, frexp, remquo,
 * lgamma_r. */
bool builtin_stores_result(const char *name);
/* The type of that second result, where the first one has type `result`. */
LLVMTypeRef builtin_second_result(struct lowering *l, const char *name, LLVMTypeRef result);

#endif
