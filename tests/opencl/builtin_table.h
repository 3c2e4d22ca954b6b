/* The built-in functions of OpenCL C 1.2, sections 6.12.2 to 6.12.12, as expressions, in groups that take the same
 * arguments.
 *
 * Expressions see x, y, z of type T; names for types: S one element of T, I int, J signed and U unsigned integers of
 * S's size, each as wide as T; N the width as a suffix, CAT(a, b) joins names. */
#ifndef TESTS_BUILTIN_TABLE_H
#define TESTS_BUILTIN_TABLE_H

#include <stdbool.h>
#include <stddef.h>

enum builtin_types { FLOATING = 1, SMALL_INTEGERS = 2, INTS = 4, LONGS = 8, INTEGERS = 14 };
enum builtin_values {
  ANY_VALUE,   /* NaN, infinities, zeros, denormal and huge numbers among them; all integers */
  TAME_VALUE,  /* 0.5 to 4 */
  SMALL_VALUE, /* integers of 24 bits */
};

struct builtin_row {
  const char *expression;
  const char *result; /* type with T's width; "1S", "1int": of one element; "" for T itself */
  double ulps;        /* between two implementations: twice the specification's bound; 0: equal */
};

struct builtin_group {
  const char *name;
  unsigned types;  /* enum builtin_types */
  unsigned widths; /* bit w: width w */
  enum builtin_values values;
  const struct builtin_row *rows;
  size_t count;
};

extern const struct builtin_group builtin_groups[];
extern const size_t builtin_group_count;

#endif
