/* The stages between bitcode and native code; each works on one module with one kernel. Private to tracegen; the only
 * header that shows LLVM.
 *
 *   lower.c          reads the bitcode, picks the kernel
 *   parameters.c     the kernel's parameters
 *   kernel_names.c   which kernels there are
 *   reserved_names.c refuses names that only an asm label can give
 *   recursion.c      refuses recursion
 *   undefined_variables.c  private variables that are read before they are written
 *   zero_divisors.c        divisions by a constant zero
 *   elided_divisions.c       divisions that optimisation will remove
 *   elided_accesses.c        accesses to private variables, likewise
 *   elided_loads.c           loads from buffers, likewise
 *   traps.c                what those put into the kernel
 *   undefined_values.c, undefined_starts.c, shadow_values.c  values of those that are so on some ways only, or in part
 *   undefined_stores.c, second_results.c  the same through private memory, and through results behind pointers
 *   group_copies.c   copies that a work-group makes together
 *   structures.c     structures as arguments
 *   image_calls.c    images and samplers
 *   builtin_shapes.c refuses other declarations of built-in functions than OpenCL's
 *   builtins.c       gives it OpenCL's built-in functions (PoCL's bitcode), inlines, optimises
 *   builtin_library.c, builtin_cache.c   take them out of the library, and keep them on disk
 *   aggregates.c     accesses to whole structures, member by member
 *   lower_memory.c   simplifies memory operations, splits blocks behind barriers, places variables
 *   block_order.c    lays out the blocks
 *   alignment.c      which accesses may be misaligned
 *   code_table.c     describes the optimised code (struct trace_code)
 *   listing.c        keeps its text
 *   registers.c      estimates the registers of a work-item
 *   undefined_loads.c  which loads must not read undefined memory
 *   instrument.c     adds recording and checks
 *   simd.h           the same for many work-items at once
 *   codegen_tier.c          whether native code has to be there soon, or to run fast
 *   jit.c            native code */
#ifndef TRACEGEN_LOWER_LOWER_H
#define TRACEGEN_LOWER_LOWER_H

#include <llvm-c/Core.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>

#include "tracegen/abi/kernel_abi.h"
#include "tracegen/lower/value_map.h"

struct lowering {
  LLVMOrcThreadSafeContextRef thread_safe_context;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  LLVMTargetDataRef layout;
  LLVMValueRef kernel;
  LLVMMetadataRef source_file; /* that the kernel is in; NULL: not known */
  const char *bitcode;
  size_t bitcode_length;
  struct kernel_program *program;
  struct arena *arena;
  const struct kernel_program *original; /* whose second version this is; NULL: it is the first */
  bool tracks_buffers;                   /* looks for reads of undefined bytes of buffers */
  struct kernel_purpose purpose;
  bool is_hasty;            /* codegen_tier.c's decision */
  bool may_be_undefined;    /* some private variable may be read before all of it is written */
  bool record;              /* block ids and addresses; without it only the checks */
  unsigned *division_lines; /* of the source's divisions by what may be zero (elided_divisions.c) */
  uint32_t division_count;
  struct lost_load *loads; /* lines that load (elided_loads.c) */
  uint32_t load_count;
  uint32_t large_variables;          /* that are marked (undefined_stores.h) */
  struct value_map variables;        /* LLVM's alloca or global -> struct pointer_root packed (pointer_root.c) */
  LLVMBasicBlockRef *blocks;         /* by block id; code_table.c fills, instrument.c uses */
  LLVMValueRef *access_instructions; /* by memory operation; NULL: emulation_image checks and records it */
  struct value_map image_accesses;   /* LLVM's call of an image function -> its first memory operation */
  uint64_t frame_bytes;              /* of the native code's stack, where it is too large (jit.c) */
  uint32_t numbered_variables;       /* private ones in parts (elided_accesses.h) */
  bool may_lose;                     /* something else that elided_accesses.h is about */
  bool *suspects;                    /* by number of a variable; [0]: something else */
  struct error *error;
};

