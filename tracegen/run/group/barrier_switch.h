/* Stacks of work-items of kernels with barriers. The work-items are coroutines: each has a stack of its own, and a
 * barrier switches to the stack of the next one.
 *
 * Assembly on x86-64 and AArch64 (it keeps the registers that a call preserves; about 10 ns), ucontext elsewhere.
 * Ownership: the caller owns the stacks. Threads: a context is used by one thread at a time. */
#ifndef TRACEGEN_RUN_GROUP_BARRIER_SWITCH_H
#define TRACEGEN_RUN_GROUP_BARRIER_SWITCH_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

/* Marks functions that are entered on one stack and left on another. The thread sanitizer keeps a stack of calls of its
 * own, which they would fill. */
#if defined(__clang__)
#define SWITCHES_STACKS __attribute__((disable_sanitizer_instrumentation))
#elif defined(__SANITIZE_THREAD__)
#define SWITCHES_STACKS __attribute__((no_sanitize("thread")))
#else
#define SWITCHES_STACKS
#endif

/* On these processors emulation_barrier is written in assembly. A work-item continues behind a barrier by a jump and
 * not by a return: the processor predicts that a return goes to where the last call came from, which may be another
 * barrier. */
#if defined(__x86_64__)
#define STACK_BARRIER_IN_ASSEMBLY 1
struct item_context;
/* Called by emulation_barrier with the stack pointer of the work-item that has arrived. Returns that of the work-item
 * that is to continue. */
__attribute__((visibility("hidden"))) void *stack_barrier(struct item_context *item, uint64_t block,
                                                          void *stack_pointer);
#else
#define STACK_BARRIER_IN_ASSEMBLY 0
#endif

struct stack_context {
  void *stack_pointer;
#if !defined(__x86_64__) && !defined(__aarch64__)
  ucontext_t context;
#endif
};

/* Makes `context` run entry(argument) when it is first switched to; entry must not return. */
void stack_prepare(struct stack_context *context, void *stack, size_t size, void (*entry)(void *), void *argument);
SWITCHES_STACKS void stack_switch(struct stack_context *from, struct stack_context *to);

#endif
