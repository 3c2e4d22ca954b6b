/* Which kernels a source file has, what each needs, and which of them the emulator refuses, without running any.
 *
 * Ownership: survey_file allocates, survey_clear frees. Errors: a source that does not compile; a kernel that is
 * refused is no error, its row says why. Each kernel is built in a process of its own, so what LLVM makes of one cannot
 * stop the others. Cost: compiling, about 0.1 s a kernel. Threads: forks; call it from a process with one thread. */
#ifndef TRACEGEN_SURVEY_KERNELS_H
#define TRACEGEN_SURVEY_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/code.h"

#define SURVEY_ARGUMENTS_BYTES 4096

/* What the caller wants to see of a kernel that was built; `ir` is the text of each operation, or NULL. It runs in the
 * kernel's own process, and what it prints to standard output becomes the kernel's view. -1: an error. */
typedef int survey_look(void *user, const char *kernel, const struct trace_code *code, char **ir, struct error *error);

struct survey_kernel {
  char name[256];
  char arguments[SURVEY_ARGUMENTS_BYTES]; /* "global float* a, int n"; cut where it is longer */
  uint32_t blocks, operations;            /* of the code, moves left out */
  uint32_t registers;                     /* of 32 bits a work-item, estimated */
  uint32_t local_bytes, private_bytes;    /* a work-group, static; a work-item */
  uint32_t required_local[3];             /* reqd_work_group_size; 0: none */
  bool barrier;
  struct error refusal; /* ERROR_NONE: the kernel can be emulated */
  char *view;           /* what `look` printed; NULL: nothing was looked at */
};

struct survey {
  struct survey_kernel *kernels; /* in the order of the source */
  size_t count;
};

/* `options`: as for clBuildProgram. `timeout_s` is for each kernel. `look`: NULL where the rows are enough. */
int survey_file(const char *source, const char *options, double timeout_s, survey_look *look, void *user,
                struct survey *out, struct error *error);
void survey_clear(struct survey *survey);

#endif
