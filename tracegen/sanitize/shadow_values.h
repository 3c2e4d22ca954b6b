/* Shadow values: for each value that may depend on an unwritten private variable, a `shadow`, an integer of its size
 * (or a vector of integers) with a 1 for each undefined bit, and an `origin`, 0 or 1 + the number of the variable's
 * part that an undefined bit comes from. Private to tracegen/sanitize; shadow_propagation.c says which values have
 * them.
 *
 * And, or, shifts and casts propagate bits exactly, so that bytes, padding and members of unions stay apart. Integer
 * arithmetic joins the bits of all operands. Other operations make an element undefined when one bit is.
 *
 * Ownership: `list` and `index` are the caller's. Shadow and origin are code of the same function, right behind the
 * value.
 * Source: Stepanov, Serebryany, "MemorySanitizer: fast detector of uninitialized memory use in C++" (CGO 2015). */
#ifndef TRACEGEN_SHADOW_VALUES_H
#define TRACEGEN_SHADOW_VALUES_H

#include "tracegen/sanitize/sanitize.h"

#define SHADOW_MOST_ELEMENTS 16 /* of a value with a shadow */

struct shadowed_value {
  LLVMValueRef value;
  LLVMValueRef shadow, origin; /* NULL: not built yet */
  uint32_t variable;           /* of a source: 1 + the number of the part; else 0 */
};

struct shadow_builder {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef number;
  struct value_map index; /* value -> place in `list` */
  struct shadowed_value *list;
  uint32_t count;
};

/* Builds the shadows and origins of all values of the list, which has to contain every value that depends on one of
 * them. */
void shadow_values_make(struct shadow_builder *c);
/* The shadow and origin of any value; zeros where it has none. */
LLVMValueRef shadow_of_value(const struct shadow_builder *c, LLVMValueRef value);
LLVMValueRef origin_of_value(const struct shadow_builder *c, LLVMValueRef value);
/* Builds one bit at the builder's place: some bit of a shadow is set; in each element some bit is; every bit is. */
LLVMValueRef shadow_any(const struct shadow_builder *c, LLVMValueRef shadow);
LLVMValueRef shadow_each(const struct shadow_builder *c, LLVMValueRef shadow);
LLVMValueRef shadow_all(const struct shadow_builder *c, LLVMValueRef shadow);

#endif
