/* The structures behind the opaque types of reassemble.h, and the translation of errors. Private to the library. */
#ifndef LIBREASSEMBLE_PRIVATE_H
#define LIBREASSEMBLE_PRIVATE_H

#include "base/error.h"
#include "libreassemble/reassemble.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "model/simulate.h"
#include "trace/trace.h"

struct reassemble_trace {
  struct trace *trace;
};

struct reassemble_gpu {
  struct gpu *gpu;
  struct isa_profile *isa;
};

struct reassemble_result {
  struct sim_result result;
};

/* Returns 0 if `reason` holds no error; otherwise copies it to *error, which may be NULL, and returns -1. */
int api_status(const struct error *reason, struct reassemble_error *error);

#endif