/* Bitcode into l->context: l->module. */
int lower_read(struct lowering *l, const char *bitcode, size_t length);
bool lower_is_kernel(LLVMValueRef function);
bool lower_is_user(LLVMValueRef function); /* the source's, not the library's */
int lower_parse(struct lowering *l, const char *bitcode, size_t length, const char *kernel);
int parameters_read(struct lowering *l); /* and the work-group size that the kernel requires */
/* Traps in front of certain reads of private variables that nothing has written; before anything is inlined. */
int undefined_variables_find(struct lowering *l);
bool undefined_variable_is_trap(LLVMValueRef function);
/* Such a trap at the builder's place, for the variable of this number. */
void undefined_variable_trap(struct lowering *l, LLVMBuilderRef b, LLVMValueRef variable);
/* Before optimisation, with everything linked: follows undefined values of private variables, in a version of the
 * kernel for that; in the first one, whether any matters: l->program->needs_checking. */
int undefined_values_follow(struct lowering *l);
int undefined_values_look(struct lowering *l);
/* In a version that follows them: calls of built-in functions with two results become two calls without pointers. */
int second_results_split(struct lowering *l);
/* Before anything is linked: notes the divisions or, in a version that follows, puts traps in front of them; behind
 * optimisation: whether some are gone. */
int lost_divisions_prepare(struct lowering *l);
void lost_divisions_find(struct lowering *l);
bool lost_division_is_trap(LLVMValueRef function);
bool lost_division_is_division(LLVMValueRef instruction);
/* Such a trap, which ends the block, at the builder's place. */
void lost_division_trap(struct lowering *l, LLVMBuilderRef b);
void zero_divisors_trap(struct lowering *l); /* such traps in front of divisions by a constant zero; first of all */
/* Before anything is linked: lines that load from buffers; behind optimisation: whether some have lost their loads. In
 * a version that is rehearsed, with everything linked: all stay. */
int lost_loads_note(struct lowering *l);
void lost_loads_find(struct lowering *l);
void lost_loads_keep(struct lowering *l);
int recursion_refuse(struct lowering *l); /* before anything is inlined */
/* First of all: names that are reserved, assembly outside of functions, variables that no address reaches. */
int reserved_names_refuse(struct lowering *l);
int builtins_link(struct lowering *l);
/* Whether what is declared and called has the types of OpenCL's functions; before anything is linked. */
int builtin_shapes_check(struct lowering *l);
int builtin_shape_refuse(struct lowering *l, LLVMValueRef call, const char *name);
void builtin_keep_calls(struct lowering *l, LLVMValueRef function); /* optimisation leaves calls of it alone */
int builtin_library_link(struct lowering *l); /* defines what is declared and PoCL's library has */
/* Repairs a function of PoCL's library that loses its vectors of more than 16 bytes (wide_arguments.c). */
void builtins_pass_wide_vectors(struct lowering *l, LLVMValueRef wrapper);
int aggregates_split(struct lowering *l); /* before optimisation */
int lower_optimise(struct lowering *l);
int lower_memory(struct lowering *l);
/* What the address of an access of `type` has to be compared with while running; 1: it is good for certain. */
uint8_t alignment_to_check(struct lowering *l, LLVMValueRef access, LLVMValueRef pointer, LLVMTypeRef type);
int code_table_build(struct lowering *l);
/* listing.c: names the blocks after their ids; the text of each operation's instruction, in program->ir. */
void listing_name_blocks(struct lowering *l, uint32_t count);
int listing_make(struct lowering *l, LLVMValueRef const *instructions);
int registers_estimate(struct lowering *l); /* after the code table, before any recording is added */
/* Reads of undefined memory: before optimisation, and when the code table is there (undefined_loads.c). */
void undefined_reads_mark(struct lowering *l);
int undefined_reads_classify(struct lowering *l);
int instrument(struct lowering *l);
int row_source_keep(struct lowering *l); /* before instrument: l->program->simd, if the kernel can run in rows */
void haste_decide(struct lowering *l);   /* l->is_hasty; behind row_source_keep */
int jit_compile(struct lowering *l);
/* One more function of a program that has been compiled; the module, l's, becomes the JIT's in any case. *entry stays
 * NULL when it needs more stack than there is. */
