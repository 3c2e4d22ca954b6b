/* The values of one operand in all work-items of a warp, and what arithmetic on them looks like.
 *
 * Shapes:  a warp has at most WARP_LANES work-items, one a lane. Arithmetic computes all lanes; the executor keeps the
 *          results of active ones.
 * Threads: arithmetic functions change nothing but *out and *alu_call.wide. */
#ifndef TRACEGEN_BIFROST_LANES_H
#define TRACEGEN_BIFROST_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "tracegen/bifrost/alu/modifiers.h"

#define WARP_LANES 8

struct lanes {
  _Alignas(32) uint32_t at[WARP_LANES];
};

/* The types of sources: one number of 32 bits, two of 16 bits, or four of 8 bits. */
enum source_type {
  SOURCE_F32,
  SOURCE_S32,
  SOURCE_U32,
  SOURCE_H2, /* two floats of 16 bits */
  SOURCE_S16X2,
  SOURCE_U16X2,
  SOURCE_S8X4,
  SOURCE_U8X4
};

/* The facts about its instruction and its warp that an arithmetic function may read. */
struct alu_call {
  const uint8_t *modifier; /* [T_COUNT], V_* */
  uint32_t number;         /* the instruction's immediate number */
  uint8_t active;          /* one bit a lane */
  bool flushes;            /* subnormal numbers count as zero */
  uint64_t local_base;     /* address at which work-group memory appears */
  uint64_t private_base;   /* address at which a work-item's private memory appears */
  struct lanes *wide;      /* upper half of an address, from the FMA unit to the ADD unit of the same tuple */
};

/* Computes *out of the sources *in[0], *in[1], ..., whose parts, absolute values and signs have been taken. *out is
 * none of the sources. */
typedef void alu_function(struct lanes *out, const struct lanes *const *in, const struct alu_call *call);

#define X(name) alu_function name;
#include "tracegen/bifrost/alu/alu_functions.def"
#undef X

#endif
