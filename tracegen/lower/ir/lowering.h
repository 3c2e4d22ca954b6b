/* The state of one kernel on its way from bitcode to native code, which all passes share. Private to tracegen/lower
 * and tracegen/sanitize.
 *
 * Ownership: lower.c creates the state, runs the passes (passes.c) on it and releases it.
 * Errors: a pass returns 0, or -1 with l->error set. Threads: one state is used by one thread. */
#ifndef TRACEGEN_LOWERING_H
#define TRACEGEN_LOWERING_H

#include <llvm-c/Core.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "trace/format/bytes.h"
#include "tracegen/abi/kernel_abi.h"
#include "tracegen/lower/ir/value_map.h"

/* With the baseline tier, code is generated in two thirds of the time and runs up to 14 % slower; with the plain tier
 * in a sixth, and runs several times as long (codegen_tier.c). */
enum codegen_tier { CODEGEN_OPTIMISING, CODEGEN_BASELINE, CODEGEN_PLAIN };

struct lowering {
  LLVMOrcThreadSafeContextRef thread_safe_context;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  LLVMValueRef kernel;
  LLVMMetadataRef source_file; /* the file that defines the kernel; NULL: unknown */
  struct kernel_program *program;
  struct arena *arena;
  struct kernel_purpose purpose;
  enum codegen_tier tier;
  struct value_map variables;        /* an alloca or global of LLVM -> its root, packed (variables.h) */
  LLVMBasicBlockRef *blocks;         /* by block id: code_table.c fills the list, instrument.c uses it */
  LLVMValueRef *access_instructions; /* by memory operation; NULL: emulation_image checks and records the access */
  struct value_map collectives;      /* a call of a collective function -> its operation */
  struct value_map image_accesses;   /* a call of an image function -> its first memory operation */
  struct bytes *object;              /* NULL; else it gets a copy of the native code, as an object file */
  uint64_t frame_bytes;              /* stack frame of the native code where it exceeds the limit (jit.c); else 0 */

  /* State of tracegen/sanitize, from before optimisation to after it. */
  bool may_read_uninitialised; /* some private variable may be read before all of it is written */
  unsigned *division_lines;    /* source lines that divide by a value that may be zero (elided_divisions.c) */
  uint32_t division_count;
  struct source_load *loads; /* source lines that load from memory (elided_loads.c) */
  uint32_t load_count;
  uint32_t large_variables;    /* number of variables that large_variable_mark marked */
  uint32_t numbered_variables; /* number of private variables with parts (elided_accesses.h) */
  bool has_elidable_accesses;  /* the kernel selects vector elements or uses null pointers (elided_accesses.h) */
  bool *suspects;              /* by variable number; [0] is for accesses without a variable */
  struct error *error;
};

/* Sets an error at the source line of `instruction` (NULL: at the kernel's line). Returns -1. */
int lower_error(struct lowering *l, LLVMValueRef instruction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the error "out of memory". Returns -1. */
int lower_no_memory(struct lowering *l);

/* Names in the instrumented module, by which the JIT finds what it needs. */
#define INSTRUMENTED_NAME "reassemble.run"         /* the function that runs work-items */
#define CONSTANT_NAME     "reassemble.constant.%u" /* program-scope constant %u */

#define LOWER_UNKNOWN_FUNCTION "%s is neither defined nor an OpenCL built-in that the emulator knows"

/* Sets an error that names `what` LLVM could not do, and frees `failure`. Returns -1. */
int lower_llvm_error(struct lowering *l, LLVMErrorRef failure, const char *what);

/* Runs a pipeline of LLVM's passes, in the syntax of `opt -passes`, on l->module. `options` may be NULL. An error names
 * `what` failed. */
int lower_run_passes(struct lowering *l, const char *passes, LLVMPassBuilderOptionsRef options, const char *what);

/* Prints `what` to standard error if REASSEMBLE_DUMP_IR names `stage`. */
void lower_dump(LLVMValueRef what, const char *stage);

#endif
