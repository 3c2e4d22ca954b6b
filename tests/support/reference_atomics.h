/* The reference replay's atomics: lanes of one address wait for each other, and so do operations of a slice. */
#ifndef SUPPORT_REFERENCE_ATOMICS_H
#define SUPPORT_REFERENCE_ATOMICS_H

#include "reference_gpu.h"
#include "reference_place.h"

/* Counts the operations that begin in transaction number `at` of n. Returns the number of rounds that they need. */
static inline uint32_t reference_atomic_rounds(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                               const struct reference_event *event, const uint64_t *lines, uint32_t at,
                                               uint32_t *operations) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  uint64_t size = (uint64_t)g->spec->line_bytes, place[64];
  uint32_t bytes = op->bytes ? op->bytes : 1, most = 0, transaction = 0;
  *operations = 0;
  for (uint32_t i = 0; i < event->lane_count; i++)
    place[i] = reference_place(g, core, thread, event->lane[i], op, event->address[i]);
  for (uint32_t i = 0; i < event->lane_count && !g->spec->coalesce; i++) { /* the transaction in which lane i begins */
    *operations += transaction == at;
    transaction += (uint32_t)((place[i] + bytes - 1) / size - place[i] / size + 1);
  }
  if (!g->spec->coalesce)
    return *operations;
  for (uint32_t i = 0; i < event->lane_count; i++) {
    uint32_t same = 0;
    for (uint32_t k = 0; k < event->lane_count; k++)
      same += place[k] == place[i];
    if (place[i] / size != lines[at])
      continue;
    ++*operations;
    most = same > most ? same : most;
  }
  return most;
}

#endif
