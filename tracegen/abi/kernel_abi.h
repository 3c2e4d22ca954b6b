/* A kernel compiled for emulation, and the memory that its code and the emulator share while it runs. Private to
 * tracegen.
 *
 * Ownership: kernel_program_create allocates, kernel_program_destroy frees, code memory included.
 * Errors: see each function.
 * Threads: the code may run on several threads, each with its own item contexts, private and local memory. */
#ifndef TRACEGEN_KERNEL_ABI_H
#define TRACEGEN_KERNEL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/code.h"
#include "trace/write/items.h"
#include "tracegen/abi/arena.h"
#include "tracegen/abi/launch_inputs.h"
#include "workload/image_format.h"
#include "workload/image_kind.h"
#include "tracegen/abi/print_format.h"

/* The work-item functions: rows of item_context.query, X(row, "OpenCL's name"). Column d holds the value for
 * dimension d, column 3 that for any larger one. */
#define WORK_ITEM_QUERIES(X)                                                                                           \
  X(QUERY_GLOBAL_ID, "get_global_id")                                                                                  \
  X(QUERY_LOCAL_ID, "get_local_id")                                                                                    \
  X(QUERY_GROUP_ID, "get_group_id")                                                                                    \
  X(QUERY_GLOBAL_SIZE, "get_global_size")                                                                              \
  X(QUERY_LOCAL_SIZE, "get_local_size")                                                                                \
  X(QUERY_ENQUEUED_LOCAL_SIZE, "get_enqueued_local_size")                                                              \
  X(QUERY_NUM_GROUPS, "get_num_groups")                                                                                \
  X(QUERY_GLOBAL_OFFSET, "get_global_offset")                                                                          \
  X(QUERY_WORK_DIM, "get_work_dim")                                                                                    \
  X(QUERY_GLOBAL_LINEAR_ID, "get_global_linear_id")                                                                    \
  X(QUERY_LOCAL_LINEAR_ID, "get_local_linear_id")                                                                      \
  X(QUERY_SUB_GROUP_SIZE, "get_sub_group_size")                                                                        \
  X(QUERY_MAX_SUB_GROUP_SIZE, "get_max_sub_group_size")                                                                \
  X(QUERY_NUM_SUB_GROUPS, "get_num_sub_groups")                                                                        \
  X(QUERY_ENQUEUED_NUM_SUB_GROUPS, "get_enqueued_num_sub_groups")                                                      \
  X(QUERY_SUB_GROUP_ID, "get_sub_group_id")                                                                            \
  X(QUERY_SUB_GROUP_LOCAL_ID, "get_sub_group_local_id")

enum work_item_query {
#define X(id, name) id,
  WORK_ITEM_QUERIES(X)
#undef X
      QUERY_COUNT,
  QUERIES_OF_SUB_GROUPS = QUERY_SUB_GROUP_SIZE /* these rows and all behind them */
};

/* The state of one work-item. Generated code addresses the members by their offsets. */
struct item_context {
  uint16_t *blocks;    /* the next block id goes here */
  uint32_t *addresses; /* the next address goes here */
  char *private_memory;
  char *local_memory; /* the work-group's */
  uint64_t query[QUERY_COUNT][4];
  struct group_run *run;                /* the run of the work-group (run_groups.c) */
  const struct kernel_program *program; /* for an entry that interprets it (front_end.h) */
  uint32_t local_id;                    /* flattened; of a SIMD group (kernel_simd.h): of its first lane, as all ids */
  uint32_t slot;                        /* number of the work-item among those that are alive */
  uint32_t diverged; /* of a SIMD group: its lanes diverge, and each has to run alone from its start */
  uint64_t bounds;   /* all ones; 0: every access to local and private memory fails its check (shadow.h) */
  /* For work-items that run in one call (item_loop.h): where the ends of their recordings go, how many are left, and
   * the places of the cursors from which on no further one starts. */
  struct trace_item_end *ends;
  uint32_t items_left;
  uint16_t *most_blocks;
  uint32_t *most_addresses;
};

