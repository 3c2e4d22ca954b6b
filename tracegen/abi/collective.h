/* Built-in functions by which the work-items of a sub-group or of a work-group exchange values. Private to tracegen.
 *
 * Cost: parsing compares a few strings. Threads: any.
 * Source: The OpenCL C Specification 3.0, sections 6.15.16 (work-group collective functions) and 6.15.19 (sub-group
 * functions); The OpenCL Extension Specification, cl_khr_subgroups and cl_khr_subgroup_*. */
#ifndef TRACEGEN_COLLECTIVE_H
#define TRACEGEN_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "workload/scalar_type.h"

#define SUB_GROUP_SIZE 16 /* work-items, where nothing says it: assumed */

enum collective_kind {
  COLLECTIVE_BARRIER,
  COLLECTIVE_ELECT,
  COLLECTIVE_ALL,
  COLLECTIVE_ANY,
  COLLECTIVE_ALL_EQUAL,
  COLLECTIVE_BROADCAST, /* also shuffle: the work-item with this number */
  COLLECTIVE_BROADCAST_FIRST,
  COLLECTIVE_SHUFFLE_XOR,
  COLLECTIVE_SHUFFLE_UP,
  COLLECTIVE_SHUFFLE_DOWN,
  COLLECTIVE_ROTATE,
  COLLECTIVE_REDUCE,
  COLLECTIVE_SCAN_INCLUSIVE,
  COLLECTIVE_SCAN_EXCLUSIVE,
  COLLECTIVE_BALLOT,
  /* These read no other work-item's value, but ask which number the work-item has: */
  COLLECTIVE_INVERSE_BALLOT,
  COLLECTIVE_BIT_EXTRACT,
  COLLECTIVE_BIT_COUNT,
  COLLECTIVE_BALLOT_INCLUSIVE_SCAN,
  COLLECTIVE_BALLOT_EXCLUSIVE_SCAN,
  COLLECTIVE_FIND_LSB,
  COLLECTIVE_FIND_MSB,
  COLLECTIVE_EQ_MASK,
  COLLECTIVE_GE_MASK,
  COLLECTIVE_GT_MASK,
  COLLECTIVE_LE_MASK,
  COLLECTIVE_LT_MASK,
};

enum collective_operation {
  OPERATION_ADD,
  OPERATION_MUL,
  OPERATION_MIN,
  OPERATION_MAX,
  OPERATION_AND,
  OPERATION_OR,
  OPERATION_XOR,
  OPERATION_LOGICAL_AND,
  OPERATION_LOGICAL_OR,
  OPERATION_LOGICAL_XOR
};

/* The meaning of a call. */
struct collective {
  uint8_t kind, operation; /* enum collective_kind; enum collective_operation, of reductions and scans */
  uint8_t type;            /* enum scalar_type of the first argument */
  bool whole_group;        /* the work-items of the work-group; false: of the sub-group */
  bool uniform;            /* all of them have to call it; false: those that are at the call take part */
  bool clustered;          /* its last argument divides the sub-group into clusters */
};

enum { COLLECTIVE_NUMBERS = 3 };

/* The operands and the result of a call, on the stack of the work-item. */
struct collective_operands {
  _Alignas(16) unsigned char value[128]; /* the first argument; the largest vector has 16 elements of 8 bytes */
  unsigned char result[128];
  uint64_t numbers[COLLECTIVE_NUMBERS]; /* the arguments behind it: a work-item, a distance or a cluster size; else 0 */
};

/* Reads a function's name and the mangled types of its arguments ("f", "Dv4_fj"). Returns whether it is such a
 * function. */
bool collective_parse(const char *name, const char *types, struct collective *out);

/* The state of a work-item that waits at a call (group_run.waiting): the operation of the code table that makes the
 * call, and what it asks for. States are in order of operations. */
#define COLLECTIVE_STATE (UINT64_C(1) << 62)
uint64_t collective_pack(const struct collective *c, uint32_t op);
struct collective collective_unpack(uint64_t state);
static inline uint32_t collective_op(uint64_t state) {
  return (uint32_t)(state >> 32 & 0xffffff); /* MAX_OPS of code_table.c */
}

#endif
