/* Replacement policies, which choose the line of a set that is evicted when another line needs its way.
 *
 * The policies are the list REPLACEMENT_POLICIES (model/params/choices.h); each is a file replacement_<name>.c of
 * functions on the state of one set. A set fills its empty ways in order, from 0 on; the state of a set is as many
 * 32-bit words as the policy asks for. The same accesses give the same victims, at any time and on any machine.
 * Ownership: the cache's memory. Errors: none. Cost: stated in each file. Threads: one at a time. */
#ifndef MODEL_REPLACEMENT_H
#define MODEL_REPLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/choices.h"

struct replacement_ops {
  /* Lines are evicted in the order of their last use. Caches that keep their lines in that order (exact_sets.c,
   * lru_distance.c) and recordings that are timed again then implement the policy, and it needs none of the functions
   * below. */
  bool by_last_use;
  /* Returns the number of words of state of a set. */
  uint32_t (*words)(uint32_t ways);
  /* Prepares the state of the empty set number `set`; NULL: the state is all zeros. */
  void (*start)(uint32_t *state, uint32_t ways, uint32_t set);
  /* Notes that the line in a way was used again; NULL: that changes nothing. */
  void (*hit)(uint32_t *state, uint32_t ways, uint32_t way);
  /* Notes that a line was put into a way, which was empty or the victim's. */
  void (*fill)(uint32_t *state, uint32_t ways, uint32_t way);
  /* Returns the way whose line is evicted next from a full set. */
  uint32_t (*victim)(const uint32_t *state, uint32_t ways);
};

#define X(constant, name, meaning) extern const struct replacement_ops replacement_##name;
REPLACEMENT_POLICIES(X)
#undef X

/* The policies, by enum replacement_policy. */
extern const struct replacement_ops *const replacement_policies[CHOICE_COUNT(REPLACEMENT_POLICIES)];

#endif
