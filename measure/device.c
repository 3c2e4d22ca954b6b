#include "measure/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define PLATFORMS_MOST 16

static void text_of(const struct opencl_api *api, cl_device_id id, cl_device_info what, char *text, size_t size) {
  if (api->clGetDeviceInfo(id, what, size - 1, text, NULL) != CL_SUCCESS)
    snprintf(text, size, "unknown");
  text[size - 1] = '\0';
}

static const char *type_name(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU)
    return "GPU";
  if (type & CL_DEVICE_TYPE_CPU)
    return "CPU";
  return type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "other";
}

static void describe(const struct opencl_api *api, cl_platform_id platform, cl_device_id id, struct device *d) {
  cl_device_type type = 0;
  cl_uint megahertz = 0, units = 0;
  cl_ulong bytes = 0;
  *d = (struct device){.id = id};
  text_of(api, id, CL_DEVICE_NAME, d->name, sizeof d->name);
  text_of(api, id, CL_DEVICE_VENDOR, d->vendor, sizeof d->vendor);
  text_of(api, id, CL_DRIVER_VERSION, d->driver, sizeof d->driver);
  text_of(api, id, CL_DEVICE_VERSION, d->version, sizeof d->version);
  if (api->clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof d->platform - 1, d->platform, NULL) != CL_SUCCESS)
    snprintf(d->platform, sizeof d->platform, "unknown");
  api->clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  api->clGetDeviceInfo(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof megahertz, &megahertz, NULL);
  api->clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  api->clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  api->clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof d->max_work_group, &d->max_work_group, NULL);
  d->type = type_name(type);
  d->clock_hz = (uint64_t)megahertz * 1000000;
  d->compute_units = units;
  d->global_bytes = bytes;
}

void devices_list(const struct opencl_api *api, struct device *devices, size_t *count) {
  cl_platform_id platforms[PLATFORMS_MOST];
  cl_uint platform_count = 0;
  *count = 0;
  if (api->clGetPlatformIDs(PLATFORMS_MOST, platforms, &platform_count) != CL_SUCCESS)
    return;
  for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MOST; p++) {
    cl_device_id ids[DEVICES_MOST];
    cl_uint found = 0;
    const cl_uint room = (cl_uint)(DEVICES_MOST - *count);
    if (room == 0 || api->clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, ids, &found) != CL_SUCCESS)
      continue;
    for (cl_uint d = 0; d < found && d < room; d++)
      describe(api, platforms[p], ids[d], &devices[(*count)++]);
  }
}

static int no_such_device(const char *wanted, const struct device *devices, size_t count, struct error *error) {
  char all[2048];
  size_t used = 0;
  for (size_t i = 0; i < count && used < sizeof all; i++)
    used += (size_t)snprintf(all + used, sizeof all - used, "%s%zu: %s (%s)", i ? ", " : "", i, devices[i].name,
                             devices[i].platform);
  return error_set(error, ERROR_INPUT, "--device %s is none or several of this machine's devices: %s", wanted, all);
}

/* Returns the index of the only device that `wanted` means; `count` if none or several fit. */
static size_t choose(const char *wanted, const struct device *devices, size_t count) {
  if (!wanted) {
    for (size_t i = 0; i < count; i++)
      if (strcmp(devices[i].type, "GPU") == 0)
        return i;
    return 0;
  }
  char *end;
  const unsigned long number = strtoul(wanted, &end, 10);
  if (end != wanted && *end == '\0')
    return number < count ? number : count;
  size_t matches = 0, chosen = count;
  for (size_t i = 0; i < count; i++)
    if (strcasestr(devices[i].name, wanted)) {
      chosen = i;
      matches++;
    }
  return matches == 1 ? chosen : count;
}

int device_find(const struct opencl_api *api, const char *wanted, struct device *out, struct error *error) {
  struct device *devices = calloc(DEVICES_MOST, sizeof *devices);
  size_t count = 0;
  if (!devices)
    return error_no_memory(error);
  devices_list(api, devices, &count);
  const size_t chosen = choose(wanted, devices, count);
  int status = 0;
  if (count == 0)
    status =
        error_set(error, ERROR_WORK,
                  "the OpenCL loader offers no device: install the driver of one (on Debian, to try it on the CPU: "
                  "apt-get install pocl-opencl-icd)");
  else if (chosen == count)
    status = no_such_device(wanted, devices, count, error);
  else
    *out = devices[chosen];
  free(devices);
  return status;
}
