/* OpenCL devices of this machine, and what they say of themselves.
 *
 * Ownership: plain data. Errors: no device, none of that name (the message lists all), several of that name. */
#ifndef MEASURE_DEVICE_H
#define MEASURE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "measure/opencl_api.h"

#define DEVICES_MOST 64

struct device {
  cl_device_id id;
  char name[256], vendor[256], driver[256], version[256], platform[256];
  const char *type; /* "GPU", "CPU", "accelerator", "other" */
  uint64_t clock_hz, global_bytes;
  uint32_t compute_units;
  size_t max_work_group;
};

/* All devices of all platforms, in the loader's order, at most DEVICES_MOST; their number in *count, which may be 0. */
void devices_list(const struct opencl_api *api, struct device *devices, size_t *count);

/* `wanted`: part of a device's name, in any case, or its number in devices_list; NULL: the first GPU, else the first
 * device. */
int device_find(const struct opencl_api *api, const char *wanted, struct device *out, struct error *error);

#endif