#define KERNEL_VALUE_BYTES 1024 /* of one argument; OpenCL 1.2 asks for this size of all parameters together */

/* One argument. Generated code reads `value` (of a pointer: the address) and, of a pointer, `bytes`. */
struct kernel_argument {
  _Alignas(128) unsigned char value[KERNEL_VALUE_BYTES];
  uint64_t bytes; /* size of the buffer that a pointer points to */
};

typedef void kernel_entry(struct item_context *context, const struct kernel_argument *arguments);

/* The region that an access is checked against: the argument or variable that its pointer was made from. */
enum root_kind { ROOT_UNKNOWN, ROOT_ARGUMENT, ROOT_LOCAL, ROOT_CONSTANT, ROOT_PRIVATE };

struct pointer_root {
  uint8_t kind;   /* enum root_kind */
  uint8_t space;  /* enum trace_space */
  uint32_t index; /* of the argument or variable */
};

/* The use that a kernel makes of a loaded value (load_uses.c). */
enum kernel_read {
  READ_IGNORED,
  READ_COPY,         /* stores it to memory with a shadow */
  READ_VISIBLE_COPY, /* stores it to global memory */
  READ_ELEMENTS      /* computes with the `elements` */
};

/* A memory operation of the code table. */
struct kernel_access {
  uint32_t op;
  uint32_t bytes;
  struct pointer_root root;
  uint8_t alignment;     /* the address has to be a multiple of it; 1: certain (alignment.c) */
  bool shadowed;         /* the memory may be undefined (shadow.h) */
  uint8_t read;          /* enum kernel_read */
  uint8_t element_bytes; /* of loads and atomic operations */
  uint16_t elements;     /* of READ_ELEMENTS: one bit each */
  uint32_t copy_of;      /* of a store: 1 + the access that loaded the value; 0: none */
};

/* In place of the bytes of a variable: the access is by an index that no memory has. */
#define KERNEL_FAR_ACCESS UINT64_MAX

/* A variable that the emulator places: a static local array, a program-scope constant or a private array. */
struct kernel_variable {
  char *name;
  uint64_t bytes;
  uint32_t alignment;
  uint32_t line;   /* of the first access to a private variable; 0: unknown */
  uint32_t offset; /* in local memory, the arena or private memory */
  bool is_stored;  /* in `elided_accesses`: the access is a store; `bytes` may be KERNEL_FAR_ACCESS there */
  bool is_certain; /* in `undefined`: the traced version has a trap, too */
};

struct kernel_variables {
  struct kernel_variable *list;
  uint32_t count;
};

/* An image or sampler among the arguments. A kernel is built for its format, which decides how many texels of which
 * size a read touches. */
struct kernel_opaque {
  bool is_image, is_sampler;
  struct image_format format; /* of an image */
  uint32_t sampler;           /* SAMPLER_* bits */
};

/* The part that all calls of one image function with one image and one sampler have in common. */
#define KERNEL_NO_PARAMETER UINT32_MAX
struct kernel_image_call {
  char name[16];   /* "read_imagef" */
  uint8_t numbers; /* enum image_numbers, after the last letters of the name */
  bool writes, by_point /* floating-point coordinates */, has_sampler;
  uint32_t image;             /* number of the parameter */
  uint32_t sampler_parameter; /* number, or KERNEL_NO_PARAMETER: `sampler` holds it */
  uint32_t sampler;
};

#define KERNEL_MAX_PARAMETERS 1024

struct kernel_parameter {
  char *name;      /* "": unknown */
  char *type_name; /* "float*", "int4" */
  bool is_pointer, is_structure, is_image, is_sampler;
  uint8_t image_kind;   /* enum image_kind, of images */
  uint8_t space;        /* enum trace_space, of pointers */
  uint8_t type;         /* enum trace_type of one element, of values */
  uint32_t elements;    /* of values */
  uint32_t value_bytes; /* of values and structures: bytes used of kernel_argument.value */
};

