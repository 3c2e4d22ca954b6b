/* Greedy then oldest: takes the warp that was taken last while it is ready, else the ready warp that started first.
 * Source: Rogers, O'Connor and Aamodt, "Cache-conscious wavefront scheduling", MICRO 2012. */
#include "model/policy/scheduler.h"

static bool is_last_or_older(const struct warp_view *a, const struct warp_view *b, const struct warp_view *last) {
  if (a->age == last->age || b->age == last->age)
    return a->age == last->age;
  return a->age < b->age;
}

const struct scheduler_ops scheduler_greedy_then_oldest = {is_last_or_older};
