#include "tracegen/program/launch_result.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void path_of(char path[PATH_MAX], const char *folder, uint64_t launch, uint64_t memory) {
  snprintf(path, PATH_MAX, "%s/result-%" PRIu64 "-%" PRIu64, folder, launch, memory);
}

bool launch_result_write(const char *folder, uint64_t launch, uint64_t memory, const void *from, size_t bytes) {
  char path[PATH_MAX];
  path_of(path, folder, launch, memory);
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  const bool written = fwrite(from, 1, bytes, file) == bytes;
  return fclose(file) == 0 && written;
}

void *launch_result_take(const char *folder, uint64_t launch, uint64_t memory, size_t bytes) {
  char path[PATH_MAX];
  path_of(path, folder, launch, memory);
  FILE *file = fopen(path, "rb");
  char *out = file ? malloc(bytes + 1) : NULL;
  if (out && fread(out, 1, bytes + 1, file) != bytes) {
    free(out);
    out = NULL;
  }
  if (file)
    fclose(file);
  unlink(path);
  return out;
}
