#include "base/spill.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"

/* A block of the file holds one array. Blocks have SPILL_LEAST bytes, twice as many, and so on; each size has its own
 * part of the file. An array's offset in the file equals its offset in the mapping. Parts that are not taken cost
 * nothing. */
#define LEAST_BITS 16
#define KINDS      18 /* up to 8 GiB */
#define KIND_BYTES ((size_t)8 << 30)
#define FILE_BYTES (KINDS * KIND_BYTES)
#define COPY_BYTES ((size_t)1 << 20)

/* Pages of the file that are mapped at a caller's address. */
struct window {
  char *at, *place;
  size_t bytes;
};

struct kind {
  size_t next; /* blocks before this one have been taken at least once */
  uint32_t *free;
  size_t free_count, free_capacity;
};

static struct {
  pthread_mutex_t lock;
  char *directory;
  char *mapping; /* NULL: there is no mapping yet */
  int file;
  int opened; /* 1 + the descriptor that spill_open opened; 0: none */
  pid_t owner;
  bool refused; /* whether the file could not be made */
  struct kind kinds[KINDS];
  struct window *windows;
  size_t window_count, window_capacity;
  size_t spilled;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Atomic size_t plain, touched; /* bytes of large arrays in plain memory; bytes touched since the last round */
static _Atomic(char *) mapped;        /* equals state.mapping; read without the lock */
atomic_bool spill_begun;

void spill_into(const char *directory) {
  pthread_mutex_lock(&state.lock);
  if (!state.directory)
    state.directory = strdup(directory);
  pthread_mutex_unlock(&state.lock);
}

static int open_nameless(const char *directory) {
  const int file = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0)
    return file;
  char *name = text_format("%s/spill-XXXXXX", directory);
  const int named = name ? mkostemp(name, O_CLOEXEC) : -1;
  if (named >= 0)
    unlink(name);
  free(name);
  return named;
}

/* Returns whether files may have any size. Such a limit counts the range of the sparse file and not the bytes taken,
 * and reaching it would end the process. */
static bool any_size(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
}

void spill_open(void) {
  pthread_mutex_lock(&state.lock);
  if (state.directory && !state.mapping && !state.refused && !state.opened && any_size())
    state.opened = 1 + open_nameless(state.directory);
  pthread_mutex_unlock(&state.lock);
}

static void begin_file(void) {
  const int file = state.opened ? state.opened - 1 : any_size() ? open_nameless(state.directory) : -1;
  state.opened = 0;
  void *mapping = MAP_FAILED;
  if (file >= 0 && ftruncate(file, (off_t)FILE_BYTES) == 0)
    mapping = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED) {
    if (file >= 0)
      close(file);
    state.refused = true;
    return;
  }
  state.mapping = mapping;
  state.file = file;
  state.owner = getpid();
  mapped = mapping;
  spill_begun = true;
}

/* Starts without a file in a forked child. Arrays that the parent had spilled belong to the parent and are not freed
 * here. */
static void leave_parents_file(void) {
  for (unsigned i = 0; i < KINDS; i++) {
    free(state.kinds[i].free);
    state.kinds[i] = (struct kind){0};
  }
  close(state.file);
  state.mapping = NULL;
  state.window_count = 0;
  state.spilled = 0;
}

static unsigned kind_of(size_t bytes) {
  unsigned kind = 0;
  while (bytes > SPILL_LEAST << kind)
    kind++;
  return kind;
}

static char *place(unsigned kind, size_t number) {
  return state.mapping + kind * KIND_BYTES + (number << (LEAST_BITS + kind));
}

/* Returns a block, or NULL if there is none. The caller holds the lock. */
static void *take_place(size_t bytes) {
  const unsigned kind = kind_of(bytes);
  if (state.mapping && state.owner != getpid())
    leave_parents_file();
  if (!state.mapping && state.directory && !state.refused)
    begin_file();
  if (!state.mapping || kind >= KINDS)
    return NULL;
  struct kind *k = &state.kinds[kind];
  const size_t number = k->free_count > 0 ? k->free[k->free_count - 1] : k->next;
  char *memory = place(kind, number);
  if (number >= KIND_BYTES >> (LEAST_BITS + kind) ||
      posix_fallocate(state.file, (off_t)(memory - state.mapping), (off_t)bytes) != 0)
    return NULL;
  if (k->free_count > 0)
    k->free_count--;
  else
    k->next++;
  state.spilled += bytes;
  return memory;
}

void *spill_take(size_t bytes) {
  pthread_mutex_lock(&state.lock);
  void *memory = take_place(bytes);
  pthread_mutex_unlock(&state.lock);
  spill_touched(bytes);
  return memory;
}

static bool is_spilled(const void *memory) {
  const char *first = mapped, *at = memory;
  return first && at >= first && at < first + FILE_BYTES;
}

