/* The OpenCL devices of this machine and what they report about themselves.
 *
 * Ownership: plain data. Errors: there is no device, none has that name (the message lists all), or several have
 *            it. */
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

/* Writes the devices of all platforms in the loader's order, at most DEVICES_MOST, and their number, which may be
 * 0. */
void devices_list(const struct opencl_api *api, struct device *devices, size_t *count);

/* Finds the device that `wanted` means: a part of its name, in upper or lower case, or its number in devices_list.
 * NULL means the first GPU, or the first device if there is no GPU. */
int device_find(const struct opencl_api *api, const char *wanted, struct device *out, struct error *error);

#endif
