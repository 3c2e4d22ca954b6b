#include "tracegen/run/group/barrier_switch.h"

#include <stdint.h>

#if defined(__x86_64__)

void reassemble_stack_switch(void **save, void *load);
void reassemble_stack_start(void);

/* Callee-saved registers of the System V ABI; the first switch to a prepared stack "returns" into start. */
__asm__(".text\n"
        ".globl reassemble_stack_switch\n.hidden reassemble_stack_switch\n.type reassemble_stack_switch,@function\n"
        "reassemble_stack_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n"
        ".size reassemble_stack_switch, .-reassemble_stack_switch\n"
        ".globl reassemble_stack_start\n.hidden reassemble_stack_start\n.type reassemble_stack_start,@function\n"
        "reassemble_stack_start:\n"
        "  movq %r12, %rdi\n"
        "  callq *%r13\n"
        "  ud2\n"
        ".size reassemble_stack_start, .-reassemble_stack_start\n"
        ".globl emulation_barrier\n.type emulation_barrier,@function\n"
        "emulation_barrier:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, %rdx\n"
        "  subq $8, %rsp\n" /* calls are made with a multiple of 16 */
        "  callq stack_barrier\n"
        "  movq %rax, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  popq %rcx\n"
        "  jmpq *%rcx\n"
        ".size emulation_barrier, .-emulation_barrier\n");

void stack_prepare(struct stack_context *context, void *stack, size_t size, void (*entry)(void *), void *argument) {
  uintptr_t *top = (uintptr_t *)(((uintptr_t)stack + size) & ~(uintptr_t)15);
  *--top = (uintptr_t)reassemble_stack_start;
  *--top = 0;                   /* rbp */
  *--top = 0;                   /* rbx */
  *--top = (uintptr_t)argument; /* r12 */
  *--top = (uintptr_t)entry;    /* r13 */
  *--top = 0;                   /* r14 */
  *--top = 0;                   /* r15 */
  context->stack_pointer = top;
}

void stack_switch(struct stack_context *from, struct stack_context *to) {
  reassemble_stack_switch(&from->stack_pointer, to->stack_pointer);
}

#elif defined(__aarch64__)

void reassemble_stack_switch(void **save, void *load);
void reassemble_stack_start(void);

/* Callee-saved registers of the procedure call standard: x19-x30, d8-d15. */
__asm__(".text\n"
        ".globl reassemble_stack_switch\n.hidden reassemble_stack_switch\n"
        "reassemble_stack_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".globl reassemble_stack_start\n.hidden reassemble_stack_start\n"
        "reassemble_stack_start:\n"
        "  mov x0, x19\n"
        "  blr x20\n"
        "  brk #0\n");

void stack_prepare(struct stack_context *context, void *stack, size_t size, void (*entry)(void *), void *argument) {
  uintptr_t *top = (uintptr_t *)(((uintptr_t)stack + size) & ~(uintptr_t)15) - 20;
  for (int i = 0; i < 20; i++)
    top[i] = 0;
  top[0] = (uintptr_t)argument;                /* x19 */
  top[1] = (uintptr_t)entry;                   /* x20 */
  top[11] = (uintptr_t)reassemble_stack_start; /* x30 */
  context->stack_pointer = top;
}

void stack_switch(struct stack_context *from, struct stack_context *to) {
  reassemble_stack_switch(&from->stack_pointer, to->stack_pointer);
}

#else

/* makecontext passes int arguments only: pointers travel in halves. */
static void start(unsigned entry_high, unsigned entry_low, unsigned argument_high, unsigned argument_low) {
  const uint64_t entry = (uint64_t)entry_high << 32 | entry_low;
  const uint64_t argument = (uint64_t)argument_high << 32 | argument_low;
  ((void (*)(void *))(uintptr_t)entry)((void *)(uintptr_t)argument);
}

void stack_prepare(struct stack_context *context, void *stack, size_t size, void (*entry)(void *), void *argument) {
  const uint64_t e = (uintptr_t)entry, a = (uintptr_t)argument;
  getcontext(&context->context);
  context->context.uc_stack.ss_sp = stack;
  context->context.uc_stack.ss_size = size;
  context->context.uc_link = NULL;
  makecontext(&context->context, (void (*)(void))start, 4, (unsigned)(e >> 32), (unsigned)e, (unsigned)(a >> 32),
              (unsigned)a);
}

void stack_switch(struct stack_context *from, struct stack_context *to) {
  swapcontext(&from->context, &to->context);
}

#endif
