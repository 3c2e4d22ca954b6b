/* A kernel compiled for emulation, and what its code and the emulator share while it runs. Private to tracegen.
 *
 * Ownership: kernel_program_create allocates, kernel_program_destroy frees (code memory included).
 * Threads: the code may run on several threads, each with item contexts, private and local memory of its own. */
#ifndef TRACEGEN_KERNEL_ABI_H
#define TRACEGEN_KERNEL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/code.h"
#include "trace/write/items.h"
#include "tracegen/abi/arena.h"
#include "workload/image_format.h"
#include "tracegen/abi/print_format.h"

/* Work-item queries: rows of item_context.query, X(row, "OpenCL's name"). Column d answers for dimension d, column 3
 * for any larger one. */
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
  X(QUERY_LOCAL_LINEAR_ID, "get_local_linear_id")

enum work_item_query {
#define X(id, name) id,
  WORK_ITEM_QUERIES(X)
#undef X
      QUERY_COUNT
};

/* One work-item; generated code addresses the first members by their offsets. */
struct item_context {
  uint16_t *blocks;    /* where the next block id goes */
  uint32_t *addresses; /* where the next address goes */
  char *private_memory;
  char *local_memory; /* of the work-group */
  uint64_t query[QUERY_COUNT][4];
  struct group_run *run;                /* who runs this item (run_groups.c) */
  const struct kernel_program *program; /* for an entry that interprets it (front_end.h) */
  uint32_t local_id; /* flattened; of a row of work-items (kernel_simd.h): the first one's, as all ids here */
  uint32_t slot;     /* its number among those that are alive */
  uint32_t diverged; /* of a row: its work-items part here, and each has to run alone, from its start */
  uint64_t bounds;   /* all ones; 0: no access to local and private memory is in bounds (shadow.h) */
  /* Of items that run one behind the other (item_loop.h): where their ends go, how many there are; and the places of
   * the cursors at which no further one starts. */
  struct trace_item_end *ends;
  uint32_t items_left;
  uint16_t *most_blocks;
  uint32_t *most_addresses;
};

#define KERNEL_VALUE_BYTES 1024 /* of an argument: all parameters together, as OpenCL 1.2 asks of a device */

/* One argument; generated code reads the value (for a pointer: the address) and, for pointers, size. */
struct kernel_argument {
  _Alignas(128) unsigned char value[KERNEL_VALUE_BYTES];
  uint64_t bytes; /* of the buffer behind a pointer */
};

typedef void kernel_entry(struct item_context *context, const struct kernel_argument *arguments);

/* Where a pointer comes from: what an access is checked against. */
enum root_kind { ROOT_UNKNOWN, ROOT_ARGUMENT, ROOT_LOCAL, ROOT_CONSTANT, ROOT_PRIVATE };

struct pointer_root {
  uint8_t kind;   /* enum root_kind */
  uint8_t space;  /* enum trace_space */
  uint32_t index; /* argument or variable */
};

/* What a load does with the value (load_uses.c). */
enum kernel_read {
  READ_IGNORED,
  READ_COPY,         /* it goes to other memory with a shadow */
  READ_VISIBLE_COPY, /* it goes to global memory */
  READ_ELEMENTS      /* something is computed with `elements` */
};

/* A memory operation of the code table. */
struct kernel_access {
  uint32_t op;
  uint32_t bytes;
  struct pointer_root root;
  uint8_t alignment;     /* what the address must be a multiple of; 1: nothing to check (alignment.c) */
  bool shadowed;         /* it concerns memory that may be undefined (shadow.h) */
  uint8_t read;          /* enum kernel_read */
  uint8_t element_bytes; /* loads and atomic operations */
  uint16_t elements;     /* READ_ELEMENTS: one bit each */
  uint32_t copy_of;      /* stores: 1 + the access that loaded the value; 0: none */
};

/* A variable that the emulator places: static local arrays, program-scope constants, private arrays. */
struct kernel_variable {
  char *name;
  uint64_t bytes;
  uint32_t alignment;
  uint32_t line;   /* of the first access to a private one; 0: unknown */
  uint32_t offset; /* in local memory, the arena or private memory */
  bool is_stored;  /* in `elided_accesses` */
  bool is_certain; /* in `undefined`: there is a trap in the version that is traced, too */
};

struct kernel_variables {
  struct kernel_variable *list;
  uint32_t count, capacity;
};

/* An image or sampler among the arguments: what a kernel has to know of it when it is built, because it decides how
 * many texels a read touches, and of what size. */
struct kernel_opaque {
  bool is_image, is_sampler;
  struct image_format format; /* of an image */
  uint32_t sampler;           /* its bits */
};

/* What calls of one image function with one image and one sampler have in common. */
#define KERNEL_NO_PARAMETER UINT32_MAX
struct kernel_image_call {
  char name[16];   /* "read_imagef" */
  uint8_t numbers; /* enum image_numbers: by the name's last letters */
  bool writes, by_point /* floating-point coordinates */, has_sampler;
  uint32_t image;             /* parameter */
  uint32_t sampler_parameter; /* or KERNEL_NO_PARAMETER: `sampler` */
  uint32_t sampler;
};

#define KERNEL_MAX_PARAMETERS 1024

struct kernel_parameter {
  char *name;      /* as clang knows it, "" otherwise */
  char *type_name; /* "float*", "int4" */
  bool is_pointer, is_structure, is_image, is_sampler;
  uint8_t space;        /* enum trace_space, pointers only */
  uint8_t type;         /* enum trace_type of one element, values only */
  uint32_t elements;    /* values only */
  uint32_t value_bytes; /* values and structures: room taken in kernel_argument.value */
};

