/* The warm-up of LLVM. The first kernel that a process compiles takes some milliseconds more than the next, because
 * pages are touched, symbols looked up and tables built for the first time. So an idle process compiles a small
 * kernel. */
#include <stdbool.h>
#include <stdlib.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "tracegen/abi/kernel_abi.h"
#include "tracegen/abi/phases.h"
#include "tracegen/lower/ir/llvm_library.h"

#define SPIR_FUNCTION 75 /* llvm/IR/CallingConv.h */
#define SPIR_KERNEL   76

#define NAME "warm_up"

struct writer {
  LLVMBuilderRef b;
  LLVMModuleRef module;
  LLVMTypeRef nothing, i32, number, pointer;
  LLVMValueRef function;
};

static LLVMValueRef call_get_global_id(const struct writer *w) {
  LLVMContextRef context = LLVMGetModuleContext(w->module);
  LLVMValueRef zero = LLVMConstInt(w->i32, 0, false);
  LLVMTypeRef i32 = w->i32, type = LLVMFunctionType(LLVMInt64TypeInContext(context), &i32, 1, false);
  LLVMValueRef query = LLVMAddFunction(w->module, "_Z13get_global_idj", type);
  LLVMSetFunctionCallConv(query, SPIR_FUNCTION);
  LLVMValueRef call = LLVMBuildCall2(w->b, type, query, &zero, 1, "");
  LLVMSetInstructionCallConv(call, SPIR_FUNCTION);
  return call;
}

static LLVMValueRef element(const struct writer *w, LLVMValueRef index) {
  return LLVMBuildInBoundsGEP2(w->b, w->number, LLVMGetParam(w->function, 0), &index, 1, "");
}

/* do sum += x[i] * sum; while (++i < n); */
static LLVMValueRef write_loop(const struct writer *w, LLVMBasicBlockRef before, LLVMBasicBlockRef loop,
                               LLVMBasicBlockRef end) {
  LLVMPositionBuilderAtEnd(w->b, loop);
  LLVMValueRef i = LLVMBuildPhi(w->b, w->i32, ""), sum = LLVMBuildPhi(w->b, w->number, "");
  LLVMValueRef x = LLVMBuildLoad2(w->b, w->number, element(w, i), "");
  LLVMValueRef next_sum = LLVMBuildFAdd(w->b, sum, LLVMBuildFMul(w->b, x, sum, ""), "");
  LLVMValueRef next = LLVMBuildAdd(w->b, i, LLVMConstInt(w->i32, 1, false), "");
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntSLT, next, LLVMGetParam(w->function, 1), ""), loop, end);
  LLVMBasicBlockRef from[] = {before, loop};
  LLVMValueRef indices[] = {LLVMConstInt(w->i32, 0, false), next}, sums[] = {LLVMConstReal(w->number, 1), next_sum};
  LLVMAddIncoming(i, indices, from, 2);
  LLVMAddIncoming(sum, sums, from, 2);
  return next_sum;
}

/* kernel void warm_up(global float *x, int n) { ...; x[get_global_id(0)] = sum; } */
static void write_kernel(struct writer *w) {
  LLVMContextRef context = LLVMGetModuleContext(w->module);
  LLVMTypeRef types[] = {w->pointer, w->i32};
  w->function = LLVMAddFunction(w->module, NAME, LLVMFunctionType(w->nothing, types, 2, false));
  LLVMSetFunctionCallConv(w->function, SPIR_KERNEL);
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(context, w->function, ""),
                    loop = LLVMAppendBasicBlockInContext(context, w->function, ""),
                    end = LLVMAppendBasicBlockInContext(context, w->function, "");
  LLVMPositionBuilderAtEnd(w->b, start);
  LLVMValueRef id = call_get_global_id(w);
  LLVMBuildBr(w->b, loop);
  LLVMValueRef sum = write_loop(w, start, loop, end);
  LLVMPositionBuilderAtEnd(w->b, end);
  LLVMBuildStore(w->b, sum, element(w, id));
  LLVMBuildRetVoid(w->b);
}

static LLVMMemoryBufferRef write_bitcode(void) {
  LLVMContextRef context = LLVMContextCreate();
  struct writer w = {.b = LLVMCreateBuilderInContext(context),
                     .module = LLVMModuleCreateWithNameInContext(NAME, context),
                     .nothing = LLVMVoidTypeInContext(context),
                     .i32 = LLVMInt32TypeInContext(context),
                     .number = LLVMFloatTypeInContext(context),
                     .pointer = LLVMPointerTypeInContext(context, 1)};
  write_kernel(&w);
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(w.module);
  LLVMDisposeBuilder(w.b);
  LLVMDisposeModule(w.module);
  LLVMContextDispose(context);
  return bitcode;
}

int kernel_warm_up(struct error *error) {
  static bool is_warm;
  struct kernel_program *program;
  struct arena none = {0};
  if (is_warm || getenv("REASSEMBLE_DUMP_IR")) /* dumps are of other kernels */
    return 0;
  is_warm = true;
  if (llvm_library_load(error) != 0)
    return -1;
  phase_silence(true);
  kernel_prepare();
  LLVMMemoryBufferRef bitcode = write_bitcode();
  const int status = kernel_program_create(LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), NAME ".cl", NAME,
                                           NULL, 0, &none, (struct kernel_purpose){.records = true}, &program, error);
  if (!status)
    kernel_program_destroy(program);
  LLVMDisposeMemoryBuffer(bitcode);
  phase_silence(false);
  return status;
}
