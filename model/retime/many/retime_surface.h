/* The times of many GPUs that differ in few numbers, of which some are timed and the others interpolated.
 *
 * Purpose: a sweep has hundreds of GPUs with other latencies, caches and rates. Their times change smoothly with these,
 * so that a fraction of them determines the rest.
 * Method: members that are far from each other are timed in rounds. A round is first predicted from those before it.
 * Once the predictions of a round are close, the other members are interpolated; if they do not become close, all
 * members are timed. The interpolation is a sum of distances to the timed members and a linear function of
 * the coordinates (radial basis functions: M. J. D. Powell, "The theory of radial basis function approximation in
 * 1990"). It is exact at timed members.
 * Shapes: a member has SURFACE_MOST_DIMENSIONS coordinates. A distance adds up their differences as they are, or, with
 * surface_rule.learns, scaled by how much the values change over the range of each coordinate, which is learned from
 * the timed members.
 * Ownership: the caller's arrays are borrowed. Errors: enum surface_state. Cost: O(timed^3) beside the timing.
 * Determinism: the members that are timed depend on the coordinates and the times alone. Threads: one. */
#ifndef MODEL_RETIME_SURFACE_H
#define MODEL_RETIME_SURFACE_H

#include <stdbool.h>
#include <stddef.h>

enum { SURFACE_MOST_DIMENSIONS = 16 };
/* The least number of members of which some are interpolated. */
enum { SURFACE_LEAST = 20 };

struct surface_member {
  double at[SURFACE_MOST_DIMENSIONS]; /* coordinates; unused ones are 0 */
  double value;                       /* its time in any unit, timed or interpolated */
  bool timed;
  size_t near; /* the timed member that is nearest to it */
};

struct surface_rule {
  /* The largest mean error of a round's predictions with which the others are interpolated, relative to the times. More
   * is allowed after more than 16 members, in proportion to the square root of their number: times that are not close
   * by then are those of warps that take turns in another order on each GPU. A single error may be three times as
   * large. */
  double tolerance;
  bool learns;       /* coordinates are scaled by what they change */
  size_t most_timed; /* the number of timed members at which a surface that is far from them is given up; 0: none */
  bool settles;      /* at that number, the other members are interpolated on a surface that is not far */
};

enum surface_state {
  SURFACE_MADE,   /* all members have values */
  SURFACE_OPEN,   /* only the timed members have values, because they are not close to a surface */
  SURFACE_FAILED, /* out of memory, or a member cannot be timed */
};

/* Times a member. Returns false if that is not possible. */
typedef bool surface_timer(void *context, size_t member, double *value);

/* Times some members, and sets the values of the others. */
enum surface_state surface_make(struct surface_member *members, size_t count, struct surface_rule rule,
                                surface_timer *time, void *context);

#endif
