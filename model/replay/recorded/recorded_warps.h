/* Lets warps of a recorded launch become ready. These are inline functions of the replay loop (core.c), which makes
 * `on` constant.
 *
 * A moment is a point in time and the age of a warp in one number, ticks << MOMENT_AGE_BITS | age, so that comparing
 * moments is comparing (time, age). A core takes up to 2^24 warps and 2^39 ticks. */
#ifndef MODEL_RECORDED_WARPS_H
#define MODEL_RECORDED_WARPS_H

#include "base/array.h"
#include "model/replay/core.h"

#define MOMENT_AGE_MASK  ((UINT64_C(1) << MOMENT_AGE_BITS) - 1)
#define MOMENT_MOST_TICK (UINT64_C(1) << (63 - MOMENT_AGE_BITS))

static inline uint64_t moment(uint64_t time, uint64_t age) {
  return time << MOMENT_AGE_BITS | age;
}

static inline uint64_t moment_time(uint64_t moment) {
  return moment >> MOMENT_AGE_BITS;
}

static inline uint32_t moment_age(uint64_t moment) {
  return (uint32_t)(moment & MOMENT_AGE_MASK);
}

CORE_INLINE uint16_t recorded_at(const void *events, uint64_t at, struct mechanisms on) {
  return on.wide ? ((const uint16_t *)events)[at] : ((const uint8_t *)events)[at];
}

static inline uint32_t recorded_age(const struct gpu_replay *replay, const struct core *core, uint32_t place) {
  return (uint32_t)(core->warps[place].warp.rank >> replay->index_bits);
}

/* Adds a warp to the ready ones, which are sorted by moment. Only warps that became ready at the same time can be out
 * of order. */
CORE_INLINE void recorded_push_ready(struct core *core, uint32_t age, uint16_t number) {
  const uint32_t mask = core->ready_mask;
  const uint64_t when = moment(core->now, age);
  uint32_t at = core->ready_head + core->ready_count++;
  for (; at != core->ready_head && core->ready_moments[(at - 1) & mask] > when; at--) {
    core->ready_moments[at & mask] = core->ready_moments[(at - 1) & mask];
    core->ready_numbers[at & mask] = core->ready_numbers[(at - 1) & mask];
  }
  core->ready_moments[at & mask] = when;
  core->ready_numbers[at & mask] = number;
}

/* Makes room for the warps of one more work-group. Returns false, and stops the replay, if that is not possible. */
static inline bool recorded_make_room(struct gpu_replay *replay, struct core *core) {
  const uint64_t need = core->next_age + replay->warps_per_group;
  if (need > MOMENT_AGE_MASK)
    replay->too_long = true;
  if (need <= core->recorded_capacity || need > MOMENT_AGE_MASK)
    return need <= MOMENT_AGE_MASK;
  const bool fits = array_room_u32(&core->recorded, &core->recorded_capacity, need, sizeof *core->recorded);
  replay->no_memory |= !fits;
  replay->too_long |= !fits;
  return fits;
}

#endif
