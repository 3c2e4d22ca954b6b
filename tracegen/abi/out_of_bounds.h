/* The rule for a load from outside of its buffer: the option --out-of-bounds (docs/emulator.md). */
#ifndef TRACEGEN_OUT_OF_BOUNDS_H
#define TRACEGEN_OUT_OF_BOUNDS_H

#include <stdint.h>

/* TRAP: the launch ends with a message. READ_ZERO: a load from global or constant memory gives zeros and is counted.
 * Stores and atomic operations, and loads from local and private memory, always end the launch. */
enum out_of_bounds { OUT_OF_BOUNDS_TRAP, OUT_OF_BOUNDS_READ_ZERO };
/* Their names in options, in this order. */
#define OUT_OF_BOUNDS_NAMES                                                                                            \
  { "trap", "read-zero", NULL }

/* The loads of a launch that gave zeros. It may lie in memory that several threads and processes share. */
struct outside_loads {
  uint64_t count;  /* executions, of all work-items */
  uint64_t group;  /* 1 + the id of the first work-group with such a load; 0: none */
  char first[320]; /* the first load of that work-group, in words; empty: none */
};

#endif
