/* The functions of PoCL's library that a kernel needs: from packs of the cache (builtin_cache.h), and the others
 * from the library, as a pack of their own. New and old packs are linked in the same way, so that the result does
 * not depend on the cache. */
#include "tracegen/lower/builtins/builtin_library.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>

#include "tracegen/lower/builtins/builtin_cache.h"
#include "tracegen/lower/builtins/builtins.h"
#include "tracegen/lower/ir/instructions.h"

struct needed {
  char **names;
  size_t count;
};

static int no_memory(struct lowering *l) {
  return error_set(l->error, ERROR_WORK, "out of memory for built-in functions");
}

static bool is_needed(LLVMValueRef function) {
  return LLVMIsDeclaration(function) && !LLVMGetIntrinsicID(function) && !builtin_stays_declared(function);
}

static int list_needed(struct lowering *l, struct needed *needed) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    count += is_needed(f);
  needed->names = calloc(count + 1, sizeof *needed->names);
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); needed->names && f; f = LLVMGetNextFunction(f))
    if (is_needed(f) && (needed->names[needed->count] = strdup(ir_name(f))))
      needed->count++;
  return needed->names && needed->count == count ? 0 : no_memory(l);
}

static void clear_needed(struct needed *needed) {
  for (size_t i = 0; i < needed->count; i++)
    free(needed->names[i]);
  free(needed->names);
}

static int read_library(struct lowering *l, LLVMModuleRef *library) {
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(REASSEMBLE_POCL_LIBRARY, &buffer, &message)) {
    error_set(l->error, ERROR_WORK,
              "cannot read PoCL's built-in functions %s: %s. Install PoCL (Debian: "
              "libpocl2) or build with -DREASSEMBLE_POCL_LIBRARY=FILE",
              REASSEMBLE_POCL_LIBRARY, message);
    LLVMDisposeMessage(message);
    return -1;
  }
  if (!LLVMGetBitcodeModuleInContext2(l->context, buffer,
                                      library)) /* reads functions when they are used; owns the buffer */
    return 0;
  return error_set(l->error, ERROR_WORK,
                   "LLVM " REASSEMBLE_LLVM_VERSION " cannot read %s; PoCL must be built with the "
                   "same LLVM",
                   REASSEMBLE_POCL_LIBRARY);
}

/* Marks the library's functions so that the linker takes only those that are used. */
static void make_optional(LLVMModuleRef library) {
  for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
      LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

static int link_into(struct lowering *l, LLVMModuleRef module, LLVMModuleRef from) {
  LLVMSetDataLayout(from, LLVMGetDataLayoutStr(l->module));
  LLVMSetTarget(from, LLVMGetTarget(l->module));
  if (!LLVMLinkModules2(module, from)) /* frees `from` */
    return 0;
  return error_set(l->error, ERROR_WORK, "LLVM cannot link %s", REASSEMBLE_POCL_LIBRARY);
}

static int link_pack(struct lowering *l, const char *bitcode, size_t length) {
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, length, "built-ins");
  LLVMModuleRef pack;
  if (!buffer)
    return lower_no_memory(l);
  const bool failed = LLVMParseBitcodeInContext2(l->context, buffer, &pack);
  LLVMDisposeMemoryBuffer(buffer);
  if (failed)
    return error_set(l->error, ERROR_WORK, "LLVM cannot read what it took out of %s", REASSEMBLE_POCL_LIBRARY);
  return link_into(l, l->module, pack);
}

static bool is_missing(struct lowering *l, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(l->module, name);
  return f && LLVMIsDeclaration(f);
}

/* Declares the missing functions that the library has in `pack`. A call of another one is refused later. Returns
 * their number. */
static size_t declare_missing(struct lowering *l, const struct needed *needed, LLVMModuleRef library,
                              LLVMModuleRef pack, const char **found) {
  size_t count = 0;
  for (size_t i = 0; i < needed->count; i++) {
    LLVMValueRef f = LLVMGetNamedFunction(library, needed->names[i]);
    if (!f || LLVMIsDeclaration(f) || !is_missing(l, needed->names[i]))
      continue;
    LLVMAddFunction(pack, needed->names[i], LLVMGlobalGetValueType(f));
    found[count++] = needed->names[i];
  }
  return count;
}

/* Links what no pack of the cache had, from the library. */
static int take_missing(struct lowering *l, const struct needed *needed, const char **found) {
  LLVMModuleRef library, pack = LLVMModuleCreateWithNameInContext("built-ins", l->context);
  if (read_library(l, &library)) {
    LLVMDisposeModule(pack);
    return -1;
  }
  make_optional(library);
  LLVMSetDataLayout(pack, LLVMGetDataLayoutStr(l->module));
  LLVMSetTarget(pack, LLVMGetTarget(l->module));
  const size_t count = declare_missing(l, needed, library, pack, found);
  int status = link_into(l, pack, library);
  LLVMMemoryBufferRef buffer = !status && count > 0 ? LLVMWriteBitcodeToMemoryBuffer(pack) : NULL;
  if (!status && count > 0 && !buffer)
    status = lower_no_memory(l);
  if (buffer) {
    const char *bitcode = LLVMGetBufferStart(buffer);
    const size_t length = LLVMGetBufferSize(buffer);
    builtin_cache_keep(found, count, bitcode, length);
    status = link_pack(l, bitcode, length);
    LLVMDisposeMemoryBuffer(buffer);
  }
  LLVMDisposeModule(pack);
  return status;
}

static int take_kept(struct lowering *l, const struct needed *needed, bool *all) {
  for (size_t i = 0; i < needed->count; i++) {
    struct kept_data pack;
    if (!is_missing(l, needed->names[i])) /* an earlier pack defined it */
      continue;
    if (!builtin_cache_find(needed->names[i], &pack)) {
      *all = false;
      continue;
    }
    const int status = link_pack(l, pack.data, pack.length);
    free(pack.memory);
    if (status)
      return -1;
  }
  return 0;
}

int builtin_library_link(struct lowering *l) {
  struct needed needed = {0};
  bool all = true;
  int status = list_needed(l, &needed) || take_kept(l, &needed, &all) ? -1 : 0;
  if (!status && !all) {
    const char **found = calloc(needed.count + 1, sizeof *found);
    status = found ? take_missing(l, &needed, found) : no_memory(l);
    free(found);
  }
  clear_needed(&needed);
  return status;
}
