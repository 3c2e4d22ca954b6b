#include "model/policy/scheduler.h"

static int older(const struct ready_warp *a, const struct ready_warp *b, const struct ready_warp *last) {
  (void)last;
  return a->age < b->age;
}

/* Places behind that of the last warp come first, then those from the beginning. */
static int next_place(const struct ready_warp *a, const struct ready_warp *b, const struct ready_warp *last) {
  int a_behind = a->index > last->index, b_behind = b->index > last->index;
  return a_behind != b_behind ? a_behind : a->index < b->index;
}

static int same_or_older(const struct ready_warp *a, const struct ready_warp *b, const struct ready_warp *last) {
  if (a->age == last->age || b->age == last->age)
    return a->age == last->age;
  return a->age < b->age;
}

static const struct scheduler_ops first_available = {"first_available", "who has been ready longest", NULL};
static const struct scheduler_ops oldest = {"oldest", "who started first", older};
static const struct scheduler_ops round_robin = {"round_robin", "the next place after the last warp's", next_place};
static const struct scheduler_ops greedy = {"greedy_then_oldest", "the last warp again, or who started first",
                                            same_or_older};

const struct scheduler_ops *const schedulers[] = {[SCHEDULER_FIRST_AVAILABLE] = &first_available,
                                                  [SCHEDULER_OLDEST] = &oldest,
                                                  [SCHEDULER_ROUND_ROBIN] = &round_robin,
                                                  [SCHEDULER_GREEDY_THEN_OLDEST] = &greedy};
const unsigned scheduler_count = sizeof schedulers / sizeof schedulers[0];
