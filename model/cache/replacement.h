/* Replacement policies: which line of a set goes when another line needs its place.
 *
 * The policies are the list REPLACEMENT_POLICIES (model/params/choices.h); each is a file replacement_<name>.c of
 * functions over the state of one set. A set of `ways` places fills its empty places in order, 0 first; the state of a
 * set is as many 32-bit words as the policy asks for. The same accesses give the same victims, at any time and on any
 * machine.
 * Ownership: the cache's memory. Errors: none. Cost: as each file says. Threads: one at a time. */
#ifndef MODEL_REPLACEMENT_H
#define MODEL_REPLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/choices.h"

struct replacement_ops {
  /* Lines leave in the order of their last use: caches that keep their lines in that order (exact_sets.c,
   * lru_distance.c) and recordings that are timed again serve the policy, and it needs none of the functions below. */
  bool by_last_use;
  /* Returns the words of state of a set. */
  uint32_t (*words)(uint32_t ways);
  /* Prepares the state of empty set number `set`; NULL: all zeros. */
  void (*start)(uint32_t *state, uint32_t ways, uint32_t set);
  /* The line in a place was used again; NULL: that changes nothing. */
  void (*hit)(uint32_t *state, uint32_t ways, uint32_t way);
  /* A line was put into a place: an empty one, or that of the victim. */
  void (*fill)(uint32_t *state, uint32_t ways, uint32_t way);
  /* Returns the place whose line goes next from a full set. */
  uint32_t (*victim)(const uint32_t *state, uint32_t ways);
};

#define X(constant, name, meaning) extern const struct replacement_ops replacement_##name;
REPLACEMENT_POLICIES(X)
#undef X

/* Index: enum replacement_policy. */
extern const struct replacement_ops *const replacement_policies[CHOICE_COUNT(REPLACEMENT_POLICIES)];

#endif
