/* The pipes of a core's execution engines in a replay (model/isa/pipes.h).
 *
 * A warp is not bound to an engine, so a run's operations of a kind take the pipe of that kind, of whichever engine,
 * that is free first. Each pipe serves runs in the order in which they begin.
 * Unit: ticks. Ownership: the caller's memory. Errors: none. Cost: O(pipes of all engines) for each run. Threads: one
 * for each core. Source: docs/model.md, "Execution pipes". */
#ifndef MODEL_ENGINE_PIPES_H
#define MODEL_ENGINE_PIPES_H

#include <math.h>

#include "model/isa/pipes.h"
#include "model/result/cycle_stack.h"

/* The time for which an operation takes each pipe, in 2^-20 cycles. */
struct pipe_rates {
  bool on;
  uint64_t cycles[EXECUTION_PIPE_COUNT];
};

static inline struct pipe_rates pipe_rates_of(const struct gpu_spec *spec) {
  struct pipe_rates rates = {.on = pipes_are_on(spec)};
#define X(pipe, field) rates.cycles[PIPE_OF_##field] = (uint64_t)llround(spec->field * (1 << 20));
  EXECUTION_PIPES(X)
#undef X
  return rates;
}

/* Gives a run's operations of a kind, which take `ticks`, to the pipe of that kind that is free first. `free`: times
 * from which those of the `engines` engines are free. Returns the time at which it has served them. */
static inline uint64_t engine_pipe_serve(uint64_t *free, uint32_t engines, uint64_t now, uint64_t ticks) {
  uint32_t first = 0;
  for (uint32_t i = 1; i < engines; i++)
    if (free[i] < free[first])
      first = i;
  return free[first] = ticks_later(free[first], now) + ticks;
}

/* Begins a run at `now`. `free`: [EXECUTION_PIPE_COUNT * engines], the times from which the pipes are free. Returns the
 * time at which the last one has served the run's operations. */
static inline uint64_t engine_pipes_take(uint64_t *free, const struct pipe_rates *rates, uint32_t engines, uint64_t now,
                                         const struct pipe_uses *uses) {
  uint64_t end = now;
  for (uint32_t i = 0; i < EXECUTION_PIPE_COUNT; i++) {
    const tick_sum ticks = ((tick_sum)uses->of[i] * rates->cycles[i] + (1 << 19)) >> 20;
    if (ticks > 0)
      end = ticks_later(end, engine_pipe_serve(free + i * engines, engines, now,
                                               ticks > MAX_TICKS ? MAX_TICKS + 1 : (uint64_t)ticks));
  }
  return end;
}

#endif
