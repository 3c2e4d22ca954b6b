/* Warp schedulers, which choose the ready warp of a core that a free execution engine takes.
 *
 * The schedulers are the list SCHEDULERS (model/params/choices.h); each is a file scheduler_<name>.c that compares two
 * ready warps by their views (struct warp_view). A scheduler keeps no state of its own; the replay tells it which warp
 * was taken last. Errors: none. Cost: O(1) for first_available, O(ready warps) for each event for the others. Threads:
 * any.
 * Source: Lakshminarayana and Kim, "Effect of instruction fetch and memory scheduling on GPU performance", LCA-GPGPU
 * 2010; the files name the papers of their schedulers. */
#ifndef MODEL_SCHEDULER_H
#define MODEL_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/choices.h"

/* The properties of a warp that schedulers compare. */
struct warp_view {
  uint64_t age;   /* 0, 1, 2, … in the order in which warps started on the core */
  uint32_t place; /* number of its place on the core; a warp that starts takes the place of one that has ended */
  uint32_t group; /* place on the core of the work-group that it belongs to */
  uint8_t event;  /* its next event, enum warp_event */
};

struct scheduler_ops {
  /* Returns whether ready warp `a` is preferred to `b`; `last` is the warp that was taken last. NULL: the warp that has
   * been ready for longest is taken. */
  bool (*prefers)(const struct warp_view *a, const struct warp_view *b, const struct warp_view *last);
};

#define X(constant, name, meaning) extern const struct scheduler_ops scheduler_##name;
SCHEDULERS(X)
#undef X

/* The schedulers, by enum scheduler. */
extern const struct scheduler_ops *const schedulers[CHOICE_COUNT(SCHEDULERS)];

#endif
