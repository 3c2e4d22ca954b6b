/* Fully associative LRU caches of many sizes in one: which of them hold a line.
 *
 * A larger LRU cache holds all that a smaller one does, so one list in order of use stands for all: size s holds its
 * first s lines. For each size a marker keeps the last line inside; a line that is used moves to the front, and the
 * markers that it passes move by one. Every access allocates.
 * Shapes: sizes ascend, in lines, no two equal. Ownership: multi_size_lru_create allocates (NULL: out of memory),
 * multi_size_lru_destroy frees. Errors: when there is no memory for a further line, it counts as missed, and
 * multi_size_lru_failed says so. Cost: O(1) plus the markers passed; memory: 32 to 48 bytes a line that the largest
 * size holds. Threads: one at a time.
 * Source: stack algorithms are due to Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
 * Journal 9(2), 1970; markers to Kim, Hill and Wood, "Implementing stack simulation for highly-associative memories",
 * SIGMETRICS 1991. */
#ifndef MODEL_MULTI_SIZE_LRU_H
#define MODEL_MULTI_SIZE_LRU_H

#include <stdbool.h>
#include <stdint.h>

struct multi_size_lru;

struct multi_size_lru *multi_size_lru_create(const uint32_t *sizes, uint32_t count);
void multi_size_lru_destroy(struct multi_size_lru *caches);
/* Returns the index of the smallest size that held the line, `count` where none did. The line is then in all sizes. */
uint32_t multi_size_lru_access(struct multi_size_lru *caches, uint32_t line);
/* The same for a use that allocates nothing. A line becomes the newest only where all sizes hold it: otherwise sizes
 * that do and sizes that do not would be in different orders, and one list could not stand for them. */
uint32_t multi_size_lru_touch(struct multi_size_lru *caches, uint32_t line);
/* Returns whether memory ran out on the way: what the functions returned since then is wrong. */
bool multi_size_lru_failed(const struct multi_size_lru *caches);

#endif
