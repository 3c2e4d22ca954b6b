#include "tracegen/run/group/item_stacks.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_SPARE 1024 /* stacks, most of which are one page in memory */

/* The stacks of a run that has ended. The thread that sets the pointer to NULL owns them. */
struct spare_stacks {
  char *memory;
  uint32_t count;
};

static _Atomic(struct spare_stacks *) kept;

static void unmap(char *memory, uint32_t count) {
  munmap(memory, count * ITEM_STACK_STRIDE);
}

/* Returns the memory of `count` spare stacks, or NULL if there are none. Unmaps spare stacks of another number. */
static char *take_spare(uint32_t count) {
  struct spare_stacks *spare = atomic_exchange(&kept, NULL);
  char *memory = spare && spare->count == count ? spare->memory : NULL;
  if (spare && !memory)
    unmap(spare->memory, spare->count);
  free(spare);
  return memory;
}

static int guard(char *memory, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (mprotect(memory + i * ITEM_STACK_STRIDE, ARENA_PAGE, PROT_NONE))
      return -1;
  return 0;
}

char *item_stacks_take(uint32_t count, struct error *error) {
  char *memory = take_spare(count);
  if (memory)
    return memory;
  memory =
      mmap(NULL, count * ITEM_STACK_STRIDE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    error_set(error, ERROR_WORK, "no memory for %u stacks: %s", count, strerror(errno));
    return NULL;
  }
  if (guard(memory, count) != 0) {
    error_set(error, ERROR_WORK, "cannot guard stacks: %s", strerror(errno));
    unmap(memory, count);
    return NULL;
  }
  return memory;
}

void item_stacks_give_back(char *memory, uint32_t count) {
  struct spare_stacks *spare = count <= MOST_SPARE ? malloc(sizeof *spare) : NULL;
  if (!spare) {
    unmap(memory, count);
    return;
  }
  *spare = (struct spare_stacks){memory, count};
  spare = atomic_exchange(&kept, spare);
  if (spare)
    unmap(spare->memory, spare->count);
  free(spare);
}
