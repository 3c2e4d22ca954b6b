#include "tracegen/bifrost/live/arm_program.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD_BYTES 20 /* up to the number of the machine, which stands behind the file's type */

static const char how_to_build[] = "the open driver of Bifrost GPUs runs programs for 64-bit Arm (Debian: apt-get "
                                   "install gcc-aarch64-linux-gnu; docs/bifrost.md)";

bool bifrost_processor_is_emulated(void) {
#ifdef __aarch64__
  return false;
#else
  return true;
#endif
}

static const char *machine_name(unsigned machine) {
  static const struct {
    unsigned machine;
    const char *name;
  } names[] = {{EM_X86_64, "x86-64"}, {EM_386, "32-bit x86"},       {EM_ARM, "32-bit Arm"},
               {EM_RISCV, "RISC-V"},  {EM_PPC64, "64-bit PowerPC"}, {EM_S390, "IBM Z"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].machine == machine)
      return names[i].name;
  return "another processor";
}

static int check_head(const char *path, const uint8_t *head, size_t size, bool is_emulated, struct error *error) {
  const bool is_elf = size == HEAD_BYTES && memcmp(head, ELFMAG, SELFMAG) == 0;
  const unsigned machine = is_elf ? head[18] | (unsigned)head[19] << 8 : 0;
  if (is_elf && machine == EM_AARCH64)
    return 0;
  if (is_elf)
    return error_set(error, ERROR_INPUT, "%.200s: found a program for %s, expected one for 64-bit Arm: %s", path,
                     machine_name(machine), how_to_build);
  if (!is_emulated)
    return 0;
  if (size >= 2 && memcmp(head, "#!", 2) == 0)
    return error_set(error, ERROR_INPUT, "%.200s: found a script, expected the program for 64-bit Arm that it starts",
                     path);
  return error_set(error, ERROR_INPUT, "%.200s: found no program, expected one for 64-bit Arm: %s", path, how_to_build);
}

int bifrost_check_program(const char *path, bool is_emulated, struct error *error) {
  uint8_t head[HEAD_BYTES];
  struct stat status;
  FILE *file;
  if (!is_emulated && !strchr(path, '/'))
    return 0; /* found in $PATH when it starts */
  file = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? (errno = EISDIR, NULL) : fopen(path, "rb");
  if (!file)
    return error_set(error, error_kind_of(errno), "%.200s: cannot open the program: %s%s", path, strerror(errno),
                     strchr(path, '/') ? "" : "; give it with its folder, because $PATH is not searched");
  const size_t size = fread(head, 1, sizeof head, file);
  fclose(file);
  return check_head(path, head, size, is_emulated, error);
}
