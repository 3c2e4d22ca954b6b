/* A table of numbers whose entries are arrays of equal length: plain memory while it is small, a file without a
 * name when it is large.
 *
 * Purpose: the results of a large sweep are written once and read from front to back, so that they need not stay in
 * memory.
 * Shapes: [count][width]; entries start as zeroes.
 * Ownership: number_table_create allocates, number_table_destroy frees. An entry stays valid until then.
 * Errors: NULL when out of memory. If no file can be made, a large table is plain memory, too.
 * Cost: after each NUMBER_TABLE_WINDOW used bytes the entries leave the process; they are read again from the
 * system's cache of files or from the disk.
 * Threads: any number of threads may call number_table_at. */
#ifndef DSE_NUMBER_TABLE_H
#define DSE_NUMBER_TABLE_H

#include <stddef.h>

#define NUMBER_TABLE_WINDOW ((size_t)64 << 20)

struct number_table;

struct number_table *number_table_create(size_t count, size_t width);
void number_table_destroy(struct number_table *table);
double *number_table_at(struct number_table *table, size_t number);

#endif
