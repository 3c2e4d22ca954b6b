/* Fully associative LRU caches of many sizes at once.
 *
 * A larger LRU cache holds all lines that a smaller one holds, so one list in order of use represents all: size s holds
 * its first s lines. For each size a marker keeps the last line inside. A line that is used moves to the front, and the
 * markers that it passes move by one. Every access allocates.
 * Shapes: sizes ascend, in lines, no two equal. Ownership: multi_size_lru_create allocates (NULL: out of memory),
 * multi_size_lru_destroy frees. Errors: when there is no memory for a further line it counts as a miss, and
 * multi_size_lru_failed returns true. Cost: O(1) plus the markers passed; memory: 32 to 48 bytes for each line that the
 * largest size holds. Threads: one at a time.
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
/* Uses the line. Returns the index of the smallest size that held it, or `count` if none did. All sizes then hold
 * it. */
uint32_t multi_size_lru_access(struct multi_size_lru *caches, uint32_t line);
/* Uses the line without allocating it, and returns what multi_size_lru_access returns. The line becomes the newest only
 * if all sizes hold it: otherwise some sizes would have another order than others, and one list could not represent
 * them. */
uint32_t multi_size_lru_touch(struct multi_size_lru *caches, uint32_t line);
/* Returns whether memory has run out. Results since then are wrong. */
bool multi_size_lru_failed(const struct multi_size_lru *caches);

#endif
