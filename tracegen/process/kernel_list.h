/* The kernels of a source file: what each needs, and which of them the emulator refuses. Nothing is run.
 *
 * Ownership: kernel_list_read allocates, kernel_list_clear frees. Errors: a source that does not compile. A kernel that
 * is refused is no error; its row says why. Each kernel is built in a process of its own, so that a crash of LLVM on
 * one kernel does not stop the others. Cost: compiling, about 0.1 s a kernel. Threads: forks, so call it from a
 * process that has one thread. */
#ifndef TRACEGEN_PROCESS_KERNEL_LIST_H
#define TRACEGEN_PROCESS_KERNEL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/code.h"
#include "tracegen/front/front_end.h"

#define KERNEL_ARGUMENTS_BYTES 4096

/* Prints what the caller wants to show of a kernel that was built. It runs in the kernel's own process, and what it
 * prints to standard output becomes the kernel's `view`. `ir`: the text of each operation, or NULL. */
typedef int kernel_viewer(void *user, const char *kernel, const struct trace_code *code, char **ir,
                          struct error *error);

struct kernel_summary {
  char name[256];
  char arguments[KERNEL_ARGUMENTS_BYTES]; /* "global float* a, int n"; cut where it is longer */
  uint32_t blocks, operations;            /* of the code; moves are not counted */
  uint32_t registers;                     /* of 32 bits per work-item, estimated */
  uint32_t local_bytes, private_bytes;    /* per work-group, arrays of the kernel alone; per work-item */
  uint32_t required_local[3];             /* reqd_work_group_size; 0: none */
  bool barrier;
  struct error refusal; /* ERROR_NONE: the kernel can be emulated */
  bool is_unknown;      /* whether memory ran out, the compiler crashed or it could not be confined */
  char *view;           /* NULL: no viewer was given */
};

/* Returns what to add to the message that a process, which may have used LLVM, was ended by this signal; or "". */
const char *kernel_list_hint(int signal);

struct kernel_list {
  struct kernel_summary *kernels; /* in the order of the source */
  size_t count;
};

/* `options` as for clBuildProgram; `timeout_s` per kernel; `viewer`: NULL where the summaries are enough. */
int kernel_list_read(const struct front_end *front_end, const char *source, const char *options, double timeout_s,
                     kernel_viewer *viewer, void *user, struct kernel_list *out, struct error *error);
void kernel_list_clear(struct kernel_list *list);

#endif
