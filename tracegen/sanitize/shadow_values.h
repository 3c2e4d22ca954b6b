/* Values that may come from a private variable that was not written, each with two shadow_builder: `shadow`, an integer of
 * the value's size (or a vector of such) with a 1 for each bit that is undefined, and `origin`, 0 or 1 + the number of
 * the variable that a bit of it comes from. Private to shadow_propagation.c, which decides what is shadowed_value.
 *
 * Bits go the way that MemorySanitizer gives them (Stepanov, Serebryany: CGO 2015): through and, or, shifts and casts
 * exactly, so that bytes, padding and halves of unions are kept apart; arithmetic on integers takes the bits of all
 * operands together, everything else makes of one undefined bit an undefined element.
 *
 * Ownership: `list` and `index` are the caller's. A companion is code of the same function, right behind its value. */
#ifndef TRACEGEN_SHADOW_VALUES_H
#define TRACEGEN_SHADOW_VALUES_H

#include "tracegen/sanitize/sanitize.h"

#define SHADOW_MOST_ELEMENTS 16 /* of a value that is shadowed_value */

struct shadowed_value {
  LLVMValueRef value;
  LLVMValueRef shadow, origin; /* NULL: not there yet */
  uint32_t variable;           /* 1 + its number, where the value is its start */
};

struct shadow_builder {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef number;
  struct value_map index; /* value -> place in list */
  struct shadowed_value *list;
  uint32_t count;
};

/* Companions of all values of the list; every value that is made of one of them has to be there, too. */
void shadow_values_make(struct shadow_builder *c);
/* Those of any value: zeros where it is not shadowed_value. */
LLVMValueRef shadow_of_value(const struct shadow_builder *c, LLVMValueRef value);
LLVMValueRef origin_of_value(const struct shadow_builder *c, LLVMValueRef value);
/* One bit, at the builder's place: of a shadow some bit is set; in each element some bit; every bit. */
LLVMValueRef shadow_any(const struct shadow_builder *c, LLVMValueRef shadow);
LLVMValueRef shadow_each(const struct shadow_builder *c, LLVMValueRef shadow);
LLVMValueRef shadow_all(const struct shadow_builder *c, LLVMValueRef shadow);

#endif
