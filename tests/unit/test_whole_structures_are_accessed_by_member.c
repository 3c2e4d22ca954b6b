/* A load and a store of a whole structure, which clang hardly ever makes of OpenCL C, become accesses of the members:
 * so the kernel comes as LLVM's assembly. */
#include "expect_error.h"

#include <string.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include "tracegen/abi/kernel_abi.h"

/* Three bytes of padding behind the i8, six behind the i16: members at 0, 4, 8, 16 and 24 of 32 bytes. */
#define KERNEL(type, body)                                                                                             \
  "%S = type " type "\ndefine spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {\n" body "  ret "         \
  "void\n}\n"
#define PADDED "{ i8, [2 x float], { i16, i64 } }"

static int build(const char *text, struct arena *arena, struct kernel_program **out, struct error *error) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMParseIRInContext(context, LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "k.ll"), &module,
                           &message))
    fail_msg("%s", message);
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  const int status = kernel_program_create(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), "k.cl", "k", NULL,
                                           0, arena, (struct kernel_purpose){.records = true}, out, error);
  LLVMDisposeMemoryBuffer(bitcode);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return status;
}

/* Runs the kernel for one work-item; addresses[] become offsets from `a`, and `b` follows a page later. */
static size_t run(const struct kernel_program *program, const struct arena *arena, const uint32_t offsets[2],
                  uint32_t *addresses) {
  uint16_t blocks[8];
  struct trace_item_end end;
  struct item_context item = {
      .blocks = blocks, .addresses = addresses, .bounds = UINT64_MAX, .ends = &end, .items_left = 1};
  struct kernel_argument *arguments = aligned_alloc(_Alignof(struct kernel_argument), 2 * sizeof *arguments);
  assert_non_null(arguments);
  for (int i = 0; i < 2; i++) {
    const uint64_t place = (uintptr_t)(arena->base + offsets[i]);
    memcpy(arguments[i].value, &place, sizeof place);
    arguments[i].bytes = 32;
  }
  program->entry(&item, arguments);
  free(arguments);
  return (size_t)(item.addresses - addresses);
}

static void members_are_copied_and_padding_is_not(void **state) {
  (void)state;
  static const uint32_t places[] = {0, 4, 8, 16, 24}, sizes[] = {1, 4, 4, 2, 8};
  static const char kernel[] = KERNEL(PADDED, "  %v = load volatile %S, ptr addrspace(1) %a, align 8\n"
                                              "  store volatile %S %v, ptr addrspace(1) %b, align 8\n");
  struct error error = ERROR_INIT;
  struct arena arena;
  struct kernel_program *program = NULL;
  uint32_t offsets[2], addresses[64];
  assert_int_equal(arena_create(&arena, 1 << 20, &error), 0);
  assert_int_equal(arena_place(&arena, "a", 32, &offsets[0], &error), 0);
  assert_int_equal(arena_place(&arena, "b", 32, &offsets[1], &error), 0);
  if (build(kernel, &arena, &program, &error))
    fail_msg("%s", error.text);
  for (char i = 0; i < 32; i++)
    arena.base[offsets[0] + (uint32_t)i] = (char)(i + 1);
  assert_int_equal(run(program, &arena, offsets, addresses), 10);
  for (uint32_t i = 0; i < 10; i++) {
    const struct trace_op *op = &program->code.ops[program->code.mem_ops[i]];
    assert_int_equal(op->op_class, i < 5 ? OP_LOAD : OP_STORE);
    assert_int_equal(op->bytes, sizes[i % 5]);
    assert_int_equal(addresses[i], offsets[i / 5] + places[i % 5]);
  }
  for (uint32_t i = 0, member = 0; i < 32; i++) {
    member += member < 4 && i == places[member + 1];
    assert_int_equal(arena.base[offsets[1] + i], i < places[member] + sizes[member] ? i + 1 : 0);
  }
  kernel_program_destroy(program);
  arena_destroy(&arena);
}

static void refused(const char *kernel, const char *message) {
  struct error error = ERROR_INIT;
  struct arena arena;
  struct kernel_program *program = NULL;
  assert_int_equal(arena_create(&arena, 1 << 20, &error), 0);
  assert_int_equal(build(kernel, &arena, &program, &error), -1);
  expect_error(&error, message);
  arena_destroy(&arena);
}

static void what_is_too_large_is_refused(void **state) {
  (void)state;
  refused(KERNEL("[1025 x i32]", "  store %S zeroinitializer, ptr addrspace(1) %b, align 4\n"),
          "k.cl: kernel k: a load or store of a structure of more than 1024 members is not supported; copy its parts");
  refused(KERNEL("<300 x i32>", "  store volatile %S zeroinitializer, ptr addrspace(1) %b, align 4\n"),
          "k.cl: kernel k: a load or store of 1200 bytes at once; at most 1024 are supported");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_are_copied_and_padding_is_not),
      cmocka_unit_test(what_is_too_large_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
