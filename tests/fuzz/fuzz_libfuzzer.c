/* The target that $FUZZ_TARGET names, for libFuzzer.
 *
 * Kernels are compiled and run in child processes. So that libFuzzer sees what they reach, the counters of its coverage
 * lie in memory that a process shares with its children. */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The compiler's counters, one of a byte for each edge (-fsanitize-coverage=inline-8bit-counters). */
extern uint8_t counters_begin[] __asm__("__start___sancov_cntrs");
extern uint8_t counters_end[] __asm__("__stop___sancov_cntrs");

/* Puts shared memory in the place of the counters. The first and the last page hold other variables too, and stay. */
static void share_counters(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  uint8_t *from = (uint8_t *)(((uintptr_t)counters_begin + page - 1) & ~(page - 1));
  const uint8_t *to = (uint8_t *)((uintptr_t)counters_end & ~(page - 1));
  if (to <= from)
    return;
  const size_t bytes = (size_t)(to - from);
  uint8_t *kept = malloc(bytes);
  if (!kept)
    abort();
  memcpy(kept, from, bytes);
  if (mmap(from, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
    abort();
  memcpy(from, kept, bytes);
  free(kept);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  share_counters();
  const char *name = getenv("FUZZ_TARGET");
  target = name ? fuzz_target_find(name) : NULL;
  if (!target) {
    fprintf(stderr, "FUZZ_TARGET names no target of tests/fuzz/fuzz_target.c\n");
    exit(2);
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size <= target->most_bytes)
    target->run(data, size);
  return 0;
}
