/* The designs of a sweep by what their replays can share: families of designs on which one recorded replay can be
 * timed (model/retime/retime_family.h).
 *
 * A family's first member is the one that is recorded, and so exact: the one nearest to the base. Families of fewer
 * than FAMILY_LEAST are none: recording costs more than it saves; large ones are cut in parts of FAMILY_MOST, for
 * balance.
 *
 * Ownership:   families_clear frees.
 * Determinism: by the points alone.
 * Cost:        O(n log n).
 * Threads:     read-only afterwards. */
#ifndef DSE_FAMILIES_H
#define DSE_FAMILIES_H

#include "dse/points/points.h"

enum { FAMILY_LEAST = 4, FAMILY_MOST = 1024 };

struct families {
  size_t count;
  size_t *first;     /* [count + 1]: into members */
  uint32_t *members; /* designs, family by family */
  bool *is_member;   /* by design */
};

/* `exact`: there are no families. Designs that the sweep names (the base, variants) and all of a sweep beside a
 * reference are never members. */
int families_find(const struct points *points, bool exact, struct families *out, struct error *error);
void families_clear(struct families *families);

#endif
