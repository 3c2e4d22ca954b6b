/* Round robin: takes the ready warp in the next place after that of the warp taken last; the first place follows the
 * last one. */
#include "model/policy/scheduler.h"

static bool comes_next(const struct warp_view *a, const struct warp_view *b, const struct warp_view *last) {
  const bool a_behind = a->place > last->place, b_behind = b->place > last->place;
  return a_behind != b_behind ? a_behind : a->place < b->place;
}

const struct scheduler_ops scheduler_round_robin = {comes_next};
