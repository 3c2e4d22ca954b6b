/* Lists of variables, the map from LLVM to them, and the metadata with their numbers and names. */
#include "tracegen/lower/ir/variables.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "tracegen/lower/ir/instructions.h"

#define NUMBER "reassemble.variable" /* metadata */

int kernel_variable_add(struct kernel_variables *v, const char *name, uint64_t bytes, uint32_t alignment) {
  if (!array_room_for_one(&v->list, v->count, sizeof *v->list))
    return -1;
  v->list[v->count] = (struct kernel_variable){.name = strdup(name), .bytes = bytes, .alignment = alignment};
  return v->list[v->count++].name ? 0 : -1;
}

bool variable_place(struct value_map *variables, LLVMValueRef value, struct placed_variable place) {
  assert(place.index < 1u << 24);
  return value_map_put(variables, value, (uint32_t)place.kind << 24 | place.index);
}

bool variable_find(const struct value_map *variables, LLVMValueRef value, struct placed_variable *place) {
  uint32_t packed;
  if (!value_map_get(variables, value, &packed))
    return false;
  *place = (struct placed_variable){.kind = (enum root_kind)(packed >> 24), .index = packed & 0xffffff};
  return true;
}

static unsigned number_kind(struct lowering *l) {
  return LLVMGetMDKindIDInContext(l->context, NUMBER, (unsigned)strlen(NUMBER));
}

void variable_number(struct lowering *l, LLVMValueRef alloca, uint32_t number) {
  const char *name = ir_name(alloca);
  LLVMMetadataRef parts[] = {
      LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(l->context), number, false)),
      LLVMMDStringInContext2(l->context, name, strlen(name)),
  };
  LLVMSetMetadata(alloca, number_kind(l), LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, parts, 2)));
}

uint32_t variable_number_of(struct lowering *l, LLVMValueRef alloca) {
  LLVMValueRef node = LLVMGetMetadata(alloca, number_kind(l)), values[2];
  if (!node)
    return 0;
  LLVMGetMDNodeOperands(node, values);
  return (uint32_t)LLVMConstIntGetZExtValue(values[0]);
}

const char *variable_name_of(struct lowering *l, LLVMValueRef alloca) {
  LLVMValueRef node = LLVMGetMetadata(alloca, number_kind(l)), values[2];
  unsigned length;
  if (!node)
    return "";
  LLVMGetMDNodeOperands(node, values);
  return LLVMGetMDString(values[1], &length);
}
