/* The points of a sweep: the base GPU (point 0, "base"), its variants, then its samples, in that order.
 *
 * Points whose parameters are equal are one *design*, which is replayed once. A point that breaks a constraint, a
 * parameter's bounds or a relation of gpu_spec_check is *impossible*: it has no design, is counted, and points_spec
 * returns its reason.
 *
 * Ownership: points_enumerate allocates, points_clear frees; the sweep is borrowed.
 * Cost: O(points), 12 bytes each; the GPU description of a point is made by points_spec.
 * Threads: read-only once made. */
#ifndef DSE_POINTS_H
#define DSE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "dse/points/sample.h"
#include "dse/sweep/sweep.h"

#define POINT_IMPOSSIBLE UINT32_MAX
#define POINTS_ASK       10000000 /* more points than these need the user's consent */

struct points {
  const struct sweep *sweep;
  struct sample sample;
  size_t count;
  uint32_t *designs; /* by point; POINT_IMPOSSIBLE if it has none */
  size_t design_count;
  uint32_t *first_points; /* by design: its first point */
  size_t impossible_count;
  struct hash_table by_spec; /* numbers of designs */
};

/* Makes the points. With `many_allowed`, there may be more than POINTS_ASK. */
int points_enumerate(const struct sweep *sweep, bool many_allowed, struct points *out, struct error *error);
void points_clear(struct points *points);

/* Writes the GPU description of a point to *spec in any case. Returns -1 for an impossible point, with the reason in
 * `reason` (may be NULL). */
int points_spec(const struct points *points, size_t point, struct gpu_spec *spec, struct error *reason);
/* Returns "base", a variant's name, or the axes' labels: "cores=12 l2_miss_cycles=x0.7"; NULL when out of memory. The
 * caller frees it. */
char *points_name(const struct points *points, size_t point);
/* Writes the coordinates of a point. Returns false for the base and for variants, which do not lie on the axes. */
bool points_coordinates(const struct points *points, size_t point, size_t *coordinates);
/* Returns the design of this description, or POINT_IMPOSSIBLE if no point has it. */
uint32_t points_find(const struct points *points, const struct gpu_spec *spec);
/* Returns a hash of all designs in order, for journals. */
uint64_t points_digest(const struct points *points);

#endif
