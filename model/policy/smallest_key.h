/* Finds the smallest of a few numbers, with the processor's vectors if it has them (AVX2, tested when the program
 * runs).
 *
 * For every access that reaches L2 the replay needs the core that is first in time. Keys are points in time with the
 * number of a core in the low bits, so that no branch depends on which core it is. Keys are below 2^63; FIRST_KEY_NONE
 * is larger than any. `count` is a multiple of FIRST_KEY_LANES, at least one. Both functions give the same result
 * (tests/unit/test_first_key_is_the_same_with_vectors.c). Cost: O(count / lanes). Threads: any.
 *
 * A larger number of keys that change one at a time (struct first_keys) is kept in groups, with the smallest of each
 * group: a change costs O(groups + keys of a group). Memory: first_keys_init allocates, first_keys_clear frees. */
#ifndef MODEL_SMALLEST_KEY_H
#define MODEL_SMALLEST_KEY_H

#include <stdbool.h>
#include <stdint.h>

#define FIRST_KEY_LANES 4
#define FIRST_KEY_GROUP 16
#define FIRST_KEY_NONE  ((uint64_t)INT64_MAX)

typedef uint64_t first_key_function(const uint64_t *keys, uint32_t count);

first_key_function first_key_plain;
/* Returns the fastest function for this machine. */
first_key_function *first_key_choose(void);

struct first_keys {
  uint64_t first;    /* the smallest key */
  uint64_t *keys;    /* [groups * room of a group] */
  uint64_t *groups;  /* [group_room]: the smallest key of each group */
  uint32_t key_room; /* keys of a group in use: FIRST_KEY_GROUP, or fewer if there is one group */
  uint32_t group_room;
  first_key_function *smallest;
};

/* Makes `count` keys, all FIRST_KEY_NONE. Returns false when out of memory. */
bool first_keys_init(struct first_keys *all, uint32_t count);
void first_keys_clear(struct first_keys *all);

/* Changes one key and finds the smallest again. */
static inline void first_keys_set(struct first_keys *all, uint32_t number, uint64_t key) {
  const uint32_t group = number / FIRST_KEY_GROUP;
  all->keys[number] = key;
  all->first = all->smallest(all->keys + group * FIRST_KEY_GROUP, all->key_room);
  if (all->group_room > 0) {
    all->groups[group] = all->first;
    all->first = all->smallest(all->groups, all->group_room);
  }
}

/* Removes a key. Returns the smallest of the others. */
static inline uint64_t first_keys_take(struct first_keys *all, uint32_t number) {
  first_keys_set(all, number, FIRST_KEY_NONE);
  return all->first;
}

/* Sets a key that was removed. */
static inline void first_keys_put(struct first_keys *all, uint32_t number, uint64_t key) {
  uint64_t *group = &all->groups[number / FIRST_KEY_GROUP];
  all->keys[number] = key;
  if (all->group_room > 0 && key < *group)
    *group = key;
  if (key < all->first)
    all->first = key;
}

#endif
