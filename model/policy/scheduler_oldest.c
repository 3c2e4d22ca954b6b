/* Oldest: takes the ready warp that started first. */
#include "model/policy/scheduler.h"

static bool is_older(const struct warp_view *a, const struct warp_view *b, const struct warp_view *last) {
  (void)last;
  return a->age < b->age;
}

const struct scheduler_ops scheduler_oldest = {is_older};
