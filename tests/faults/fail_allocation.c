/* Loaded in front of the C library (LD_PRELOAD): makes one allocation fail, and all later ones too if $FAIL_ON is set.
 * $FAIL_AT is its number, counted from 1 in each process, and $FAIL_PROCESS (0) the process: 0 is the one that was
 * started, the others are numbered in the order in which they are forked. With $FAIL_COUNT, a file, the numbers of
 * allocations of all processes are written there at the end. Allocations by libraries that end the process or never
 * return when one fails are not counted, nor those of a library whose name holds the text $FAIL_LEFT_OUT.
 * Where a library makes too many allocations, places take the stead of numbers, for which no library is left out. A
 * place is a chain of calls, told by a hash of where they return to: all calls of the project's own code, and of a
 * library the function that this code calls. $FAIL_PLACES, a file: each place is appended to it at the end of the first
 * process, with the process and the number of its first allocation. $FAIL_PLACE, a hash, beside these two: the
 * allocation fails if it is of this place, which numbers need not be where the pace of a program matters; else the next
 * one of this place does. With $FAIL_SHOW the chain of what fails is written to standard error.
 * $FAIL_PROGRAM: only processes of the program of this name are counted. $FAIL_LIBRARY: only allocations by code of a
 * library, or of the program, whose path holds this text. */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEEPEST   64         /* calls of a place, this library's own among them; those further out do not count */
#define PLACES    (1u << 14) /* room for places, a power of two; beyond it they are not told apart */
#define PROCESSES 256        /* whose allocations are counted */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

/* Of all processes that come from one. */
struct counts {
  atomic_uint processes;
  atomic_ulong made[PROCESSES];
  atomic_ulong places[PLACES];    /* a hash table; 0: free */
  unsigned long first[PLACES][2]; /* of each place: process and number of its first allocation */
};

static struct counts *counts;
static unsigned process; /* number of this one */
static unsigned long fail_at, fail_process;
static bool is_open, goes_on, shows;
static const char *counted_library; /* NULL: all but those that are left out */
static const char *also_left_out;   /* NULL: no other one */
static pid_t counted;
static bool notes_places;
static uint64_t fail_place;        /* 0: none */
static bool is_lost;               /* whether the number was of another place: the next allocation of the place fails */
static _Thread_local bool looking; /* at the stack, which allocates the first time */

static unsigned long number_of(const char *name, int base) {
  const char *text = getenv(name);
  return text ? strtoul(text, NULL, base) : 0;
}

static void number_the_child(void) {
  process = atomic_fetch_add(&counts->processes, 1) + 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *program = getenv("FAIL_PROGRAM");
  if (program && strcmp(program, program_invocation_short_name) != 0)
    return;
  void *first_time[1];
  counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (counts == MAP_FAILED || pthread_atfork(NULL, NULL, number_the_child))
    abort();
  counted_library = getenv("FAIL_LIBRARY");
  also_left_out = getenv("FAIL_LEFT_OUT");
  fail_at = number_of("FAIL_AT", 10);
  fail_process = number_of("FAIL_PROCESS", 10);
  fail_place = number_of("FAIL_PLACE", 16);
  goes_on = getenv("FAIL_ON") != NULL;
  shows = getenv("FAIL_SHOW") != NULL;
  counted = getpid();
  notes_places = getenv("FAIL_PLACES") != NULL;
  backtrace(first_time, 1);
  is_open = true;
}

static FILE *open_named(const char *variable, const char *mode) {
  const char *path = getenv(variable);
  return path ? fopen(path, mode) : NULL;
}

__attribute__((destructor)) static void end(void) {
  const bool is_first = is_open && getpid() == counted;
  is_open = false;
  FILE *numbers = is_first ? open_named("FAIL_COUNT", "w") : NULL;
  FILE *places = is_first ? open_named("FAIL_PLACES", "a") : NULL;
  for (unsigned i = 0; numbers && i <= atomic_load(&counts->processes) && i < PROCESSES; i++)
    fprintf(numbers, "%lu\n", atomic_load(&counts->made[i]));
  for (unsigned i = 0; places && i < PLACES; i++)
    if (atomic_load(&counts->places[i]))
      fprintf(places, "%016lx %lu %lu\n", atomic_load(&counts->places[i]), counts->first[i][0], counts->first[i][1]);
  if (numbers)
    fclose(numbers);
  if (places)
    fclose(places);
}

