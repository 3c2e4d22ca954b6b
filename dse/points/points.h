/* The points of a sweep: the base GPU (point 0, "base"), its variants, then its samples, in that order.
 *
 * Points whose parameters are equal are one *design*, which is replayed once. A point that breaks a constraint, a
 * parameter's bounds or a relation that gpu_spec_check knows is *impossible*: it has no design, is counted and can be
 * asked for its reason.
 *
 * Ownership: points_enumerate allocates, points_clear frees; borrows the sweep.
 * Cost:      O(points), 12 bytes each; the GPU description of a point is made when asked for.
 * Threads:   read-only afterwards. */
#ifndef DSE_POINTS_H
#define DSE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "dse/points/sample.h"
#include "dse/sweep/sweep.h"

#define POINT_IMPOSSIBLE UINT32_MAX
#define POINTS_ASK       10000000 /* more than these only when the user says so */

struct points {
  const struct sweep *sweep;
  struct sample sample;
  size_t count;
  uint32_t *designs; /* by point; POINT_IMPOSSIBLE */
  size_t design_count;
  uint32_t *first_points; /* by design: the first of its points */
  size_t impossible_count;
  struct hash_table by_spec; /* designs */
};

/* `many_allowed`: more than POINTS_ASK points may be made. */
int points_enumerate(const struct sweep *sweep, bool many_allowed, struct points *out, struct error *error);
void points_clear(struct points *points);

/* -1 for an impossible point: `reason` (may be NULL) then says why. `spec` is what the point asks for in any case. */
int points_spec(const struct points *points, size_t point, struct gpu_spec *spec, struct error *reason);
/* "base", a variant's name, or the axes' labels: "cores=12 l2_miss_cycles=x0.7". NULL: out of memory. */
char *points_name(const struct points *points, size_t point);
/* False for the base and for variants, which do not lie on the axes. */
bool points_coordinates(const struct points *points, size_t point, size_t *coordinates);
/* The design of this description; POINT_IMPOSSIBLE when no point has it. */
uint32_t points_find(const struct points *points, const struct gpu_spec *spec);
/* Hash of all designs in order, for journals. */
uint64_t points_digest(const struct points *points);

#endif
