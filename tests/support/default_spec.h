/* Returns a GPU with every parameter at its default, of which a test changes some. */
#ifndef SUPPORT_DEFAULT_SPEC_H
#define SUPPORT_DEFAULT_SPEC_H

#include "model/params/gpu.h"

static inline struct gpu_spec default_spec(void) {
  struct gpu_spec spec;
  params_defaults(&gpu_params, &spec, NULL);
  return spec;
}

/* Returns one core with one engine and one cycle a slot; a load that misses every cache takes 5 + 20 + 100 cycles. */
static inline struct gpu_spec one_engine_spec(void) {
  struct gpu_spec spec = default_spec();
  spec.cores = spec.execution_engines = 1;
  spec.l1_hit_cycles = 5;
  spec.l1_miss_cycles = 20;
  spec.l2_miss_cycles = 100;
  return spec;
}

#endif
