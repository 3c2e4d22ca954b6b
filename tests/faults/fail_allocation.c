/* Loaded in front of the C library (LD_PRELOAD): makes allocation number $FAIL_AT of a process fail, counted from 1,
 * and all later ones too if $FAIL_ON is set. With $FAIL_COUNT, a file, the number of allocations is written there at
 * the end. Allocations by libraries that end the process or never return when one fails (LLVM, C++, OpenMP, the loader,
 * libseccomp) are left out, and libyaml's, of which there are most.
 * $FAIL_PROGRAM: only processes of the program of this name are counted. $FAIL_LIBRARY: only allocations by code of a library, or
 * of the program, whose path holds this text. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_RANGES 32

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static struct { uintptr_t first, end; } left_out[MOST_RANGES];
static size_t range_count;
static atomic_ulong made;
static unsigned long fail_at;
static bool is_open, goes_on;
static const char *counted_library; /* NULL: all but those that are left out */
static pid_t counted;

static int note_library(struct dl_phdr_info *library, size_t size, void *user) {
  static const char *const names[] = {"libLLVM", "libstdc++", "libgomp", "libomp", "libyaml", "libseccomp", "ld-linux"};
  (void)size;
  (void)user;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int k = 0; strstr(library->dlpi_name, names[i]) && k < library->dlpi_phnum; k++)
      if (library->dlpi_phdr[k].p_type == PT_LOAD && range_count < MOST_RANGES) {
        left_out[range_count].first = library->dlpi_addr + library->dlpi_phdr[k].p_vaddr;
        left_out[range_count].end = left_out[range_count].first + library->dlpi_phdr[k].p_memsz;
        range_count++;
      }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAIL_AT"), *program = getenv("FAIL_PROGRAM");
  if (program && strcmp(program, program_invocation_short_name) != 0)
    return;
  counted_library = getenv("FAIL_LIBRARY");
  dl_iterate_phdr(note_library, NULL);
  fail_at = number ? strtoul(number, NULL, 10) : 0;
  goes_on = getenv("FAIL_ON") != NULL;
  counted = getpid();
  is_open = true;
}

__attribute__((destructor)) static void end(void) {
  const char *path = is_open ? getenv("FAIL_COUNT") : NULL;
  is_open = false;
  FILE *out = path && getpid() == counted ? fopen(path, "w") : NULL;
  if (out) {
    fprintf(out, "%lu\n", atomic_load(&made));
    fclose(out);
  }
}

/* The program's own code has its name; that of a library is its path. */
static const char *object_of(const void *caller) {
  struct dl_find_object found;
  if (_dl_find_object((void *)caller, &found) != 0)
    return "";
  const char *path = found.dlfo_link_map->l_name;
  return path[0] ? path : program_invocation_name;
}

static bool counts(const void *caller) {
  if (counted_library)
    return strstr(object_of(caller), counted_library) != NULL;
  for (size_t i = 0; i < range_count; i++)
    if ((uintptr_t)caller >= left_out[i].first && (uintptr_t)caller < left_out[i].end)
      return false;
  return true;
}

static bool fails(const void *caller) {
  if (!is_open || !counts(caller))
    return false;
  const unsigned long number = atomic_fetch_add(&made, 1) + 1;
  if (!fail_at || number < fail_at || (number > fail_at && !goes_on))
    return false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
