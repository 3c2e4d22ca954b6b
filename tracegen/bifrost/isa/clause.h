/* Clauses of Bifrost machine code, unpacked: a header, one to eight tuples and up to six constants.
 *
 * Shapes:  a clause takes one or more quadwords of 16 bytes. A tuple has 78 bits: a register block of 35, an
 *          instruction of the FMA unit of 23, and one of the ADD unit of 20.
 * Errors:  clause_unpack refuses what is no clause with ERROR_INPUT; it accepts any bytes.
 * Cost:    some 100 ns a clause. Threads: no state.
 * Source:  the formats are documented by the disassembler and packer of Mesa 25.0.7 (src/panfrost/compiler/bifrost). */
#ifndef TRACEGEN_BIFROST_CLAUSE_H
#define TRACEGEN_BIFROST_CLAUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define QUADWORD_BYTES       16
#define CLAUSE_MAX_TUPLES    8
#define CLAUSE_MAX_CONSTANTS 6

/* X(enumerator, "text in listings"), in the order of the 5 bits in a header. */
#define BIFROST_MESSAGES(X)                                                                                            \
  X(MESSAGE_NONE, "")                                                                                                  \
  X(MESSAGE_VARYING, "vary")                                                                                           \
  X(MESSAGE_ATTRIBUTE, "attr")                                                                                         \
  X(MESSAGE_TEX, "tex")                                                                                                \
  X(MESSAGE_VARTEX, "vartex")                                                                                          \
  X(MESSAGE_LOAD, "load")                                                                                              \
  X(MESSAGE_STORE, "store")                                                                                            \
  X(MESSAGE_ATOMIC, "atomic")                                                                                          \
  X(MESSAGE_BARRIER, "barrier")                                                                                        \
  X(MESSAGE_BLEND, "blend")                                                                                            \
  X(MESSAGE_TILE, "tile")                                                                                              \
  X(MESSAGE_RESERVED, "reserved")                                                                                      \
  X(MESSAGE_Z_STENCIL, "z_stencil")                                                                                    \
  X(MESSAGE_ATEST, "atest")                                                                                            \
  X(MESSAGE_JOB, "job")                                                                                                \
  X(MESSAGE_64BIT, "64")

enum bifrost_message {
#define X(id, text) id,
  BIFROST_MESSAGES(X)
#undef X
      MESSAGE_COUNT
};

/* The control flow behind a clause, in the order of the header's 3 bits: X(enumerator, "text"). "Back to back": the
 * next clause of the warp follows at once; "r_uncond", "br_pc": lanes that wait elsewhere may join. */
#define BIFROST_FLOWS(X)                                                                                               \
  X(FLOW_END, "eos")                                                                                                   \
  X(FLOW_RECONVERGE_BY_PC, "nbb br_pc")                                                                                \
  X(FLOW_RECONVERGE, "nbb r_uncond")                                                                                   \
  X(FLOW_NEXT, "nbb")                                                                                                  \
  X(FLOW_BACK_TO_BACK_RECONVERGE, "bb r_uncond")                                                                       \
  X(FLOW_BACK_TO_BACK, "bb")                                                                                           \
  X(FLOW_WRITE_ELISION_RECONVERGE, "we r_uncond")                                                                      \
  X(FLOW_WRITE_ELISION, "we")

enum bifrost_flow {
#define X(id, text) id,
  BIFROST_FLOWS(X)
#undef X
      FLOW_COUNT
};

struct clause_header {
  uint8_t flush_to_zero; /* 0: subnormal numbers are kept */
  uint8_t exceptions;
  uint8_t flow; /* enum bifrost_flow */
  uint8_t staging_register;
  uint8_t dependency_wait; /* one bit for each scoreboard slot that the next clause waits for */
  uint8_t dependency_slot; /* the scoreboard slot that this clause's message takes */
  uint8_t message, next_message;
  bool suppresses_inf, suppresses_nan, ends_discarded, prefetches, waits_for_staging;
};

struct clause_tuple {
  uint64_t registers; /* 35 bits */
  uint32_t fma;       /* 23 bits */
  uint32_t add;       /* 20 bits */
};

/* The part of a constant that is relative to the address of its clause. */
enum constant_origin { ORIGIN_NONE, ORIGIN_LOW, ORIGIN_HIGH, ORIGIN_BOTH };

struct clause {
  struct clause_header header;
  struct clause_tuple tuples[CLAUSE_MAX_TUPLES];
  /* A constant's low 4 bits come from the tuple that uses it. The seventh constant fills up a quadword. */
  uint64_t constants[CLAUSE_MAX_CONSTANTS + 1];
  uint8_t origins[CLAUSE_MAX_CONSTANTS + 1]; /* enum constant_origin */
  uint8_t tuple_count, constant_count, quadword_count;
};

/* Unpacks the clause at the start of `size` bytes of code. */
int clause_unpack(const uint8_t *code, size_t size, struct clause *out, struct error *error);
/* Returns the byte distance from the clause to what half `high` of a constant points to. */
int64_t constant_distance(uint64_t constant, enum constant_origin origin, bool high);

#endif
