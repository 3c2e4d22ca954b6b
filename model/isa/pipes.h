/* Execution pipes: units of a core's engines that operations of one kind keep busy beside their issue.
 *
 * An engine issues the operations of a run one after another and is then free for another warp. An operation of a pipe
 * that takes several cycles goes on there meanwhile, and the next one of the same pipe, of whatever warp, stands behind
 * it. So a run ends at the earliest when each pipe has served its operations (model/isa/engine_pipes.h).
 * Unit of uses: 1/1024 operation. Ownership: none. Errors: none. Cost: O(pipes). Threads: any. */
#ifndef MODEL_PIPES_H
#define MODEL_PIPES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/isa/isa.h"
#include "model/params/gpu.h"

/* The pipes that a GPU may have. A row is X(pipe of the ISA profile, field of struct gpu_spec). */
#define EXECUTION_PIPES(X)                                                                                             \
  X(ISA_PIPE_FMA, fma_pipe_cycles)                                                                                     \
  X(ISA_PIPE_INT, int_pipe_cycles)                                                                                     \
  X(ISA_PIPE_SPECIAL, special_pipe_cycles)                                                                             \
  X(ISA_PIPE_DOUBLE, double_pipe_cycles)

enum {
#define X(pipe, cycles) PIPE_OF_##cycles,
  EXECUTION_PIPES(X)
#undef X
      EXECUTION_PIPE_COUNT
};
#define NO_EXECUTION_PIPE UINT8_MAX

/* The operations of each pipe in a run, in a part of a block, or before an instruction of a warp's program. */
struct pipe_uses {
  uint64_t of[EXECUTION_PIPE_COUNT];
};

/* Sets `pipes`, [ISA_PIPE_COUNT], to the number of the GPU's pipe, or NO_EXECUTION_PIPE. Returns whether the GPU has
 * one. Pipes are without effect where the engine waits with its warp (`memory: blocking`) and where bundles issue. */
static inline bool pipes_of(const struct gpu_spec *spec, uint8_t pipes[ISA_PIPE_COUNT]) {
  bool any = false;
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    pipes[i] = NO_EXECUTION_PIPE;
  if (spec->memory == MEMORY_BLOCKING || spec->issue != ISSUE_SLOTS)
    return false;
#define X(pipe, cycles)                                                                                                \
  if (spec->cycles > 0) {                                                                                              \
    pipes[pipe] = PIPE_OF_##cycles;                                                                                    \
    any = true;                                                                                                        \
  }
  EXECUTION_PIPES(X)
#undef X
  return any;
}

static inline bool pipes_are_on(const struct gpu_spec *spec) {
  uint8_t pipes[ISA_PIPE_COUNT];
  return pipes_of(spec, pipes);
}

/* Adds uses. Sums saturate: a launch of so many operations takes longer than a replay may. */
static inline void pipe_uses_add(struct pipe_uses *to, const struct pipe_uses *more) {
  for (int i = 0; i < EXECUTION_PIPE_COUNT; i++)
    if (__builtin_add_overflow(to->of[i], more->of[i], &to->of[i]))
      to->of[i] = UINT64_MAX;
}

static inline void pipe_uses_multiply(struct pipe_uses *uses, uint64_t times) {
  for (int i = 0; i < EXECUTION_PIPE_COUNT; i++)
    if (__builtin_mul_overflow(uses->of[i], times, &uses->of[i]))
      uses->of[i] = UINT64_MAX;
}

#endif
