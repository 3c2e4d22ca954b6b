#include "tracegen/bifrost/shim/kernel_calls.h"

#include <drm/drm.h>
#include <drm/panfrost_drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "tracegen/bifrost/shim/emulator.h"
#include "tracegen/bifrost/shim/gpu_objects.h"

#define MAX_THREADS 256
/* Parameters of version 1.3 of the kernel driver, which older headers lack. */
#define PARAM_TIME           41
#define PARAM_TIME_FREQUENCY 42
#define NS_PER_S             1000000000u

static int fail(int code) {
  errno = code;
  return -1;
}

static void put_text(char *to, __kernel_size_t *room, const char *text) {
  const size_t length = strlen(text);
  if (to)
    memcpy(to, text, *room < length ? *room : length);
  *room = length;
}

static int answer_version(struct drm_version *version) {
  version->version_major = 1;
  version->version_minor = 3;
  version->version_patchlevel = 0;
  put_text(version->name, &version->name_len, "panfrost");
  put_text(version->date, &version->date_len, "20180908");
  put_text(version->desc, &version->desc_len, "panfrost DRM");
  return 0;
}

static int answer_capability(struct drm_get_cap *cap) {
  cap->value = cap->capability == DRM_CAP_PRIME
                   ? DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT
                   : cap->capability == DRM_CAP_SYNCOBJ || cap->capability == DRM_CAP_SYNCOBJ_TIMELINE;
  return 0;
}

static uint64_t product(void) {
  const char *text = getenv("REASSEMBLE_BIFROST_PRODUCT");
  return text ? strtoull(text, NULL, 16) : 0x6000;
}

/* The clock of the emulator's machine, in which jobs state their times as well (job/job_chain.h). */
static uint64_t time_ns(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Returns 0 for what the emulated GPU lacks. */
static uint64_t parameter(uint32_t number) {
  switch (number) {
  case DRM_PANFROST_PARAM_GPU_PROD_ID:
    return product();
  case DRM_PANFROST_PARAM_GPU_REVISION:
    return 0x30;
  case DRM_PANFROST_PARAM_SHADER_PRESENT:
    return 1;
  case DRM_PANFROST_PARAM_TILER_FEATURES:
    return 0x809;
  case DRM_PANFROST_PARAM_MEM_FEATURES:
    return 0x100;
  case DRM_PANFROST_PARAM_MMU_FEATURES:
    return 0x2823; /* addresses of 40 bits in, 35 out */
  case DRM_PANFROST_PARAM_MAX_THREADS:
  case DRM_PANFROST_PARAM_THREAD_MAX_WORKGROUP_SZ:
  case DRM_PANFROST_PARAM_THREAD_MAX_BARRIER_SZ:
    return MAX_THREADS;
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES0:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES1:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES2:
  case DRM_PANFROST_PARAM_TEXTURE_FEATURES3:
    return UINT32_MAX;
  case PARAM_TIME:
    return time_ns();
  case PARAM_TIME_FREQUENCY:
    return NS_PER_S;
  default:
    return 0;
  }
}

static int answer_parameter(struct drm_panfrost_get_param *request) {
  request->value = parameter(request->param);
  return 0;
}

static int answer_create(struct drm_panfrost_create_bo *request) {
  struct gpu_object object;
  request->handle = gpu_object_create(request->size, !(request->flags & PANFROST_BO_NOEXEC));
  if (!request->handle || !gpu_object_find(request->handle, &object))
    return fail(ENOMEM);
  request->offset = BIFROST_GPU_BASE + object.offset;
  return 0;
}

static int answer_map(struct drm_panfrost_mmap_bo *request) {
  struct gpu_object object;
  if (!gpu_object_find(request->handle, &object))
    return fail(ENOENT);
  request->offset = object.offset;
  return 0;
}

static int answer_address(struct drm_panfrost_get_bo_offset *request) {
  struct gpu_object object;
  if (!gpu_object_find(request->handle, &object))
    return fail(ENOENT);
  request->offset = BIFROST_GPU_BASE + object.offset;
  return 0;
}

/* Each submission has ended when the call returns, so every object of synchronisation is signalled from the start. */
static int answer_sync_create(struct drm_syncobj_create *request) {
  static uint32_t last;
  request->handle = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  return 0;
}

static int answer_sync_export(int node, struct drm_syncobj_handle *request) {
  (void)node;
  request->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  return request->fd < 0 ? -1 : 0;
}

static int answer_sync_import(struct drm_syncobj_handle *request) {
  struct drm_syncobj_create fresh = {0};
  if (request->flags & DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE)
    return 0;
  answer_sync_create(&fresh);
  request->handle = fresh.handle;
  return 0;
}

static int answer_sync_wait(struct drm_syncobj_wait *request) {
  request->first_signaled = 0;
  return 0;
}

static int answer_sync_timeline_wait(struct drm_syncobj_timeline_wait *request) {
  request->first_signaled = 0;
  return 0;
}

static int answer_advice(struct drm_panfrost_madvise *request) {
  request->retained = 1;
  return 0;
}

int kernel_call(int node, unsigned long request, void *argument) {
  switch (_IOC_NR(request)) {
  case _IOC_NR(DRM_IOCTL_VERSION):
    return answer_version(argument);
  case _IOC_NR(DRM_IOCTL_GET_CAP):
    return answer_capability(argument);
  case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
    return gpu_object_close(node, ((struct drm_gem_close *)argument)->handle) ? 0 : fail(EINVAL);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
    return answer_sync_create(argument);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD):
    return answer_sync_export(node, argument);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE):
    return answer_sync_import(argument);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
    return answer_sync_wait(argument);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT):
    return answer_sync_timeline_wait(argument);
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
  case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
  case _IOC_NR(DRM_IOCTL_PANFROST_WAIT_BO):
    return 0;
  case _IOC_NR(DRM_IOCTL_PANFROST_SUBMIT):
    return emulator_submit(argument) ? 0 : fail(EIO);
  case _IOC_NR(DRM_IOCTL_PANFROST_CREATE_BO):
    return answer_create(argument);
  case _IOC_NR(DRM_IOCTL_PANFROST_MMAP_BO):
    return answer_map(argument);
  case _IOC_NR(DRM_IOCTL_PANFROST_GET_PARAM):
    return answer_parameter(argument);
  case _IOC_NR(DRM_IOCTL_PANFROST_GET_BO_OFFSET):
    return answer_address(argument);
  case _IOC_NR(DRM_IOCTL_PANFROST_MADVISE):
    return answer_advice(argument);
  default:
    return fail(EINVAL);
  }
}
