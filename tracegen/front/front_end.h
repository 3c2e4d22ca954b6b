/* A front end turns the source of a kernel into a program that the emulator can run. This is its contract; the list of
 * all front ends is in front_ends.c, and docs/recipes/add-a-front-end.md says how to add one.
 *
 * Flow: begin and finish make a module of a source file. kernel_names lists the module's kernels, and build makes a
 * struct kernel_program (tracegen/abi/kernel_abi.h) of one of them. A program is a table of operations, basic blocks
 * and memory operations, and a function `entry` that runs a work-item. There are two ways to make one:
 *  - The front end gives LLVM bitcode to kernel_program_create, which fills the tables and makes native code that
 *    records and checks (tracegen/lower). clang does this.
 *  - The front end fills the tables itself, and `entry` is a function of its own, such as an interpreter of machine
 *    code, which finds the tables through item_context.program. It runs one work-item: from item_context.blocks on it
 *    writes the id of each block that it enters, and from item_context.addresses on the low half of the address of each
 *    memory operation; at the end it stores where both end in *item_context.ends++. Before a memory operation it calls
 *    emulation_checked_access (or emulation_check_access, where the buffer is only known while it runs), and at a
 *    barrier emulation_barrier. tests/unit/test_a_front_end_may_run_kernels_itself.c has the smallest one.
 * Either way the rest (work-groups, stacks for barriers, threads, limits, the trace) is tracegen/run's.
 *
 * Ownership: the caller frees the bytes of a module, the names and their array. Programs live as long as the process.
 * Errors: a source or options that the front end refuses are ERROR_INPUT, with the place in the source where there is
 * one. Threads: all functions are called by one thread of a process that has no other. */
#ifndef TRACEGEN_FRONT_FRONT_END_H
#define TRACEGEN_FRONT_FRONT_END_H

#include <stddef.h>

#include "base/error.h"
#include "tracegen/abi/kernel_abi.h"

struct emulate_options;
struct emulate_result;
struct workload;

/* A translated source file. The meaning of the bytes is the front end's own: clang's are LLVM bitcode. */
struct front_module {
  const char *source; /* the file's path, borrowed */
  char *bytes;
  size_t length;
};

/* The kernel that is to be built, and what the launches have in common that it may be built for. */
struct front_request {
  const char *kernel;
  const struct kernel_opaque *opaques; /* images and samplers by argument; NULL: nothing is known of them */
  size_t opaque_count;
  struct arena *arena; /* program-scope constants take room in it */
  struct kernel_purpose purpose;
};

/* The work that a front end may do before its source is known. The process that emulates is forked; a translator that
 * was started by its parent may serve it. Wrong guesses may cost time and must not change a result. */
struct front_end_early {
  void (*expect)(void);                                         /* an emulation will follow */
  void (*before_fork)(const char *source, const char *options); /* it is about to be forked, to translate this */
  /* It has been forked. Another emulation, probably of such a source, will follow; NULL, NULL: it is not known that one
   * will. */
  void (*after_fork)(const char *next_source, const char *next_options);
  void (*child_ended)(void); /* it has ended */
  void (*in_child)(void);    /* in it, behind `begin`: the translator runs, and nothing else is to do */
};

struct front_end {
  /* The versions of everything that decides what a trace holds, for its header: "clang 15.0.6 + LLVM 15.0.6 + ...".
   * Static text. */
  const char *(*version)(void);
  /* Checks the options (as clBuildProgram takes them) and starts translating the source; the translation may go on
   * beside what follows, until `finish` waits for it. One source at a time. */
  int (*begin)(const char *source, const char *options, struct error *error);
  int (*finish)(const char *source, struct front_module *out, struct error *error);
  /* The names of the module's kernels, in the order of the source. */
  int (*kernel_names)(const struct front_module *module, char ***names, size_t *count, struct error *error);
  int (*build)(const struct front_module *module, const struct front_request *request, struct kernel_program **out,
               struct error *error);
  /* The files and folders that `build` reads, NULL-terminated: a process that runs a kernel can open no others. NULL:
   * it reads none. */
  const char *const *(*files)(void);
  /* Files and folders that `build` reads, too, where it has to load its compiler: a process that builds can open them
   * until it runs a kernel. NULL: none. */
  const char *const *(*compiler_files)(void);
  /* Loads the compiler, so that a process can build after it has run a kernel, and processes that are forked need not
   * load it. NULL: there is nothing to load. */
  void (*load_compiler)(void);
  const struct front_end_early *early; /* NULL: there is nothing to do early */
  /* Runs a whole workload by its own means, as emulate_workload (process/emulation.h) does; the functions above then
   * only serve to list kernels. NULL: the programs that `build` makes are run. */
  int (*emulate)(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                 struct emulate_result *out, struct error *error);
};

/* All front ends; the first is the default. Both lists end in NULL and have the same order. */
extern const struct front_end *const front_ends[];
extern const char *const front_end_names[];
/* Lists what each of them reads, for the help of --frontend. */
extern const char front_end_help[];

#endif
