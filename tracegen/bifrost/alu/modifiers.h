/* Modifiers of Bifrost instructions: which there are, and what they can be. An instruction has an array of them,
 * `modifier[T_COUNT]`, whose elements are V_* values; V_NO_VALUE (0): the instruction has no such modifier.
 *
 * PART0 to PART3 say which part of a source is taken: a half (H0), two halves in an order (H10), a byte (B2), or
 * several bytes (B0011). A digit is the number of the half or byte, 0 the least significant one; the first digit gives
 * the least significant part of the result.
 * Source: the names are those of Mesa's open description of the instruction set (Mesa 25.0.7,
 * src/panfrost/compiler/bifrost/ISA.xml). */
#ifndef TRACEGEN_BIFROST_MODIFIERS_H
#define TRACEGEN_BIFROST_MODIFIERS_H

enum bifrost_value {
#define X(name, text) V_##name,
#include "tracegen/bifrost/alu/modifier_values.def"
#undef X
  V_COUNT
};

enum bifrost_target {
#define X(name) T_##name,
#include "tracegen/bifrost/alu/modifier_targets.def"
#undef X
  T_COUNT
};

#endif
