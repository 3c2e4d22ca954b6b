/* Runs an OpenCL program on an emulated Bifrost GPU and traces each compute job that it submits.
 *
 * Ownership: all is borrowed for the call; the paths of `done` are valid during it. Errors: a program that cannot be
 * started or fails; a job that cannot be run. Threads: the caller's, which must have no child process. */
#ifndef TRACEGEN_BIFROST_FRONT_EMULATE_PROGRAM_H
#define TRACEGEN_BIFROST_FRONT_EMULATE_PROGRAM_H

#include <stdbool.h>

#include "tracegen/process/emulation.h"

struct bifrost_program_request {
  const char *const *words;  /* the program, built for 64-bit Arm, and its arguments; NULL-terminated */
  const char *gpu_id;        /* "g71"; NULL: that */
  const char *name;          /* of the traces: NAME.NUMBER.rtrace */
  const char *folder;        /* for traces, and recordings where `records` is set: NAME.NUMBER.rbifrost */
  double timeout_s;          /* of a job; 0: none */
  uint64_t max_instructions; /* of a job's work-items, for which it fails; 0: no limit */
  unsigned jobs;             /* threads; 0: one */
  bool records;              /* keep each submission, and what the driver prints of its shaders, as a recording */
  /* Called after each job. */
  int (*done)(void *context, const struct emulate_launch *launch, struct error *error);
  void *context;
};

int bifrost_emulate_program(const struct bifrost_program_request *request, struct error *error);

/* Finds the GPU of --gpu-id. */
struct bifrost_product;
int bifrost_find_gpu(const char *gpu_id, const struct bifrost_product **out, struct error *error);

#endif
