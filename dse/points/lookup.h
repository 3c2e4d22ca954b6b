/* Finds equal things among up to `most` numbered ones by their hash: open addressing, filled once, never grown.
 *
 * lookup_add returns the number of an equal thing that was added before, or `number` itself, which is then added.
 *
 * Ownership: lookup_init allocates (false: out of memory), lookup_clear frees.
 * Cost:      O(1) expected. */
#ifndef DSE_LOOKUP_H
#define DSE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lookup {
  uint32_t *numbers; /* number + 1; 0: free */
  size_t mask;
};

#define LOOKUP_NONE UINT32_MAX

/* Whether thing `number` equals the one that is looked for. */
typedef bool lookup_same(const void *context, uint32_t number);

bool lookup_init(struct lookup *lookup, size_t most);
uint32_t lookup_add(struct lookup *lookup, uint64_t hash, uint32_t number, lookup_same *same, const void *context);
/* LOOKUP_NONE when there is none. */
uint32_t lookup_find(const struct lookup *lookup, uint64_t hash, lookup_same *same, const void *context);
void lookup_clear(struct lookup *lookup);

#endif
