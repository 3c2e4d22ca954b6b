/* Native code: which tier of code generation, and the JIT. Private to tracegen/lower. Functions that return int give
 * 0, or -1 with l->error set. */
#ifndef TRACEGEN_CODEGEN_H
#define TRACEGEN_CODEGEN_H

#include "tracegen/lower/ir/lowering.h"

/* Sets l->tier. Runs after simd_source_keep. */
int codegen_tier_choose(struct lowering *l);
/* Returns the largest number of work-items for which every kernel gets the tier that it gets for `items`: programs that
 * are kept differ by this number only. 0: unknown. */
uint64_t codegen_tier_items(uint64_t items);

/* Returns the bytes of stack that values may take that do not fit into registers. */
uint64_t jit_stack_limit(const struct kernel_program *program);
/* Optimises the instrumented module: cursors go to registers, and equal checks are merged. */
int jit_polish(struct lowering *l);
/* Generates code of the polished module and sets program->entry and program->jit, which takes over the module. */
int jit_compile(struct lowering *l);
int jit_compile_baseline(struct lowering *l);
int jit_compile_plain(struct lowering *l);
/* Takes code that was generated before, of a program that is otherwise whole: sets program->entry and program->jit. */
int jit_load(struct lowering *l, const void *object, size_t length);
/* Polishes `module`, which is l's, and adds it to the JIT of a compiled program, which takes it over in every case.
 * *entry stays NULL where function `name` needs more stack than there is. */
int jit_add(struct lowering *l, LLVMOrcThreadSafeModuleRef module, const char *name, kernel_entry **entry);
/* Frees the code of a program. */
void jit_destroy(void *jit);

#endif
