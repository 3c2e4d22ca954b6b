/* The device that the open driver finds: the entry points of libdrm by which it looks for GPUs, and the C library's by
 * which it opens and asks one. A program that is started with this library in LD_PRELOAD has these in place of theirs.
 *
 * The device's node is the file REASSEMBLE_BIFROST_NODE, so that the driver's mmap of a buffer maps its place there. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracegen/bifrost/shim/kernel_calls.h"

#define NODE_NAME    "/dev/dri/renderD128"
#define NODE_RENDER  2
#define NODE_COUNT   3
#define BUS_PLATFORM 2
#define NAME_BYTES   512

/* libdrm's description of a device (drmDevice): same members, same order. */
struct drm_device {
  char **nodes;
  int available_nodes, bustype;
  void *businfo, *deviceinfo;
};

struct whole_device {
  struct drm_device device;
  char *nodes[NODE_COUNT];
  char names[NODE_COUNT][sizeof NODE_NAME];
  char bus[NAME_BYTES];
  char *compatible[2];
  char **compatible_list;
};

static const char *node_path(void) {
  return getenv("REASSEMBLE_BIFROST_NODE");
}

static bool is_node(int fd) {
  struct stat mine, other;
  return node_path() && stat(node_path(), &mine) == 0 && fstat(fd, &other) == 0 && mine.st_dev == other.st_dev &&
         mine.st_ino == other.st_ino;
}

static struct drm_device *make_device(void) {
  static char name[] = "arm,mali-bifrost";
  struct whole_device *whole = calloc(1, sizeof *whole);
  if (!whole)
    return NULL;
  for (int i = 0; i < NODE_COUNT; i++)
    whole->nodes[i] = whole->names[i];
  strcpy(whole->names[NODE_RENDER], NODE_NAME);
  strcpy(whole->bus, "/soc/gpu");
  whole->compatible[0] = name;
  whole->compatible_list = whole->compatible;
  whole->device =
      (struct drm_device){whole->nodes, 1 << NODE_RENDER, BUS_PLATFORM, whole->bus, &whole->compatible_list};
  return &whole->device;
}

int drmGetDevices2(unsigned flags, struct drm_device **devices, int room);
int drmGetDevices(struct drm_device **devices, int room);
int drmGetDevice2(int fd, unsigned flags, struct drm_device **device);
int drmGetDevice(int fd, struct drm_device **device);
void drmFreeDevice(struct drm_device **device);
void drmFreeDevices(struct drm_device **devices, int count);
int drmDevicesEqual(struct drm_device *a, struct drm_device *b);
int drmGetNodeTypeFromFd(int fd);
char *drmGetDeviceNameFromFd2(int fd);
char *drmGetRenderDeviceNameFromFd(int fd);

int drmGetDevices2(unsigned flags, struct drm_device **devices, int room) {
  (void)flags;
  if (devices && room > 0 && !(devices[0] = make_device()))
    return -ENOMEM;
  return 1;
}

int drmGetDevices(struct drm_device **devices, int room) {
  return drmGetDevices2(0, devices, room);
}

int drmGetDevice2(int fd, unsigned flags, struct drm_device **device) {
  (void)flags;
  if (!is_node(fd))
    return -ENODEV;
  *device = make_device();
  return *device ? 0 : -ENOMEM;
}

int drmGetDevice(int fd, struct drm_device **device) {
  return drmGetDevice2(fd, 0, device);
}

void drmFreeDevice(struct drm_device **device) {
  free(*device); /* the first member of a struct whole_device */
  *device = NULL;
}

void drmFreeDevices(struct drm_device **devices, int count) {
  for (int i = 0; i < count; i++)
    if (devices[i])
      drmFreeDevice(&devices[i]);
}

int drmDevicesEqual(struct drm_device *a, struct drm_device *b) {
  return a && b; /* there is one */
}

int drmGetNodeTypeFromFd(int fd) {
  return is_node(fd) ? NODE_RENDER : -1;
}

char *drmGetDeviceNameFromFd2(int fd) {
  return is_node(fd) ? strdup(NODE_NAME) : NULL;
}

char *drmGetRenderDeviceNameFromFd(int fd) {
  return drmGetDeviceNameFromFd2(fd);
}

static int open_real(const char *path, int flags, mode_t mode) {
  static int (*real)(const char *, int, ...);
  if (!real)
    real = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
  return real(path, flags, mode);
}

static int open_any(const char *path, int flags, mode_t mode) {
  if (strcmp(path, NODE_NAME) == 0 && node_path())
    return open_real(node_path(), O_RDWR | O_CLOEXEC, 0);
  return open_real(path, flags, mode);
}

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
}

#define DEFINE_OPEN(name)                                                                                              \
  int name(const char *path, int flags, ...);                                                                          \
  int name(const char *path, int flags, ...) {                                                                         \
    va_list list;                                                                                                      \
    int fd;                                                                                                            \
    va_start(list, flags);                                                                                             \
    fd = open_any(path, flags, mode_of(flags, list));                                                                  \
    va_end(list);                                                                                                      \
    return fd;                                                                                                         \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
  return open_any(path, flags, 0);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) {
  return open_any(path, flags, 0);
}

int ioctl(int fd, unsigned long request, ...) {
  static int (*real)(int, unsigned long, ...);
  va_list list;
  void *argument;
  va_start(list, request);
  argument = va_arg(list, void *);
  va_end(list);
  if (_IOC_TYPE(request) == 'd' && is_node(fd))
    return kernel_call(fd, request, argument);
  if (!real)
    real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  return real(fd, request, argument);
}
