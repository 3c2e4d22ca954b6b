/* A set of line numbers: which lines of a cache are dirty.
 *
 * Open addressing with linear probing; the most lines it will hold are known beforehand, so adding never fails. Lines
 * are below CACHE_NO_LINE. Memory: line_set_init allocates (false: none), line_set_clear frees. Cost: O(1). Source:
 * Knuth, "The art of computer programming", vol. 3, 6.4, algorithms L and R. */
#ifndef MODEL_DIRTY_LINES_H
#define MODEL_DIRTY_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct line_set {
  uint32_t *slots; /* [2^bits], CACHE_NO_LINE: empty */
  uint32_t count;
  unsigned bits;
};

bool line_set_init(struct line_set *set, uint32_t most);
void line_set_clear(struct line_set *set);
void line_set_add(struct line_set *set, uint32_t line);
/* True: it was there. */
bool line_set_remove(struct line_set *set, uint32_t line);

#endif
