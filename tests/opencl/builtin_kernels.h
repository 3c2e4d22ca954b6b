/* A kernel for each group of built-in functions, type and width: its source, and what it stores where. */
#ifndef TESTS_BUILTIN_KERNELS_H
#define TESTS_BUILTIN_KERNELS_H

#include "builtin_table.h"
#include "workload/workload.h"

#define BUILTIN_ITEMS      64
#define BUILTIN_LOCAL      16
#define BUILTIN_SLOT_BYTES 256
#define BUILTIN_MAX_SLOTS  400

/* One result: `elements` of `type` at (item * slot_count + slot) * BUILTIN_SLOT_BYTES. */
struct builtin_slot {
  char expression[96];
  enum scalar_type type;
  unsigned elements;
  double ulps;
};

struct builtin_kernel {
  char name[64], *source; /* the kernel is called `f` */
  enum scalar_type type;  /* of the inputs x, y and z */
  unsigned width;
  enum builtin_values values;
  struct builtin_slot slots[BUILTIN_MAX_SLOTS];
  unsigned slot_count;
};

/* All of them, or (`all` false) each type in one width and each width in some type. The list and its sources live until
 * the program ends. */
size_t builtin_kernels(bool all, struct builtin_kernel **list);

#endif
