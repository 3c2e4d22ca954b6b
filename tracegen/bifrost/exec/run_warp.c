/* Divergence and reconvergence: the lanes of a warp that run next are those with the smallest program counter, so lanes
 * that are ahead wait for the others. */
#include "tracegen/bifrost/exec/warp.h"

/* Returns the lanes that run next, and sets *clause to where they are. */
static uint8_t next_lanes(const struct warp *warp, uint32_t *clause) {
  uint8_t ready = warp->alive & (uint8_t)~warp->waiting, lanes = 0;
  uint32_t least = NO_CLAUSE;
  for (unsigned i = 0; i < WARP_LANES; i++)
    if (ready >> i & 1 && warp->next[i] <= least) {
      lanes = warp->next[i] < least ? 0 : lanes;
      least = warp->next[i];
      lanes |= (uint8_t)(1 << i);
    }
  *clause = least;
  return lanes;
}

static void move(struct warp *warp, const struct shader_clause *clause, uint32_t number, uint8_t lanes, uint8_t taken) {
  for (unsigned i = 0; i < WARP_LANES; i++)
    if (lanes >> i & 1)
      warp->next[i] = taken >> i & 1 ? clause->target : number + 1;
  if (clause->header.flow == FLOW_END)
    warp->alive &= (uint8_t) ~(lanes & ~taken);
  if (clause->target == END_CLAUSE)
    warp->alive &= (uint8_t)~taken;
}

static int check_next(struct bifrost_runner *runner, struct warp *warp) {
  if (runner->at.clause >= runner->shader->clause_count)
    return lane_error(runner, 0, "the program runs past its last clause");
  if (runner->options.most_clauses && ++warp->clauses_run > runner->options.most_clauses)
    return lane_error(runner, 0, "the warp ran %llu clauses without end",
                      (unsigned long long)runner->options.most_clauses);
  return 0;
}

static int run_clause(struct bifrost_runner *runner, struct warp *warp) {
  const struct shader_clause *clause = &runner->shader->clauses[runner->at.clause];
  const struct bifrost_listener *listener = &runner->listener;
  uint8_t taken = 0;
  if (listener->clause)
    listener->clause(listener->context, &runner->at);
  if (clause_run(runner, warp, clause, &taken))
    return -1;
  if (listener->branch && clause->target != NO_CLAUSE)
    listener->branch(listener->context, &runner->at, taken);
  move(warp, clause, runner->at.clause, runner->at.lanes, taken);
  return 0;
}

int warp_run(struct bifrost_runner *runner, struct warp *warp) {
  runner->at.warp = warp->number;
  runner->at.first_item = warp->first_item;
  while ((runner->at.lanes = next_lanes(warp, &runner->at.clause)))
    if (check_next(runner, warp) || run_clause(runner, warp))
      return -1;
  return 0;
}
