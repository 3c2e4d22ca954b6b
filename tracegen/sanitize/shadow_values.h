/* Values that may come from a private variable that was not written, each with two companions: `shadow`, an integer of
 * the value's size (or a vector of such) with a 1 for each bit that is undefined, and `origin`, 0 or 1 + the number of
 * the variable that a bit of it comes from. Private to undefined_values.c, which decides what is followed.
 *
 * Bits go the way that MemorySanitizer gives them (Stepanov, Serebryany: CGO 2015): through and, or, shifts and casts
 * exactly, so that bytes, padding and halves of unions are kept apart; arithmetic on integers takes the bits of all
 * operands together, everything else makes of one undefined bit an undefined element.
 *
 * Ownership: `list` and `index` are the caller's. A companion is code of the same function, right behind its value. */
#ifndef TRACEGEN_SHADOW_VALUES_H
#define TRACEGEN_SHADOW_VALUES_H

#include "tracegen/lower/lower.h"

#define COMPANION_MOST_ELEMENTS 16 /* of a value that is followed */

struct followed {
  LLVMValueRef value;
  LLVMValueRef shadow, origin; /* NULL: not there yet */
  uint32_t variable;           /* 1 + its number, where the value is its start */
};

struct companions {
  struct lowering *l;
  LLVMBuilderRef b;
  LLVMTypeRef number;
  struct value_map index; /* value -> place in list */
  struct followed *list;
  uint32_t count;
};

/* Companions of all values of the list; every value that is made of one of them has to be there, too. */
void companions_make(struct companions *c);
/* Those of any value: zeros where it is not followed. */
LLVMValueRef companion_shadow(const struct companions *c, LLVMValueRef value);
LLVMValueRef companion_origin(const struct companions *c, LLVMValueRef value);
/* One bit, at the builder's place: of a shadow some bit is set; in each element some bit; every bit. */
LLVMValueRef companion_any(const struct companions *c, LLVMValueRef shadow);
LLVMValueRef companion_each(const struct companions *c, LLVMValueRef shadow);
LLVMValueRef companion_all(const struct companions *c, LLVMValueRef shadow);

#endif
