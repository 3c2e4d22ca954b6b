#include "tracegen/bifrost/live/driver.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static char *find_root(void) {
  const char *chosen = getenv("REASSEMBLE_BIFROST_ROOT"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  if (chosen && *chosen)
    return strdup(chosen);
  if (data && *data)
    return text_format("%s/reassemble/bifrost", data);
  return text_format("%s/.local/share/reassemble/bifrost", home ? home : "");
}

static bool is_in_path(const char *program) {
  char *folders = strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = folders, *folder;
  bool found = false;
  while (!found && (folder = strsep(&rest, ":"))) {
    char *path = text_format("%s/%s", folder, program);
    found = path && access(path, X_OK) == 0;
    free(path);
  }
  free(folders);
  return found;
}

/* Returns false: a program for 64-bit Arm cannot run here. */
static bool find_emulator(const char **out) {
  static const char *const names[] = {"qemu-aarch64-static", "qemu-aarch64"};
  *out = NULL;
#ifdef __aarch64__
  return true;
#endif
  for (size_t i = 0; i < sizeof names / sizeof *names && !*out; i++)
    if (is_in_path(names[i]))
      *out = names[i];
  return *out != NULL;
}

static char *find_built(const char *name) {
  char *path = text_format("%s/%s", REASSEMBLE_AARCH64_INSTALLED, name);
  if (path && access(path, R_OK) == 0)
    return path;
  free(path);
  return text_format("%s/%s", REASSEMBLE_AARCH64_BUILT, name);
}

static bool has_opencl(const char *root) {
  char *path = text_format("%s/usr/lib/aarch64-linux-gnu/libRusticlOpenCL.so.1", root);
  const bool there = path && access(path, R_OK) == 0;
  free(path);
  return there;
}

static int check(const struct bifrost_driver *d, bool has_processor, struct error *error) {
  if (!d->root || !d->shim || !d->host)
    return error_no_memory(error);
  if (!has_opencl(d->root))
    return error_set(error, ERROR_WORK,
                     "the open driver of Bifrost GPUs is not at %s; tools/bifrost-setup puts it there "
                     "($REASSEMBLE_BIFROST_ROOT names another place)",
                     d->root);
  if (!has_processor)
    return error_set(error, ERROR_WORK,
                     "the open driver needs an emulator of 64-bit Arm, and there is no qemu-aarch64 in $PATH (Debian: "
                     "apt-get install qemu-user-static)");
  if (access(d->shim, R_OK) != 0 || access(d->host, X_OK) != 0)
    return error_set(error, ERROR_WORK,
                     "%s is missing: it is built where a compiler for 64-bit Arm is found (Debian: apt-get install "
                     "gcc-aarch64-linux-gnu opencl-headers)",
                     d->shim);
  return 0;
}

int bifrost_driver_find(struct bifrost_driver *driver, struct error *error) {
  bool has_processor;
  *driver = (struct bifrost_driver){
      .root = find_root(), .shim = find_built("libreassemble_bifrost.so"), .host = find_built("bifrost_host")};
  has_processor = find_emulator(&driver->emulator);
  if (check(driver, has_processor, error) == 0)
    return 0;
  bifrost_driver_clear(driver);
  return -1;
}

void bifrost_driver_clear(struct bifrost_driver *driver) {
  free(driver->root);
  free(driver->shim);
  free(driver->host);
  *driver = (struct bifrost_driver){0};
}
