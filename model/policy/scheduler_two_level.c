/* Two-level: the places of a core form fetch groups of eight. The ready warps of one group are taken in turn until none
 * of them is ready; then the next group with a ready warp is taken. So warps reach their long waits at different times,
 * group after group, instead of all at once.
 * Source: Narasiman, Shebanow, Lee, Miftakhutdinov, Mutlu and Patt, "Improving GPU performance via large warps and
 * two-level warp scheduling", MICRO 2011, section 4 (fetch groups of eight warps perform best there). */
#include "model/policy/scheduler.h"

enum { FETCH_GROUP = 8 };

/* Returns whether place `a` comes before `b` in the order that begins after `last`. */
static bool comes_before(uint32_t a, uint32_t b, uint32_t last) {
  const bool a_behind = a > last, b_behind = b > last;
  return a_behind != b_behind ? a_behind : a < b;
}

static bool prefers(const struct warp_view *a, const struct warp_view *b, const struct warp_view *last) {
  const uint32_t here = last->place / FETCH_GROUP, a_group = a->place / FETCH_GROUP, b_group = b->place / FETCH_GROUP;
  if (a_group == b_group)
    return comes_before(a->place, b->place, a_group == here ? last->place : UINT32_MAX);
  if (a_group == here || b_group == here)
    return a_group == here;
  return comes_before(a_group, b_group, here);
}

const struct scheduler_ops scheduler_two_level = {prefers};
