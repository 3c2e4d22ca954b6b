/* Values that may come from a private variable that was not written, each with a companion that says which variable:
 * 0 for none, or 1 + its number; for a vector, one an element. Private to undefined_values.c, which decides what is
 * followed.
 *
 * Ownership: `list` and `index` are the caller's. A companion is code of the same function, right behind its value. */
#ifndef TRACEGEN_COMPANIONS_H
#define TRACEGEN_COMPANIONS_H

#include "tracegen/lower.h"

#define COMPANION_MOST_ELEMENTS 16 /* of a value that is followed */

struct followed {
  LLVMValueRef value;
  LLVMValueRef companion; /* NULL: not there yet */
  uint32_t variable;      /* 1 + its number, where the value is its start */
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
/* That of any value: zeros where it is not followed. */
LLVMValueRef companion_of(const struct companions *c, LLVMValueRef value);
/* At the builder's place: one number for a vector's, which is 0 unless all are set; the first of two that is set; the
 * condition. */
LLVMValueRef companion_if_all(const struct companions *c, LLVMValueRef companion);
LLVMValueRef companion_first(const struct companions *c, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef companion_is_set(const struct companions *c, LLVMValueRef companion);

#endif
