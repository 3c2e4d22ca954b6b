#include "tracegen/lower/ir/llvm_library.h"

#ifdef REASSEMBLE_LAZY_LLVM

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "tracegen/lower/ir/memory_watch.h"

/* In the generated file of stubs. */
extern const char *const llvm_names[];
extern const size_t llvm_name_count;
extern void *llvm_slots[] __attribute__((visibility("hidden"))); /* where each stub jumps to */

int llvm_library_load(struct error *error) {
  static bool is_loaded;
  struct memory_watch watch;
  if (is_loaded)
    return 0;
  errno = 0;
  memory_watch_begin(&watch, true); /* the constructors of its variables allocate */
  void *library = dlopen(REASSEMBLE_LLVM_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  memory_watch_end(&watch);
  if (!library)
    return error_set(error, ERROR_WORK, "cannot load LLVM: %s%s", dlerror(), errno == ENOMEM ? " (out of memory)" : "");
  for (size_t i = 0; i < llvm_name_count; i++) {
    void *function = dlsym(library, llvm_names[i]);
    if (!function)
      return error_set(error, ERROR_WORK, "%s has no function %s", REASSEMBLE_LLVM_LIBRARY, llvm_names[i]);
    llvm_slots[i] = function;
  }
  is_loaded = true;
  return 0;
}

/* Called by the first stub that is called before llvm_library_load, which has no way to return an error: it ends the
 * process, as the system's loader does. */
void llvm_load_or_end(void);
void llvm_load_or_end(void) {
  struct error error = ERROR_INIT;
  if (llvm_library_load(&error) == 0)
    return;
  fprintf(stderr, "reassemble: %s\n", error.text);
  _exit(127);
}

/* The stack holds the number of the stub, and the return address of its caller above it. All registers that may hold
 * arguments are kept, and the stack is aligned for the call. */
__asm__(".text\n"
        ".globl llvm_first_call\n"
        ".hidden llvm_first_call\n"
        "llvm_first_call:\n"
        "  push %rdi\n  push %rsi\n  push %rdx\n  push %rcx\n  push %r8\n  push %r9\n  push %rax\n  push %rbx\n"
        "  sub $128, %rsp\n"
        "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
        "  mov %rsp, %rbx\n"
        "  and $-16, %rsp\n"
        "  call llvm_load_or_end\n"
        "  mov %rbx, %rsp\n"
        "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
        "  add $128, %rsp\n"
        "  pop %rbx\n  pop %rax\n  pop %r9\n  pop %r8\n  pop %rcx\n  pop %rdx\n  pop %rsi\n  pop %rdi\n"
        "  pop %r11\n"
        "  lea llvm_slots(%rip), %r10\n"
        "  jmp *(%r10,%r11,8)\n");

#else

int llvm_library_load(struct error *error) {
  (void)error;
  return 0;
}

#endif
