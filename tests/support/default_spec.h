/* A GPU with every parameter at its default, to change what a test is about. */
#ifndef SUPPORT_DEFAULT_SPEC_H
#define SUPPORT_DEFAULT_SPEC_H

#include <stdlib.h>

#include "model/gpu.h"

static inline struct gpu_spec default_spec(void) {
  struct gpu_spec spec;
  struct param_origin *origins = calloc(gpu_params.count, sizeof *origins);
  params_defaults(&gpu_params, &spec, origins);
  params_origins_clear(&gpu_params, origins);
  free(origins);
  return spec;
}

#endif
