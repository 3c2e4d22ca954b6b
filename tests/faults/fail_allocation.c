/* Loaded in front of the C library (LD_PRELOAD): makes allocation number $FAIL_AT of a process fail, counted from 1,
 * and all later ones too if $FAIL_ON is set. With $FAIL_COUNT, a file, the number of allocations is written there at
 * the end. Allocations by libraries that end the process or never return when one fails (LLVM, C++, OpenMP, the loader,
 * libseccomp) are left out, and libyaml's, of which there are most.
 * Where the number of an allocation depends on the pace of a program, places take its stead. A place is a chain of
 * calls, told by a hash of where they return to. $FAIL_PLACES, a file: each place is appended to it when it is first
 * seen. $FAIL_PLACE, a hash: the first allocation there fails, in each process, and with $FAIL_SHOW the chain is
 * written to standard error. $FAIL_PROGRAM: only processes of the program of this name are counted. $FAIL_LIBRARY: only
 * allocations by code of a library, or of the program, whose path holds this text. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
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
#define DEEPEST     10         /* calls of a place, this library's own among them; those further out do not count */
#define PLACES      (1u << 14) /* room for places, a power of two; beyond it they are not told apart */

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
static int places_file = -1;
static uint64_t fail_place;              /* 0: none */
static atomic_ulong seen_places[PLACES]; /* a hash table; 0: free */
static _Thread_local bool looking;       /* at the stack, which allocates the first time */

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
  const char *place = getenv("FAIL_PLACE"), *places = getenv("FAIL_PLACES");
  void *first_time[1];
  fail_place = place ? strtoul(place, NULL, 16) : 0;
  places_file = places ? open(places, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (fail_place || places_file >= 0)
    backtrace(first_time, 1);
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

static uint64_t hash(uint64_t before, uint64_t value) {
  const uint64_t mixed = (before ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return mixed ^ mixed >> 29;
}

/* Addresses count from where their library lies, which differs from process to process. */
static uint64_t place_of_stack(void) {
  void *calls[DEEPEST];
  uint64_t place = 1;
  looking = true;
  const int count = backtrace(calls, DEEPEST);
  struct dl_find_object ours = {0};
  _dl_find_object(calls[0], &ours);
  for (int i = 0; i < count; i++) {
    struct dl_find_object found;
    const bool known = _dl_find_object(calls[i], &found) == 0;
    if (known && found.dlfo_map_start == ours.dlfo_map_start)
      continue;
    place = hash(place, known ? (uintptr_t)calls[i] - (uintptr_t)found.dlfo_map_start : 0);
  }
  looking = false;
  return place ? place : 1;
}

/* Returns whether the place is new to this process and those that it was forked from. */
static bool is_new(uint64_t place) {
  for (uint64_t i = place; i < place + PLACES; i++) {
    unsigned long expected = 0;
    if (atomic_compare_exchange_strong(&seen_places[i % PLACES], &expected, place))
      return true;
    if (expected == place)
      return false;
  }
  return false;
}

static void show_stack(void) {
  void *calls[4 * DEEPEST];
  looking = true;
  backtrace_symbols_fd(calls, backtrace(calls, 4 * DEEPEST), STDERR_FILENO);
  looking = false;
}

static bool fails_here(void) {
  const uint64_t place = place_of_stack();
  if (!is_new(place))
    return false;
  if (places_file >= 0)
    dprintf(places_file, "%016lx\n", (unsigned long)place);
  if (place != fail_place)
    return false;
  if (getenv("FAIL_SHOW"))
    show_stack();
  errno = ENOMEM;
  return true;
}

static bool fails(const void *caller) {
  if (!is_open || looking || !counts(caller))
    return false;
  if (fail_place || places_file >= 0)
    return fails_here();
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
