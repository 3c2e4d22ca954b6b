/* The replay loops of recorded launches. */
#include "model/replay/core_loop.h"

#define RECORDED(X)                                                                                                    \
  X(recorded_blocking, true, false, false)                                                                             \
  X(recorded_blocking_wide, true, false, true)                                                                         \
  X(recorded_blocking_queued, true, true, false)                                                                       \
  X(recorded_blocking_queued_wide, true, true, true)                                                                   \
  X(recorded_switching, false, false, false)                                                                           \
  X(recorded_switching_wide, false, false, true)                                                                       \
  X(recorded_switching_queued, false, true, false)                                                                     \
  X(recorded_switching_queued_wide, false, true, true)
#define X(name, blocking, queued, wide) LOOP(name, blocking, false, queued, false, true, wide)
RECORDED(X)
#undef X

typedef void loop(struct gpu_replay *replay, struct core *core);

loop *core_recorded_loop(const struct gpu_spec *spec, bool wide) {
#define X(name, blocking, queued, wide) [blocking][queued][wide] = name,
  static loop *const loops[2][2][2] = {RECORDED(X)};
#undef X
  return loops[spec->memory == MEMORY_BLOCKING][memory_is_queued(spec)][wide];
}
