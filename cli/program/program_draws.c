#include "cli/program/program_draws.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

#define MOST_BYTES ((size_t)256 << 20)

static const char *const libraries[] = {"libvulkan.so", "libGL.so", "libGLESv2.so", "libEGL.so", "libGLX.so",
                                        "libOpenGL.so", NULL};

/* Writes the path that execvp would start; returns whether there is one. */
static bool find_program(const char *program, char *out, size_t size) {
  const char *folders = getenv("PATH");
  if (strchr(program, '/'))
    return snprintf(out, size, "%s", program) < (int)size;
  for (const char *f = folders; f && *f; f += strcspn(f, ":"), f += *f == ':')
    if (snprintf(out, size, "%.*s/%s", (int)strcspn(f, ":"), f, program) < (int)size && access(out, X_OK) == 0)
      return true;
  return false;
}

static const char *library_of(const char *bytes, size_t length) {
  if (length < 4 ||
      memcmp(bytes,
             "\x7f"
             "ELF",
             4) != 0 ||
      memmem(bytes, length, "libOpenCL.so", 12))
    return NULL;
  for (const char *const *l = libraries; *l; l++)
    if (memmem(bytes, length, *l, strlen(*l)))
      return *l;
  return NULL;
}

const char *program_draws(const char *program) {
  struct error ignored = ERROR_INIT;
  char path[PATH_MAX], *bytes;
  size_t length;
  if (!find_program(program, path, sizeof path) || file_read(path, MOST_BYTES, &bytes, &length, &ignored) != 0)
    return NULL;
  const char *library = library_of(bytes, length);
  free(bytes);
  return library;
}
