/* The target that $FUZZ_TARGET names, for libFuzzer. */
#include "fuzz_target.h"

#include <stdio.h>
#include <stdlib.h>

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
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