/* Clang's name of the variable that holds a function's result. */
#define KERNEL_RESULT "retval"

/* A call of printf: its format, and the layout of its values in the memory that emulation_print receives. */
struct kernel_print {
  struct print_format format;
  struct print_value *values; /* [format.count] */
  uint32_t bytes, line;
};

#define ITEM_STACK_BYTES  ((size_t)128 << 10) /* of a work-item of a kernel with barriers */
#define PRIVATE_ALIGNMENT 128                 /* of private memory: that of the largest vector */

struct kernel_program {
  char *name, *source;
  uint32_t line; /* of the kernel's definition; 0: unknown */
  struct trace_code code;
  char **ir;                      /* text of each operation's instruction; NULL: unknown */
  struct kernel_access *accesses; /* [code.mem_count], in the order of code.mem_ops */
  struct kernel_parameter *parameters;
  uint32_t parameter_count;
  struct kernel_opaque *opaques; /* by parameter: images and samplers the program was built for */
  struct kernel_image_call *image_calls;
  uint32_t image_call_count;
  struct kernel_print *prints;
  uint32_t print_count;
  struct kernel_variables locals, constants, privates;
  struct kernel_variables undefined;       /* parts of private variables (bytes, offset), or whole ones (bytes 0) */
  struct kernel_variables elided_accesses; /* by trap: the variable; `alignment`: bytes accessed */
  uint32_t local_bytes;                    /* of static local arrays */
  uint32_t private_bytes;                  /* of each work-item */
  uint32_t registers;                      /* of 32 bits, of each work-item: an estimate (registers.c) */
  uint32_t early_load_registers;           /* the same where loads of local memory are not placed late */
  uint32_t required_local[3];              /* reqd_work_group_size; 0: none */
  uint32_t *counted_ops;                   /* by block: operations other than OP_MOVE */
  uint32_t required_sub_group;             /* intel_reqd_sub_group_size; 0: none */
  bool has_barrier;                        /* all work-items of a work-group exist at the same time */
  bool uses_collectives;                   /* some exchange values (abi/collective.h) */
  bool uses_sub_groups;                    /* it depends on which work-items form a sub-group */
  bool checks_reads, tracks_buffers;       /* some access is checked for undefined memory; buffers, too */
  struct launch_inputs inputs;             /* of a program that records: what its traces depend on */
  bool needs_checking;                     /* a dry run has to come first (docs/undefined-reads.md) */
  bool was_kept;                           /* it was read from disk, not compiled (lower/kept_program.h) */
  bool is_dry_run;                         /* the version for a dry run, with shadow values */
  unsigned *elided_division_lines;         /* source lines whose divisions the optimiser removed */
  uint32_t elided_division_count;
  bool dry_runs_all_groups; /* a dry run has to execute every work-group */
  bool reads_zero;          /* of the purpose */
  bool records;             /* block ids and addresses; false: each block id overwrites the last */
  kernel_entry *entry;
  struct kernel_simd *simd; /* NULL: the kernel cannot run in SIMD groups */
  void *jit;                /* owned by jit.c */
  void *image;              /* owned by native_image.c; NULL: jit has the code */
};

/* The purpose for which a program is built. */
struct kernel_purpose {
  bool records;           /* block ids and addresses are recorded */
  bool tracks_buffers;    /* reads of undefined bytes of buffers are checked, too */
  bool may_be_undefined;  /* reads of undefined values are not looked for */
  bool unoptimised;       /* the optimiser is left out */
  bool reads_zero;        /* loads from outside of buffers give zeros (out_of_bounds.h) */
  uint64_t items;         /* work-items of all launches; 0: unknown, or compilation may take its time */
  bool fills_simd_groups; /* the work-groups are whole SIMD groups (kernel_simd.h) */
  bool kept;              /* the program may come from the disk, and is kept there (tracegen/lower/kept_program.h) */
  bool keeps_simd;        /* if it is kept, so is the code for SIMD groups: no later launch needs LLVM for it */
  /* NULL: a first version; else the program is the version for a dry run (dry_run.h) of this one, whose constants it
   * shares */
  const struct kernel_program *original;
};