int jit_add(struct lowering *l, LLVMOrcThreadSafeModuleRef module, const char *name, kernel_entry **entry);
void jit_destroy(void *jit);

/* Where the pointer comes from; fails on address spaces that cannot be known. */
int pointer_root_find(struct lowering *l, LLVMValueRef pointer, LLVMValueRef user, struct pointer_root *root);
/* An instruction's opcode, or a constant expression's; of anything else LLVMRet, which makes no pointer. */
LLVMOpcode pointer_made_by(LLVMValueRef pointer);
void pointer_root_remember(struct lowering *l, LLVMValueRef variable, enum root_kind kind, uint32_t index);

/* Splits the block behind `instruction`: what precedes it, and itself, stay together in a new block in front, which
 * takes over the predecessors and ends without a terminator. The old block keeps the rest. */
LLVMBasicBlockRef split_block_behind(struct lowering *l, LLVMValueRef instruction);

/* Puts the kernel's blocks in program order: loops in one piece, what follows a loop behind it. -1: out of memory. */
int block_order(struct lowering *l);

/* "exp" for "_Z3expDv4_f" and "_Z7_cl_expf"; the name itself when it is not mangled. `buffer` holds the result. */
const char *builtin_name(LLVMValueRef function, char *buffer, size_t size);
/* A call of shuffle or shuffle2: the last argument, known while the kernel runs, says which elements of the others. */
bool builtin_is_shuffle(LLVMValueRef value);
/* A call of a built-in that stays a call: its class. */
enum trace_op_class builtin_class(const char *name, LLVMTypeRef result);
/* True for sincos, fract, ...: opaque calls whose last argument points to a second result. */
bool builtin_stores_result(const char *name);
/* The type of that second result, where the first has type `result`. */
LLVMTypeRef builtin_second_result(struct lowering *l, const char *name, LLVMTypeRef result);
/* A function of ours that the library must not define: queries, barriers, printf, ... */
bool builtin_stays_declared(LLVMValueRef function);
/* Row of item_context.query, or -1. */
int builtin_query(LLVMValueRef function);
bool builtin_is_barrier(LLVMValueRef function);
/* Memory fences: one work-item runs at a time, so they only keep the optimiser from moving accesses. */
bool builtin_is_fence(LLVMValueRef function);

/* Structures by value (structures.c): the parameter becomes a private variable; its parts come from calls of functions
 * that structure_reads_argument knows, with parameter and byte offset. */
bool structure_is_parameter(struct lowering *l, uint32_t parameter);
int structure_parameter(struct lowering *l, uint32_t parameter, struct kernel_parameter *p);
bool structure_reads_argument(LLVMValueRef function);
/* Such a call at the builder's place; NULL: out of memory. */
LLVMValueRef structure_argument_part(struct lowering *l, LLVMBuilderRef b, uint32_t parameter, LLVMTypeRef type,
                                     uint64_t offset);

/* A function without a body that computes its result from its operands alone; found again by its name. */
LLVMValueRef lower_declare_pure(struct lowering *l, const char *name, LLVMTypeRef type);

/* A function that ends the run (traps.c), and a branch to a call of it in front of `instruction` when `bad`, made at
 * the builder's place before; the builder is then in the trap's own block, which the caller fills. */
LLVMValueRef lower_declare_trap(struct lowering *l, const char *name, LLVMTypeRef type);
void lower_trap_when(struct lowering *l, LLVMBuilderRef b, LLVMValueRef bad, LLVMValueRef instruction);

/* Prints the kernel, or something of it, to standard error if REASSEMBLE_DUMP_IR names this stage. */
void lower_dump(LLVMValueRef what, const char *stage);

#define LOWER_UNKNOWN_FUNCTION "%s is neither defined nor an OpenCL built-in that the emulator knows"

/* Error at the source line of an instruction. */
int lower_error(struct lowering *l, LLVMValueRef instruction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
LLVMTypeRef lower_element(LLVMTypeRef type, uint32_t *elements);
int lower_type(LLVMTypeRef type, uint8_t *out, uint32_t *elements); /* -1: none of enum trace_type */
int kernel_variable_add(struct kernel_variables *v, const char *name, uint64_t bytes, uint32_t alignment);

#endif
