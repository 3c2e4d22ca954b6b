/* The descriptors of a compute job, as they lie in GPU memory. Private to job/.
 * Source: Mesa 25.0, src/panfrost/lib/genxml/v6.xml and v7.xml, whose compute descriptors agree but for the number of
 * registers. Words have 32 bits, little endian; an address takes two. */
#ifndef TRACEGEN_BIFROST_JOB_DESCRIPTORS_H
#define TRACEGEN_BIFROST_JOB_DESCRIPTORS_H

#include "base/error.h"
#include "tracegen/bifrost/bifrost_dispatch.h"

enum job_kind {
  JOB_NULL = 1,
  JOB_WRITE_VALUE = 2,
  JOB_CACHE_FLUSH = 3,
  JOB_COMPUTE = 4,
};

/* Offsets in words from the start of a job. */
enum job_word {
  JOB_CONTROL = 4, /* bits 1 to 7: enum job_kind */
  JOB_NEXT = 6,    /* address; 0: the last */
  JOB_HEAD_WORDS = 8,
  JOB_PAYLOAD = 8,
  JOB_WRITE_WORDS = 14,
  JOB_DRAW = 16, /* of a compute job */
  JOB_COMPUTE_WORDS = 48,
};

/* Fills the dispatch of the compute job at `address`. */
int bifrost_compute_job_read(const struct bifrost_memory *memory, uint32_t product, uint64_t address,
                             struct bifrost_dispatch *out, struct error *error);

#endif
