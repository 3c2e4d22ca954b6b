/* A table of numbers, whose rows have equal lengths: plain memory while it is small, a file without a name when it is
 * large.
 *
 * Purpose: the results of a large sweep are written once and read from front to back, so that they need not stay in
 * memory.
 * Shapes: [count][width]; rows start as zeroes.
 * Ownership: number_rows_create allocates, number_rows_destroy frees. A row stays valid until then.
 * Errors: NULL when out of memory. If no file can be made, a large table is plain memory, too.
 * Cost: each time that NUMBER_ROWS_WINDOW bytes have been used, the rows leave the process; they are read again from
 * the system's cache of files or from the disk.
 * Threads: any number of threads may call number_rows_at. */
#ifndef DSE_NUMBER_ROWS_H
#define DSE_NUMBER_ROWS_H

#include <stddef.h>

#define NUMBER_ROWS_WINDOW ((size_t)64 << 20)

struct number_rows;

struct number_rows *number_rows_create(size_t count, size_t width);
void number_rows_destroy(struct number_rows *rows);
double *number_rows_at(struct number_rows *rows, size_t number);

#endif
