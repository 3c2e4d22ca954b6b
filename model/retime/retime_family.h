/* Families of GPUs: those on which one recorded replay (retime_record.h) can be timed, because they differ only in the
 * costs of events and in caches. Every parameter without the flag PARAM_RETIMED must be equal within a family.
 *
 * Cost: O(parameters). Threads: any. */
#ifndef MODEL_RETIME_FAMILY_H
#define MODEL_RETIME_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

/* Returns whether a recording that was made on `recorded` and watched the caches of `spec` can be timed on `spec`. Both
 * have been checked. */
bool retime_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec);
/* Returns a hash that is equal within a family. GPUs of two families may also share it. */
uint64_t retime_family_of(const struct gpu_spec *spec);
/* Returns the distance of two GPUs of a family: the sum of the logarithms of their parameters' ratios. */
double retime_distance(const struct gpu_spec *a, const struct gpu_spec *b);

#endif