/* As clang calls the variable that holds what a function returns. */
#define KERNEL_RESULT "retval"

/* A call of printf: its format, and where its values lie in the memory that emulation_print gets. */
struct kernel_print {
  struct print_format format;
  struct print_value *values; /* format.count */
  uint32_t bytes, line;
};

#define ITEM_STACK_BYTES  ((size_t)128 << 10) /* of each work-item of a kernel with barriers */
#define PRIVATE_ALIGNMENT 128                 /* of a work-item's private memory: the largest vector */

struct kernel_program {
  char *name, *source;
  uint32_t line; /* of the kernel; 0: unknown */
  struct trace_code code;
  char **ir;                      /* the text of each operation's instruction; NULL: not known */
  struct kernel_access *accesses; /* code.mem_count, in the order of code.mem_ops */
  struct kernel_parameter *parameters;
  uint32_t parameter_count;
  struct kernel_opaque *opaques; /* by parameter: what the program was built for */
  struct kernel_image_call *image_calls;
  uint32_t image_call_count;
  struct kernel_print *prints;
  uint32_t print_count;
  struct kernel_variables locals, constants, privates;
  struct kernel_variables undefined; /* parts (bytes, offset) of private variables, or such as a whole (no bytes) */
  struct kernel_variables
      elided_accesses;        /* by trap of elided_accesses.h: the variable, and in `alignment` what is accessed */
  uint32_t local_bytes;       /* static part */
  uint32_t private_bytes;     /* per work-item */
  uint32_t registers;         /* 32-bit, per work-item: registers.c's estimate */
  uint32_t required_local[3]; /* reqd_work_group_size; 0: none */
  uint32_t *counted_ops;      /* per block: operations but OP_MOVE */
  bool has_barrier;
  bool checks_reads, tracks_buffers; /* undefined reads: are there any to look for; in buffers too */
  bool needs_checking;               /* some part of a private variable may be read before it is written */
  bool is_dry_run;                   /* their undefined values (shadow_propagation.c) */
  unsigned *elided_division_lines;   /* lines of the source whose divisions the optimiser removed */
  uint32_t elided_division_count;
  bool dry_runs_all_groups; /* what it looks for may be in any work-group */
  bool records;             /* block ids and addresses; else each block id goes to the same place */
  kernel_entry *entry;
  struct kernel_simd *simd; /* NULL: the kernel cannot run in rows */
  void *jit;                /* jit.c's */
};

/* What the code does beside computing and checking its accesses. */
struct kernel_purpose {
  bool records;        /* block ids and addresses */
  bool tracks_buffers; /* reads of undefined bytes of buffers are looked for, too */
  uint64_t items; /* that will run it, in all launches; 0: not known, or code may take its time for other reasons */
  bool fills_simd_groups; /* their work-groups are whole rows (kernel_simd.h) */
  /* Not NULL: undefined values of private variables, in a second version of this program (dry_run.h), whose constants
   * it shares. */
  const struct kernel_program *original;
};

/* What needs no kernel of what kernel_program_create does first, once a process; for idle moments. */
void kernel_prepare(void);
/* The same, and compiles a kernel of our own, whereupon others take 3 ms less in this process (warm_up.c), not in those
 * that it forks. Takes 8 ms. An error is one of this program or of LLVM, and can wait for a kernel that matters. */
int kernel_warm_up(struct error *error);
/* Compiles kernel `name` of `bitcode` (from front_end_compile) for arguments such as `opaques` (as many as the launch
 * has arguments; NULL: nothing is known of them, images count as RGBA of unorm_int8 and samplers as nearest).
 * Program-scope constants take room in `arena`. */
int kernel_program_create(const char *bitcode, size_t length, const char *source, const char *name,
                          const struct kernel_opaque *opaques, size_t opaque_count, struct arena *arena,
                          struct kernel_purpose purpose, struct kernel_program **out, struct error *error);
void kernel_program_destroy(struct kernel_program *program);
/* The names of a program's kernels, in the order of the source (kernel_names.c); the caller frees each and *names. */
int kernel_names(const char *bitcode, size_t length, char ***names, size_t *count, struct error *error);
/* Whether it was built for images and samplers like these. */
bool kernel_program_fits(const struct kernel_program *program, const struct kernel_opaque *opaques, size_t count);

/* What generated code calls. emulation_bad_access and emulation_unreachable never return; they are not declared so,
 * because a sanitizer would then look at the stack of a work-item. */
void emulation_bad_access(struct item_context *context, uint64_t access, uint64_t address);
void emulation_checked_access(struct item_context *context, uint64_t access, uint64_t address);
void emulation_undefined_read(struct item_context *context, uint64_t access, uint64_t address, unsigned char shadow);
void emulation_elided_access(struct item_context *context, uint64_t trap_and_line, uint64_t offset);
void emulation_undefined_store(struct item_context *context, uint64_t bytes_and_origin, uint64_t address);
void emulation_undefined_variable(struct item_context *context, uint64_t line, uint64_t variable);
void emulation_check_access(struct item_context *context, uint64_t access, uint64_t address);
void emulation_barrier(struct item_context *context, uint64_t block);
void emulation_group_call(struct item_context *context, uint64_t kind_and_line, uint64_t arguments);
void emulation_unreachable(struct item_context *context, uint64_t line);
void emulation_divided_by_zero(struct item_context *context, uint64_t line);
void emulation_image(struct item_context *context, uint64_t call_and_line, uint64_t operands);
void emulation_print(struct item_context *context, uint64_t print, uint64_t values);

#endif
