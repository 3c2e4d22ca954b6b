/* Kernels: an OpenCL C source with a kernel k of one buffer, through clang, LLVM and a run. */
#include "fuzz_target.h"

#include <stdlib.h>

#include "emulate_text.h"

void fuzz_kernel(const uint8_t *data, size_t size) {
  const struct emulate_options options = {
      .timeout_s = 2, .memory_bytes = (size_t)1 << 30, .quiet = true, .no_print = true};
  struct emulate_text t;
  char *source = fuzz_text(data, size);
  emulate_text_run(&t, "fuzz-kernel", source,
                   "buffers:\n  A: {type: int, count: 64, init: index}\n"
                   "launches:\n  - {kernel: k, global: 16, local: 8, args: [{buffer: A}]}\n",
                   &options);
  emulate_text_clear(&t);
  free(source);
}
