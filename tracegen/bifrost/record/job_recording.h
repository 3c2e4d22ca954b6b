/* Recorded jobs: what the open driver handed to the GPU in one submission, as a file (suffix .rbifrost).
 *
 * A recording holds the product id of the GPU, the address of the job chain, the GPU memory that the jobs may use, the
 * program's launches, and where they are known the driver's own disassembly of the shaders and the memory after the
 * jobs have run. docs/bifrost.md describes the file.
 *
 * Ownership: bifrost_recording_read allocates, bifrost_recording_destroy frees; bifrost_recording_write borrows.
 * Errors: a file that is not whole or not consistent is ERROR_INPUT; no file makes the reader access memory outside of
 * its own. Cost: linear in the memory; pages of zeros cost nothing. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_RECORD_JOB_RECORDING_H
#define TRACEGEN_BIFROST_RECORD_JOB_RECORDING_H

#include <stdint.h>

#include "base/error.h"
#include "tracegen/bifrost/bifrost_dispatch.h"

struct bifrost_recording {
  uint32_t product;
  uint64_t job_chain;           /* GPU address of the first job */
  struct bifrost_memory before; /* when the jobs start */
  struct bifrost_memory after;  /* of some of the regions, when they have run; no regions: not known */
  char *launches;               /* a line for each: "DIMENSIONS OFFSET_X OFFSET_Y OFFSET_Z KERNEL"; "": not known */
  char *disassembly;            /* of the shaders, as the driver prints it; "": not known */
};

int bifrost_recording_write(const char *path, const struct bifrost_recording *recording, struct error *error);
int bifrost_recording_read(const char *path, struct bifrost_recording **out, struct error *error);
/* The same from memory; `name` stands for the file in messages. */
int bifrost_recording_parse(const char *name, const void *bytes, size_t length, struct bifrost_recording **out,
                            struct error *error);
void bifrost_recording_destroy(struct bifrost_recording *recording);

#endif
