/* Proxies for area and energy, for comparing designs with each other: sums of costs of parts that the GPU file states.
 *
 * They are not a floor plan and not a power model: anything that has no part (interconnect, graphics logic, leakage,
 * clock tree) is not included.
 *
 * Units: area in those of the GPU file's area_* parameters, energy in pJ.
 * Cost: O(1). */
#ifndef DSE_AREA_H
#define DSE_AREA_H

#include "model/params/gpu.h"
#include "model/simulate.h"

double area_proxy(const struct gpu_spec *spec);

/* Returns the dynamic energy of one replay in pJ: operations, cache accesses and bytes from memory. */
double energy_proxy_pj(const struct gpu_spec *spec, const struct sim_result *result);

#endif
