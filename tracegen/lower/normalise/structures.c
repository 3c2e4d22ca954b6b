/* Structures and unions as kernel arguments, which clang passes "byval", as a pointer to a private copy. The kernel
 * gets the copy as a private variable, filled from the argument part by part. The optimiser keeps the variable only
 * where the kernel indexes it with values that are known while it runs. Reading a part costs no access, as for every
 * argument: it is a marker (ARGUMENT_PART), which lower_calls.c replaces by a load. */
#include "tracegen/lower/normalise/structures.h"

#include <string.h>

#include "tracegen/lower/ir/instructions.h"
#include "tracegen/lower/ir/markers.h"

static LLVMTypeRef structure_type(struct lowering *l, uint32_t parameter) {
  LLVMAttributeRef by_value = ir_parameter_attribute(l->kernel, parameter, "byval");
  return by_value ? LLVMGetTypeAttributeValue(by_value) : NULL;
}

bool structure_is_parameter(struct lowering *l, uint32_t parameter) {
  return structure_type(l, parameter) != NULL;
}

struct filler {
  struct lowering *l;
  LLVMBuilderRef b;
  uint32_t parameter;
  LLVMValueRef copy;
  bool *filled; /* by byte */
};

static int fill_part(struct filler *f, LLVMTypeRef type, uint64_t offset) {
  struct lowering *l = f->l;
  LLVMValueRef part = marker_argument_part(l, f->b, f->parameter, type, offset);
  if (!part)
    return lower_no_memory(l);
  LLVMValueRef place = ir_offset(l, f->b, f->copy, offset);
  LLVMSetAlignment(LLVMBuildStore(f->b, part, place), 1);
  memset(f->filled + offset, true, LLVMStoreSizeOfType(l->layout, type));
  return 0;
}

static int fill(struct filler *f, LLVMTypeRef type, uint64_t offset) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMStructTypeKind) {
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      if (fill(f, LLVMStructGetTypeAtIndex(type, i), offset + LLVMOffsetOfElement(f->l->layout, type, i)))
        return -1;
    return 0;
  }
  if (kind != LLVMArrayTypeKind)
    return fill_part(f, type, offset);
  const uint64_t stride = LLVMABISizeOfType(f->l->layout, LLVMGetElementType(type));
  for (unsigned i = 0; i < LLVMGetArrayLength(type); i++)
    if (fill(f, LLVMGetElementType(type), offset + i * stride))
      return -1;
  return 0;
}

/* Fills gaps, too: another member of a union may lie there. */
static int fill_all(struct filler *f, LLVMTypeRef type, uint64_t bytes) {
  if (fill(f, type, 0))
    return -1;
  for (uint64_t i = 0; i < bytes; i++)
    if (!f->filled[i] && fill_part(f, LLVMInt8TypeInContext(f->l->context), i))
      return -1;
  return 0;
}

int structure_parameter(struct lowering *l, uint32_t parameter, struct kernel_parameter *p) {
  LLVMTypeRef type = structure_type(l, parameter);
  LLVMValueRef argument = LLVMGetParam(l->kernel, parameter);
  const uint64_t bytes = LLVMABISizeOfType(l->layout, type);
  bool filled[sizeof((struct kernel_argument *)0)->value] = {false};
  if (bytes > sizeof filled)
    return lower_error(l, NULL, "parameter %s of type %s takes %llu bytes; at most %zu are supported", p->name,
                       p->type_name, (unsigned long long)bytes, sizeof filled);
  p->is_structure = true;
  p->value_bytes = (uint32_t)bytes;
  struct filler f = {.l = l, .b = LLVMCreateBuilderInContext(l->context), .parameter = parameter, .filled = filled};
  LLVMPositionBuilderBefore(f.b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(l->kernel)));
  f.copy = LLVMBuildAlloca(f.b, type, p->name);
  LLVMSetAlignment(f.copy, 16);
  const int status = fill_all(&f, type, bytes);
  LLVMDisposeBuilder(f.b);
  LLVMReplaceAllUsesWith(argument, f.copy);
  return status;
}
