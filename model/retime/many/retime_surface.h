/* The times of many GPUs that differ in few numbers, of which some are timed and the others interpolated.
 *
 * Purpose: a sweep has hundreds of GPUs with the same caches and rates. Their times change smoothly with the latencies,
 * so that a fraction of them determines the rest.
 * Method: members that are far from each other are timed in rounds. A round is first predicted from those before it.
 * Once the predictions of a round are close, the other members are interpolated; if they do not become close, all
 * members are timed. The interpolation is a sum of distances to the timed members and a linear function of
 * the coordinates (radial basis functions: M. J. D. Powell, "The theory of radial basis function approximation in
 * 1990"). It is exact at timed members.
 * Shapes: a member has SURFACE_MOST_DIMENSIONS coordinates in any unit; each is scaled to its range over the members.
 * Ownership: the caller's arrays are borrowed. Errors: see surface_make. Cost: O(timed^3) beside the timing.
 * Determinism: the members that are timed depend on the coordinates and the times alone. Threads: one. */
#ifndef MODEL_RETIME_SURFACE_H
#define MODEL_RETIME_SURFACE_H

#include <stdbool.h>
#include <stddef.h>

enum { SURFACE_MOST_DIMENSIONS = 10 };
/* The least number of members of which some are interpolated. */
enum { SURFACE_LEAST = 20 };

struct surface_member {
  double at[SURFACE_MOST_DIMENSIONS]; /* coordinates; unused ones are 0 */
  double value;                       /* its time, timed or interpolated */
  bool timed;
  size_t near; /* the timed member that is nearest to it */
};

/* Times a member. Returns false if that is not possible. */
typedef bool surface_timer(void *context, size_t member, double *value);

/* Sets the values of all members. Returns false, with values unset, when out of memory or if `time` returns false. */
bool surface_make(struct surface_member *members, size_t count, surface_timer *time, void *context);

#endif
