/* Empties the caches of a device: reads a buffer that is larger than they are, so that all lines of a workload's
 * buffers are written back and replaced by clean ones.
 *
 * Units: bytes. Ownership: cold_caches_release frees what cold_caches_make made, also after a failure; all bytes zero
 * means not made. Threads: one at a time. Cost: 0.1 ms on a large GPU, some 20 ms on a phone. */
#ifndef MEASURE_COLD_CACHES_H
#define MEASURE_COLD_CACHES_H

#include "measure/device.h"

struct cold_caches {
  cl_mem data, sums;
  cl_program program;
  cl_kernel kernel;
};

int cold_caches_make(struct cold_caches *cold, const struct opencl_api *api, const struct device *device,
                     cl_context context, struct error *error);
/* Reads the buffer and waits for the end. */
int cold_caches_read(const struct cold_caches *cold, const struct opencl_api *api, cl_command_queue queue,
                     struct error *error);
void cold_caches_release(struct cold_caches *cold, const struct opencl_api *api);

#endif
