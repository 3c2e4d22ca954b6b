/* Rows of numbers, all of one width: plain memory while they are few, a file without a name where they are many.
 *
 * Purpose:   the results of a large sweep are written once and read from front to back, so that they need not stay in
 *            memory.
 * Shapes:    [count][width]; rows start as zeroes.
 * Ownership: number_rows_create allocates, number_rows_destroy frees. A row stays valid until then.
 * Errors:    NULL when out of memory. Where no file can be had, many rows are plain memory, too.
 * Cost:      rows of more than NUMBER_ROWS_WINDOW bytes leave the process after each so many bytes that were used; what
 *            is used again comes from the system's cache of files or from the disk.
 * Threads:   rows may be found by any number of threads. */
#ifndef DSE_NUMBER_ROWS_H
#define DSE_NUMBER_ROWS_H

#include <stddef.h>

#define NUMBER_ROWS_WINDOW ((size_t)64 << 20)

struct number_rows;

struct number_rows *number_rows_create(size_t count, size_t width);
void number_rows_destroy(struct number_rows *rows);
double *number_rows_at(struct number_rows *rows, size_t number);

#endif
