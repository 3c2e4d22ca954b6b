/* One element of a buffer, with its text for messages. Threads: any. */
#ifndef WORKLOAD_SCALAR_ELEMENT_H
#define WORKLOAD_SCALAR_ELEMENT_H

#include <stddef.h>

#include "workload/scalar_type.h"

struct scalar_element {
  char text[40]; /* all digits of an integer; of a float enough digits to tell it from its neighbours */
  double value;
};

/* Returns element `i` of the array `memory` as a double; 64-bit integers are rounded. */
double scalar_element_value(enum scalar_type type, const void *memory, size_t i);
/* Returns element `i` of the array `memory`. */
struct scalar_element scalar_element_read(enum scalar_type type, const void *memory, size_t i);

#endif
