/* Names that a kernel's source must not use, and other contents that a module of a kernel must not have. An asm
 * label (`__asm__("name")`) gives a function or a variable any name, but later passes know markers, LLVM's
 * intrinsics and the internals of PoCL's built-in functions by their names, and trust them. */
#include "tracegen/lower/reserved_names.h"

#include <ctype.h>
#include <string.h>

#include "tracegen/lower/ir/markers.h"

#define SPIR_FUNCTION 75 /* llvm/IR/CallingConv.h: clang's convention for every function of the source */
#define MOST_BYTES    (UINT64_C(1) << 32)

struct reservation {
  const char *start, *holder;
};

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* Returns what a name is reserved for; NULL: a kernel may use it. */
static const char *holder_of(const char *name) {
  static const struct reservation rows[] = {
      {MARKER_PREFIX, "this program"},         {"llvm.", "LLVM"},
      {"_cl_", "PoCL's built-in functions"},   {"__pocl_", "PoCL's built-in functions"},
      {"_pocl_", "PoCL's built-in functions"}, {"Sleef_", "PoCL's built-in functions"}};
  const char *stem = name;
  if (starts_with(stem, "_Z") && isdigit((unsigned char)stem[2]))
    stem += 2 + strspn(stem + 2, "0123456789");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (starts_with(stem, rows[i].start) || starts_with(name, rows[i].start))
      return rows[i].holder;
  return NULL;
}

/* Returns whether a name is an identifier of C, with clang's dollar sign and letters beyond ASCII, and characters of
 * `others`. */
static bool is_identifier(const char *name, const char *others) {
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_' && *name != '$' && !((unsigned char)*name & 0x80) &&
        !strchr(others, *name))
      return false;
  return true;
}

/* Returns the first call of the function; NULL: there is none. */
static LLVMValueRef first_call(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
    if (LLVMIsACallInst(LLVMGetUser(use)))
      return LLVMGetUser(use);
  return NULL;
}

/* Returns an instruction that uses the value, directly or through constant expressions; NULL: there is none. */
static LLVMValueRef first_user(LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    LLVMValueRef found = LLVMIsAInstruction(user) ? user : LLVMIsAConstant(user) ? first_user(user) : NULL;
    if (found)
      return found;
  }
  return NULL;
}

static int refuse_name(struct lowering *l, LLVMValueRef user, const char *name, const char *holder) {
  if (!holder)
    return lower_error(l, user, "\"%.80s\" is not an identifier of OpenCL C: an asm label may not give such a name",
                       name);
  return lower_error(l, user, "the name \"%.80s\" is reserved for %s: choose another one, or leave out its asm label",
                     name, holder);
}

/* Returns whether clang itself calls the intrinsic, which it does in C's calling convention. */
static bool is_clangs(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call) || LLVMGetInstructionCallConv(call) == SPIR_FUNCTION)
      return false;
  }
  return LLVMIsDeclaration(function) && LLVMGetIntrinsicID(function) != 0;
}

static int check_function(struct lowering *l, LLVMValueRef function) {
  const char *name = ir_name(function), *holder = holder_of(name);
  if (starts_with(name, "llvm.") && is_clangs(function))
    return 0;
  return holder || !is_identifier(name, "") ? refuse_name(l, first_call(function), name, holder) : 0;
}

/* Returns whether clang makes the variable, for the attributes `used` and `annotate`. */
static bool is_list_of_clang(const char *name) {
  return strcmp(name, "llvm.used") == 0 || strcmp(name, "llvm.compiler.used") == 0 ||
         strcmp(name, "llvm.global.annotations") == 0;
}

/* Returns the bytes of the variable, or more where an array that is larger is indexed in it: clang 15 cuts the number
 * of elements of an array with an initialiser off at 32 bits in the variable, but not where it indexes it. */
static uint64_t declared_bytes(LLVMTargetDataRef layout, LLVMValueRef variable) {
  uint64_t most = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAGetElementPtrInst(user) &&
        !(LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr))
      continue;
    const uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetGEPSourceElementType(user));
    most = bytes > most ? bytes : most;
  }
  return most;
}

/* Variables of functions are named "function.variable", and string literals ".str.1". */
static int check_variable(struct lowering *l, LLVMValueRef variable) {
  const char *name = ir_name(variable), *holder = holder_of(name);
  const bool lists = is_list_of_clang(name) && LLVMGetLinkage(variable) == LLVMAppendingLinkage;
  if ((holder && !lists) || !is_identifier(name, "."))
    return refuse_name(l, first_user(variable), name, holder);
  const uint64_t bytes = lists ? 0 : declared_bytes(LLVMGetModuleDataLayout(l->module), variable);
  if (bytes > MOST_BYTES)
    return lower_error(l, first_user(variable), "variable \"%.80s\" takes %llu bytes; at most %llu can be addressed",
                       name, (unsigned long long)bytes, (unsigned long long)MOST_BYTES);
  return 0;
}

int reserved_names_refuse(struct lowering *l) {
  size_t length;
  LLVMGetModuleInlineAsm(l->module, &length);
  if (length)
    return error_at(l->error, ERROR_INPUT, l->program->source, 0, 0, NULL,
                    "assembly (asm) outside of functions is not supported: it is one processor's, and no OpenCL C");
  if (LLVMGetFirstGlobalAlias(l->module))
    return error_at(l->error, ERROR_INPUT, l->program->source, 0, 0, NULL,
                    "a second name of a function or variable (__attribute__((alias))) is not supported");
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module); f; f = LLVMGetNextFunction(f))
    if (check_function(l, f))
      return -1;
  for (LLVMValueRef g = LLVMGetFirstGlobal(l->module); g; g = LLVMGetNextGlobal(g))
    if (check_variable(l, g))
      return -1;
  return 0;
}