/* Gives a block back. The caller holds the lock. If memory for noting it runs out, the block is not used again. */
static void give_place_back(const char *memory, size_t bytes) {
  const size_t offset = (size_t)(memory - state.mapping);
  struct kind *k = &state.kinds[offset / KIND_BYTES];
  const unsigned kind = (unsigned)(k - state.kinds);
  fallocate(state.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
  if (array_room(&k->free, &k->free_capacity, k->free_count + 1, sizeof *k->free))
    k->free[k->free_count++] = (uint32_t)(offset % KIND_BYTES >> (LEAST_BITS + kind));
  state.spilled -= bytes;
}

static void give_back(const void *memory, size_t bytes) {
  pthread_mutex_lock(&state.lock);
  if (state.owner == getpid())
    give_place_back(memory, bytes);
  pthread_mutex_unlock(&state.lock);
}

static bool map_place(char *at, size_t bytes) {
  char *memory = take_place(bytes);
  if (!memory)
    return false;
  if (!array_room(&state.windows, &state.window_capacity, state.window_count + 1, sizeof *state.windows) ||
      mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, state.file, (off_t)(memory - state.mapping)) ==
          MAP_FAILED) {
    give_place_back(memory, bytes);
    return false;
  }
  state.windows[state.window_count++] = (struct window){at, memory, bytes};
  return true;
}

bool spill_map(void *at, size_t bytes) {
  pthread_mutex_lock(&state.lock);
  const bool there = map_place(at, bytes);
  pthread_mutex_unlock(&state.lock);
  spill_touched(bytes);
  return there;
}

void spill_unmap(void *from, size_t bytes) {
  const char *first = from;
  pthread_mutex_lock(&state.lock);
  for (size_t i = state.window_count; i-- > 0;) {
    const struct window w = state.windows[i];
    if (w.at < first || w.at >= first + bytes)
      continue;
    mmap(w.at, w.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (state.owner == getpid())
      give_place_back(w.place, w.bytes);
    state.windows[i] = state.windows[--state.window_count];
  }
  pthread_mutex_unlock(&state.lock);
}

void spill_note(size_t bytes) {
  if (atomic_fetch_add_explicit(&touched, bytes, memory_order_relaxed) + bytes < SPILL_WINDOW / 2)
    return;
  touched = 0;
  madvise(mapped, FILE_BYTES, MADV_DONTNEED); /* frees the pages of this process; the data stays in the file */
  pthread_mutex_lock(&state.lock);
  for (size_t i = 0; i < state.window_count; i++)
    madvise(state.windows[i].at, state.windows[i].bytes, MADV_DONTNEED);
  pthread_mutex_unlock(&state.lock);
}

void spill_copy(void *to, const void *from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += COPY_BYTES) {
    const size_t some = bytes - at < COPY_BYTES ? bytes - at : COPY_BYTES;
    memcpy((char *)to + at, (const char *)from + at, some);
    spill_touched(2 * some);
  }
}

static size_t counted(size_t bytes) {
  return bytes < SPILL_LEAST ? 0 : bytes;
}

static void *resize_plain(void *memory, size_t before, size_t bytes) {
  void *larger = realloc(memory, bytes);
  if (larger)
    plain += counted(bytes) - counted(before);
  return larger;
}

static void *move(void *memory, size_t before, size_t bytes, bool to_file) {
  char *larger = to_file ? spill_take(bytes) : resize_plain(NULL, 0, bytes);
  if (!larger)
    return NULL;
  spill_copy(larger, memory, before);
  spill_free(memory, before);
  return larger;
}

void *spill_resize(void *memory, size_t before, size_t bytes) {
  assert(bytes >= before);
  const bool spilled = is_spilled(memory);
  if (!spilled && (bytes < SPILL_LEAST || plain - counted(before) + bytes <= SPILL_WINDOW))
    return resize_plain(memory, before, bytes);
  void *larger = move(memory, before, bytes, true);
  return larger || !spilled ? larger ? larger : resize_plain(memory, before, bytes)
                            : move(memory, before, bytes, false);
}

bool spill_room(void *array, size_t *capacity, size_t need, size_t size) {
  if (need <= *capacity)
    return true;
  const size_t more = array_capacity(*capacity, need);
  void *memory;
  memcpy(&memory, array, sizeof memory); /* an array pointer of any type, as in array_room */
  memory = spill_resize(memory, *capacity * size, more * size);
  if (!memory)
    return false;
  memcpy(array, &memory, sizeof memory);
  *capacity = more;
  return true;
}

void spill_free(void *memory, size_t bytes) {
  if (is_spilled(memory))
    give_back(memory, bytes);
  else {
    free(memory);
    plain -= memory ? counted(bytes) : 0;
  }
}

size_t spill_bytes(void) {
  pthread_mutex_lock(&state.lock);
  const size_t bytes = state.spilled;
  pthread_mutex_unlock(&state.lock);
  return bytes;
}
