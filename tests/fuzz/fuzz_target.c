#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct fuzz_target fuzz_targets[] = {
    {"trace", fuzz_trace, 1 << 16},
    {"yaml", fuzz_yaml, 1 << 14},
    {"workload", fuzz_workload, 1 << 14},
    {"gpu", fuzz_gpu, 1 << 14},
    {"isa", fuzz_isa, 1 << 15},
    {"sweep", fuzz_sweep, 1 << 14},
    {"board", fuzz_board, 1 << 14},
    {"json", fuzz_json, 1 << 14},
    {"sweep_journal", fuzz_sweep_journal, 1 << 14},
    {"tune_journal", fuzz_tune_journal, 1 << 14},
    {"capture_log", fuzz_capture_log, 1 << 14},
    {"options", fuzz_options, 1 << 10},
    {"kernel", fuzz_kernel, 1 << 12},
    {"bifrost", fuzz_bifrost, 1 << 17},
    {"manifest", fuzz_manifest, 1 << 14},
    {"virtual_board", fuzz_virtual_board, 1 << 12},
    {"report", fuzz_report, 1 << 14},
    {"table", fuzz_table, 1 << 13},
    {"program_times", fuzz_program_times, 1 << 13},
    {"reference", fuzz_reference, 1 << 13},
#ifdef REASSEMBLE_GRAPHICS
    {"frame", fuzz_frame, 1 << 14},
    {"quads", fuzz_quads, 1 << 14},
    {"binned", fuzz_binned, 1 << 15},
    {"spirv", fuzz_spirv, 1 << 14},
    {"execution", fuzz_execution, 1 << 7},
#endif
    {NULL, NULL, 0},
};

const struct fuzz_target *fuzz_target_find(const char *name) {
  for (const struct fuzz_target *target = fuzz_targets; target->name; target++)
    if (strcmp(target->name, name) == 0)
      return target;
  return NULL;
}

const char *fuzz_file(const uint8_t *data, size_t size) {
  static char path[32];
  static int file = -1;
  if (file >= 0)
    close(file);
  file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0 || write(file, data, size) != (ssize_t)size)
    abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return path;
}

void fuzz_named_file(const char *name, const uint8_t *data, size_t size) {
  unlink(name); /* some file systems write a file that is replaced to the disk at once */
  FILE *file = fopen(name, "w");
  if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text)
    abort();
  memcpy(text, data, size);
  text[size] = '\0';
  return text;
}
