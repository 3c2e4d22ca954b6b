/* Proxies for area and energy, for comparing designs with each other: sums of per-part costs that the GPU file states.
 *
 * Not a floor plan and not a power model: whatever a part does not name (interconnect, graphics logic, leakage, clock
 * tree) is not in it.
 *
 * Units: area in those of the GPU file's area_* parameters, energy in pJ.
 * Cost:  O(1). */
#ifndef DSE_AREA_H
#define DSE_AREA_H

#include "model/params/gpu.h"
#include "model/simulate.h"

double area_proxy(const struct gpu_spec *spec);

/* Dynamic energy of one replay: operations, cache accesses and bytes from memory. */
double energy_proxy_pj(const struct gpu_spec *spec, const struct sim_result *result);

#endif
