/* Names of OpenCL's built-in functions, without mangling, and lists of those that the emulator treats alike. */
#include "tracegen/lower/ir/builtin_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/lower/ir/instructions.h"

const char *builtin_name(LLVMValueRef function, char *buffer, size_t size) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  char *end;
  if (strncmp(name, "_Z", 2) == 0 && isdigit((unsigned char)name[2])) {
    const unsigned long digits = strtoul(name + 2, &end, 10);
    if (digits <= strlen(end)) {
      name = end;
      length = digits;
    }
  }
  if (length > 4 && strncmp(name, "_cl_", 4) == 0) {
    name += 4;
    length -= 4;
  }
  if (length >= size)
    length = size - 1;
  memcpy(buffer, name, length);
  buffer[length] = 0;
  return buffer;
}

static int index_of(const char *name, const char *const *names, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return -1;
}

/* Index of the function's name in a list, or -1. */
static int function_index(LLVMValueRef function, const char *const *names, int count) {
  char name[64];
  return index_of(builtin_name(function, name, sizeof name), names, count);
}

#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

int builtin_query(LLVMValueRef function) {
  static const char *const names[QUERY_COUNT] = {
#define X(id, name) name,
      WORK_ITEM_QUERIES(X)
#undef X
  };
  return function_index(function, names, QUERY_COUNT);
}

bool builtin_is_barrier(LLVMValueRef function) {
  static const char *const names[] = {"barrier", "work_group_barrier", "wait_group_events"};
  return function_index(function, names, COUNT(names)) >= 0;
}

bool builtin_is_collective(LLVMValueRef function, struct collective *out) {
  struct collective found;
  char name[64];
  size_t length;
  const char *full_name = LLVMGetValueName2(function, &length);
  const char *at = strstr(full_name, builtin_name(function, name, sizeof name));
  return at && at > full_name && collective_parse(name, at + strlen(name), out ? out : &found);
}

bool builtin_is_group_collective(LLVMValueRef function) {
  struct collective found;
  return builtin_is_collective(function, &found) && found.whole_group;
}

bool builtin_is_fence(LLVMValueRef function) {
  static const char *const names[] = {"mem_fence", "read_mem_fence", "write_mem_fence", "atomic_work_item_fence"};
  return function_index(function, names, COUNT(names)) >= 0;
}

bool builtin_is_printf(LLVMValueRef function) {
  static const char *const names[] = {"printf"};
  return function_index(function, names, COUNT(names)) >= 0;
}

bool builtin_is_image_function(const char *name) {
  return strncmp(name, "read_image", 10) == 0 || strncmp(name, "write_image", 11) == 0 ||
         strncmp(name, "get_image_", 10) == 0 || strcmp(name, SAMPLER_LITERAL) == 0;
}

bool builtin_is_shuffle(LLVMValueRef value) {
  static const char *const names[] = {"shuffle", "shuffle2"};
  LLVMValueRef callee = ir_callee(value);
  return callee && function_index(callee, names, COUNT(names)) >= 0;
}

bool builtin_stores_result(const char *name) {
  static const char *const names[] = {"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"};
  return index_of(name, names, COUNT(names)) >= 0;
}

/* sincos, fract and modf store a value of the result's type; frexp, remquo and lgamma_r an int for each element. */
LLVMTypeRef builtin_second_result(struct lowering *l, const char *name, LLVMTypeRef result) {
  static const char *const same_type[] = {"sincos", "fract", "modf"};
  uint32_t elements;
  ir_element(result, &elements);
  LLVMTypeRef integer = LLVMInt32TypeInContext(l->context);
  if (index_of(name, same_type, COUNT(same_type)) >= 0)
    return result;
  return elements == 1 ? integer : LLVMVectorType(integer, elements);
}
