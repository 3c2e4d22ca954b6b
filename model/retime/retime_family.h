/* Families of GPUs: those on which one recorded replay (retime_record.h) can be timed, because they differ in what
 * events cost and in caches only. Every parameter that is not known to be so belongs to the family.
 *
 * Cost: O(parameters). Threads: any. */
#ifndef MODEL_RETIME_FAMILY_H
#define MODEL_RETIME_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"

enum { MOST_GPU_PARAMETERS = 256 };

/* The parameters that have to be the same in a whole family: for asking again and again. */
struct retime_fixed_rows {
  uint32_t count;
  uint16_t rows[MOST_GPU_PARAMETERS]; /* of gpu_params */
};

void retime_fixed_rows_find(struct retime_fixed_rows *fixed);
/* Could a recording made on `recorded`, if it watched the caches of `spec`, be timed on `spec`? Both have been checked.
 */
bool retime_serves(const struct retime_fixed_rows *fixed, const struct gpu_spec *recorded, const struct gpu_spec *spec);
/* Equal within a family, a hash: GPUs of two families may share it. */
uint64_t retime_family_of(const struct gpu_spec *spec);
/* How different two GPUs of a family are: the sum of the logarithms of their parameters' ratios. */
double retime_distance(const struct gpu_spec *a, const struct gpu_spec *b);

#endif