/* Loads LLVM, which a program that is kept does without, so that processes that are forked have it. Where that fails,
 * kernel_program_create says why. */
void kernel_load_compiler(void);
/* Initialises LLVM, once in a process. kernel_program_create calls it; an idle process may call it before. Nothing
 * happens where LLVM cannot be loaded. */
void kernel_prepare(void);
/* Returns the files and folders of the libraries that kernel_program_create loads where LLVM has not been loaded:
 * NULL-terminated, and there for good. */
const char *const *kernel_compiler_files(void);
/* Returns the files and folders that kernel_program_create reads: NULL-terminated, and there for good. */
const char *const *kernel_program_files(void);
/* Initialises LLVM and compiles a small kernel of our own, so that the next kernel of this process compiles 3 ms
 * sooner (warm_up.c); processes that it forks gain nothing. Cost: 8 ms. An error is one of this program or of LLVM
 * and may be ignored. */
int kernel_warm_up(struct error *error);
/* Compiles kernel `name` of `bitcode` (from front_end_compile). `opaques` describes the launch's `opaque_count`
 * arguments; NULL: images count as RGBA of unorm_int8, samplers as nearest. Program-scope constants are placed in
 * `arena`. Cost: 5 to 20 ms for a small kernel. */
int kernel_program_create(const char *bitcode, size_t length, const char *source, const char *name,
                          const struct kernel_opaque *opaques, size_t opaque_count, struct arena *arena,
                          struct kernel_purpose purpose, struct kernel_program **out, struct error *error);
void kernel_program_destroy(struct kernel_program *program);
/* The names of a program's kernels, in the order of the source. The caller frees each and *names. */
int kernel_names(const char *bitcode, size_t length, char ***names, size_t *count, struct error *error);
/* Returns whether the program was built for images and samplers like these. */
bool kernel_program_fits(const struct kernel_program *program, const struct kernel_opaque *opaques, size_t count);

/* The functions that generated code calls. emulation_bad_access and emulation_unreachable do not return. They are not
 * declared so: a sanitizer would then examine the stack of a work-item. */
void emulation_bad_access(struct item_context *context, uint64_t access, uint64_t address);
void emulation_checked_access(struct item_context *context, uint64_t access, uint64_t address);
void emulation_elided_access(struct item_context *context, uint64_t trap_and_line, uint64_t offset);
void emulation_undefined_store(struct item_context *context, uint64_t bytes_and_origin, uint64_t address);
void emulation_undefined_variable(struct item_context *context, uint64_t line, uint64_t variable);
void emulation_check_access(struct item_context *context, uint64_t access, uint64_t address);
/* Checks a load of a program that was built with reads_zero. Returns the address to load from. */
uint64_t emulation_readable(struct item_context *context, uint64_t access, uint64_t address);
void emulation_barrier(struct item_context *context, uint64_t block);
/* In front of emulation_barrier with the same state (abi/collective.h); the result is there behind it. */
void emulation_collective(struct item_context *context, uint64_t state, uint64_t operands);
void emulation_group_call(struct item_context *context, uint64_t kind_and_line, uint64_t arguments);
void emulation_unreachable(struct item_context *context, uint64_t line);
void emulation_divided_by_zero(struct item_context *context, uint64_t line);
void emulation_image(struct item_context *context, uint64_t call_and_line, uint64_t operands);
void emulation_print(struct item_context *context, uint64_t print, uint64_t values);

#endif
