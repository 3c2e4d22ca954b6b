/* Where LLVM has no memory for the bitcode of a kernel's SIMD groups, the kernel runs as always, and is kept once there
 * is memory. The linker calls the function here in place of LLVM's (tests/CMakeLists.txt). */
#include "expect_error.h"

#include <dirent.h>
#include <sys/mman.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "emulate_text.h"

#define KERNEL "kernel void k(global float *a) { a[get_global_id(0)] = 2 * a[get_global_id(0)] + 1; }\n"
#define BODY                                                                                                           \
  "buffers:\n  A: {type: float, count: 4096, init: index}\n"                                                           \
  "launches:\n  - {kernel: k, global: 4096, local: 64, args: [{buffer: A}]}\n"

/* Shared with the process that runs the kernel: whether there is no memory, and how often there was none. */
static struct { int without_memory, refused; } * shared;

LLVMMemoryBufferRef __real_LLVMWriteBitcodeToMemoryBuffer(LLVMModuleRef module);
LLVMMemoryBufferRef __wrap_LLVMWriteBitcodeToMemoryBuffer(LLVMModuleRef module);
LLVMMemoryBufferRef __wrap_LLVMWriteBitcodeToMemoryBuffer(LLVMModuleRef module) {
  if (!shared || !shared->without_memory || !LLVMGetNamedFunction(module, "k"))
    return __real_LLVMWriteBitcodeToMemoryBuffer(module);
  shared->refused++;
  return NULL;
}

static size_t kept_kernels(void) {
  size_t count = 0;
  DIR *folder = opendir("cache/kernels");
  for (struct dirent *e; folder && (e = readdir(folder));)
    count += e->d_name[0] != '.';
  if (folder)
    closedir(folder);
  return count;
}

static void run(void) {
  struct emulate_text t;
  const struct emulate_options options = {.trace_directory = "traces"};
  if (emulate_text_run(&t, "not-kept", KERNEL, BODY, &options))
    fail_msg("%s", t.error.text);
  for (int i = 0; i < 4096; i++)
    assert_true(((const float *)t.result.buffers[0])[i] == 2 * (float)i + 1);
  emulate_text_clear(&t);
}

static void kernels_run_and_are_kept_later(void **state) {
  (void)state;
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(shared, MAP_FAILED);
  assert_int_equal(system("rm -rf cache"), 0);
  setenv("REASSEMBLE_CACHE", "cache", 1);
  shared->without_memory = 1;
  run();
  assert_int_equal(shared->refused, 1);
  assert_int_equal(kept_kernels(), 0);
  shared->without_memory = 0;
  run();
  assert_int_equal(kept_kernels(), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_run_and_are_kept_later)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