/* The program's own code has its name; that of a library is its path. */
static const char *object_of(const void *caller) {
  struct dl_find_object found;
  if (_dl_find_object((void *)caller, &found) != 0)
    return "";
  const char *path = found.dlfo_link_map->l_name;
  return path[0] ? path : program_invocation_name;
}

static bool is_left_out(const char *path) {
  static const char *const names[] = {"libLLVM",    "libclang",   "libstdc++", "libgomp",   "libomp",
                                      "libseccomp", "libxgboost", "libpocl",   "libOpenCL", "ld-linux"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(path, names[i]))
      return true;
  return also_left_out && strstr(path, also_left_out);
}

static bool is_counted(const void *caller) {
  if (counted_library)
    return strstr(object_of(caller), counted_library) != NULL;
  return fail_place || notes_places || !is_left_out(object_of(caller));
}

static uint64_t hash(uint64_t before, uint64_t value) {
  const uint64_t mixed = (before ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return mixed ^ mixed >> 29;
}

struct object {
  const void *start; /* NULL: of no object */
  bool is_own;       /* code of the project */
  bool is_driver;    /* OpenCL's, which may crash */
};

static struct object object_at(const void *call) {
  struct dl_find_object found;
  if (_dl_find_object((void *)call, &found) != 0)
    return (struct object){0};
  const char *path = found.dlfo_link_map->l_name;
  return (struct object){.start = found.dlfo_map_start,
                         .is_own = !path[0] || strstr(path, "libreassemble"),
                         .is_driver = strstr(path, "libOpenCL") || strstr(path, "libpocl")};
}

/* Addresses count from where their library lies, which differs from process to process. Calls inside of
 * libraries are left out but for the one in the function that the project's code has called. Returns 0 for what
 * OpenCL's driver allocates, and what others allocate for it. */
static uint64_t place_of_stack(void) {
  void *calls[DEEPEST];
  uint64_t place = 1;
  looking = true;
  const int count = backtrace(calls, DEEPEST);
  const struct object ours = object_at(calls[0]);
  struct object outer = {0}; /* calls the one at hand */
  for (int i = count; i-- > 0 && place;) {
    const struct object object = object_at(calls[i]);
    if (object.start != ours.start && (object.is_own || outer.is_own))
      place = hash(place, (uintptr_t)calls[i] - (uintptr_t)object.start);
    if (object.is_driver)
      place = 0;
    outer = object;
  }
  looking = false;
  return place;
}

/* Notes the place of an allocation, unless it is known. */
static void note_place(uint64_t place, unsigned long number) {
  for (uint64_t i = place; i < place + PLACES; i++) {
    unsigned long expected = 0;
    if (atomic_compare_exchange_strong(&counts->places[i % PLACES], &expected, place)) {
      counts->first[i % PLACES][0] = process;
      counts->first[i % PLACES][1] = number;
      return;
    }
    if (expected == place)
      return;
  }
}

static void show_stack(void) {
  void *calls[4 * DEEPEST];
  looking = true;
  backtrace_symbols_fd(calls, backtrace(calls, 4 * DEEPEST), STDERR_FILENO);
  looking = false;
}

static bool fails_by_place(unsigned long number) {
  const bool is_asked = fail_place && process == fail_process && number == fail_at;
  if (!notes_places && !is_asked && !is_lost)
    return false;
  const uint64_t place = place_of_stack();
  if (notes_places && place)
    note_place(place, number);
  is_lost = (is_lost || is_asked) && place != fail_place;
  return fail_place && place == fail_place;
}

static bool fails(const void *caller) {
  if (!is_open || looking || process >= PROCESSES || !is_counted(caller))
    return false;
  const unsigned long number = atomic_fetch_add(&counts->made[process], 1) + 1;
  const bool by_place = fail_place || notes_places;
  if (by_place ? !fails_by_place(number)
               : !fail_at || process != fail_process || number < fail_at || (number > fail_at && !goes_on))
    return false;
  if (shows)
    show_stack();
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
