/* The latest accesses of each element of a memory, kept while races are searched for (trace/statistics/races.h).
 *
 * Ownership: starts from zero; race_shadow_clear frees. Errors: NULL means that memory ran out. Cost: a page of 1,024
 * elements is made when the first of them is accessed. Threads: it belongs to one thread at a time. */
#ifndef TRACE_RACE_SHADOW_H
#define TRACE_RACE_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RACE_NO_OP UINT32_MAX

/* One access. Two accesses are ordered when one work-item made both, when one work-group made them in different phases,
 * that is, between different barriers, or one sub-group between different barriers of its own. */
struct race_access {
  uint32_t op;           /* RACE_NO_OP: there has been no access */
  uint32_t group, phase; /* phase: barriers that the work-group has passed */
  uint16_t item;         /* flattened local id */
  uint16_t sub_phase;    /* barriers that the sub-group has passed since, modulo 2^16 */
};

/* The accesses kept of one element: two of each kind. The second differs from the first in its work-group, its
 * sub-group or its work-item; a later access that races with any of the kind races with one of the two. */
struct race_element {
  struct race_access write[2], read[2], atomic[2];
  bool found; /* a race of this element has been counted */
};

struct race_shadow {
  struct race_element **pages;
  size_t capacity, bytes; /* entries of `pages`; bytes of the pages that exist */
};

/* Returns the element with this number. */
struct race_element *race_shadow_at(struct race_shadow *shadow, uint32_t element);
/* Removes all accesses and keeps the memory. */
void race_shadow_forget(struct race_shadow *shadow);
void race_shadow_clear(struct race_shadow *shadow);

#endif
