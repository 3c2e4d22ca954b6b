/* Recorded jobs of Bifrost GPUs, run again, and the buffers of their workloads in the recorded memory. A buffer is
 * found by its initial contents, because a recording does not say which buffer of the driver holds it. */
#ifndef TEST_RECORDED_BUFFERS_H
#define TEST_RECORDED_BUFFERS_H

#include <stdlib.h>
#include <string.h>

#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/record/job_recording.h"
#include "workload/workload.h"

#define BUFFER_ALIGNMENT 64
#define MOST_CLAUSES     1000000 /* that a warp may run */

/* The differences from other implementations that are admitted: in ULPs, or absolute. */
struct result_bound {
  const char *name; /* of the workload */
  double ulps, absolute;
  size_t stride; /* only every `stride`th element is compared */
};

static inline const struct result_bound *result_bound_of(const char *name) {
  static const struct result_bound bounds[] = {
      /* The default front end fuses a product and a sum, the driver's compiler does not. */
      {"gemm", 4, 0, 1},
      {"tiled-product", 4, 0, 1},
      {"saxpy", 4, 1e-6, 1},
      {"vectors", 4, 1e-6, 1},
      {"halves", 1, 0x1p-9, 1}, /* of a product below 4 */
      /* Math functions: both are within OpenCL's bounds, which are 4 ULPs and more. */
      {"elementary", 4, 0, 1},
      /* native_sin and the like have no bound; G71's are polynomials of a few terms. */
      {"native-forms", 4, 2e-4, 1},
      /* The driver's compiler (Mesa 25.0.7) forgets that IMUL.v4i8 and ICMP.v4s8 cannot choose bytes of their first
       * source: of a char4, it multiplies and compares the first byte four times. */
      {"chars", 0, 0, 4},
      {NULL, 0, 0, 1}};
  const struct result_bound *bound = bounds;
  while (bound->name && strcmp(bound->name, name) != 0)
    bound++;
  return bound;
}

static inline int recorded_execute(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  const struct bifrost_run_options options = {.most_clauses = MOST_CLAUSES};
  (void)context;
  return bifrost_execute(dispatch, &options, error);
}

static inline void recorded_memory_free(struct bifrost_memory *memory) {
  for (size_t i = 0; i < memory->count; i++)
    free(memory->regions[i].data);
  free(memory->regions);
}

/* Returns a copy of the memory, which recorded_memory_free frees. */
static inline struct bifrost_memory recorded_memory_copy(const struct bifrost_memory *from) {
  struct bifrost_memory copy = {calloc(from->count, sizeof *from->regions), from->count};
  for (size_t i = 0; i < from->count; i++) {
    copy.regions[i] = from->regions[i];
    copy.regions[i].data = malloc((size_t)from->regions[i].bytes);
    memcpy(copy.regions[i].data, from->regions[i].data, (size_t)from->regions[i].bytes);
  }
  return copy;
}

/* Runs the jobs on a copy of the recorded memory, which the caller frees. */
static inline int recorded_run(const struct bifrost_recording *recording, struct bifrost_memory *out,
                               struct error *error) {
  const struct bifrost_job_handler handler = {.dispatch = recorded_execute};
  *out = recorded_memory_copy(&recording->before);
  return bifrost_job_chain_run(out, recording->product, recording->job_chain, &handler, error);
}

static inline bool recorded_values_agree(const struct workload_buffer *buffer, const uint8_t *actual,
                                         const uint8_t *expected, const struct result_bound *bound) {
  const size_t bytes = scalar_type_bytes(buffer->type);
  for (size_t i = 0; i < buffer->count; i += bound->stride)
    if (workload_first_difference(buffer->type, actual + i * bytes, expected + i * bytes, 1, bound->ulps,
                                  bound->absolute) >= 0)
      return false;
  return true;
}

/* Returns whether memory that held the buffer's initial contents before the jobs holds `expected` behind them. */
static inline bool recorded_buffer_agrees(const char *workload, const struct bifrost_memory *before,
                                          const struct bifrost_memory *after, const struct workload_buffer *buffer,
                                          const void *expected) {
  const size_t bytes = buffer->count * scalar_type_bytes(buffer->type);
  void *initial = malloc(bytes);
  bool found = false;
  workload_buffer_fill(buffer, initial);
  for (size_t i = 0; i < before->count && !found; i++)
    for (size_t at = 0; at + bytes <= before->regions[i].bytes && !found; at += BUFFER_ALIGNMENT)
      found = memcmp(before->regions[i].data + at, initial, bytes) == 0 &&
              recorded_values_agree(buffer, after->regions[i].data + at, expected, result_bound_of(workload));
  free(initial);
  return found;
}

#endif
