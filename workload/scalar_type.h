/* Types of the numbers in buffers and images, with their names and sizes in bytes. All functions are pure. */
#ifndef WORKLOAD_SCALAR_TYPE_H
#define WORKLOAD_SCALAR_TYPE_H

#include <stdbool.h>
#include <stddef.h>

enum scalar_type { /* the host's sizes equal OpenCL's */
                   SCALAR_CHAR,
                   SCALAR_UCHAR,
                   SCALAR_SHORT,
                   SCALAR_USHORT,
                   SCALAR_INT,
                   SCALAR_UINT,
                   SCALAR_LONG,
                   SCALAR_ULONG,
                   SCALAR_HALF,
                   SCALAR_FLOAT,
                   SCALAR_DOUBLE,
                   SCALAR_COUNT
};
const char *scalar_type_name(enum scalar_type type);
size_t scalar_type_bytes(enum scalar_type type);
bool scalar_type_is_float(enum scalar_type type);

#endif
