/* Families of designs of a sweep, on which one recorded replay can be timed (model/retime/retime_family.h).
 *
 * A family's first member is recorded, and so exact: it is the one nearest to the base. Fewer than FAMILY_LEAST designs
 * are not a family, because recording costs more than it saves; larger ones are divided into parts of FAMILY_MOST, for
 * balance.
 *
 * Ownership: families_clear frees.
 * Determinism: by the points alone.
 * Cost: O(n log n).
 * Threads: read-only once made. */
#ifndef DSE_FAMILIES_H
#define DSE_FAMILIES_H

#include "dse/points/points.h"

enum { FAMILY_LEAST = 4, FAMILY_MOST = 1024 };

struct families {
  size_t count;
  size_t *first;     /* [count + 1]: indices into members */
  uint32_t *members; /* designs, family by family */
  bool *is_member;   /* by design */
};

/* Finds the families; with `exact` there are none. Designs that the sweep names (the base, variants) and all designs of
 * a sweep beside a reference are never members. */
int families_find(const struct points *points, bool exact, struct families *out, struct error *error);
void families_clear(struct families *families);

#endif
