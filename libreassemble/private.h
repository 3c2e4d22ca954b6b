/* What stands behind the opaque types of reassemble.h, and its errors. Private to the library. */
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

/* 0 when `reason` holds no error; else -1, and *error (may be NULL) says the same. */
int api_status(const struct error *reason, struct reassemble_error *error);

#endif
