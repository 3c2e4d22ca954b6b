/* The meaning of the 3-bit source selectors of instructions, and of the FAU byte behind two of them.
 *
 * The FAU (fast access uniforms) gives a tuple 64 bits: a uniform of the dispatch, a constant of the clause, or
 * something of the warp. Source: as clause.h. */
#ifndef TRACEGEN_BIFROST_SOURCES_H
#define TRACEGEN_BIFROST_SOURCES_H

#include <stdint.h>

enum source_selector {
  SOURCE_SLOT0,
  SOURCE_SLOT1,
  SOURCE_SLOT2,
  SOURCE_STAGE, /* FMA: zero; ADD: the FMA unit's result in this tuple */
  SOURCE_FAU_LOW,
  SOURCE_FAU_HIGH,
  SOURCE_PASSED_FMA, /* results of the tuple before */
  SOURCE_PASSED_ADD
};

#define FAU_UNIFORM     0x80 /* a FAU byte from here on: uniform number byte - 0x80 */
#define FAU_CONSTANT    0x20 /* from here on: a constant of the clause; the low 4 bits are the constant's low bits */
#define FAU_ZERO        0
#define FAU_LANE        1
#define FAU_WARP        2
#define FAU_CORE        3
#define FAU_FRAMEBUFFER 4
#define FAU_ATEST       5
#define FAU_SAMPLE      6
#define FAU_BLEND       8 /* to 15 */

/* Returns which of the clause's constants a FAU byte of at least FAU_CONSTANT and below FAU_UNIFORM means. */
static inline unsigned fau_constant(uint8_t fau) {
  static const uint8_t index[8] = {0, 0, 4, 5, 0, 1, 2, 3};
  return index[fau >> 4];
}

#endif
