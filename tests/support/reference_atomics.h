/* The reference replay's atomics: lanes of one address wait for each other, and so do operations of a slice. */
#ifndef SUPPORT_REFERENCE_ATOMICS_H
#define SUPPORT_REFERENCE_ATOMICS_H

#include "reference_gpu.h"
#include "reference_place.h"

/* Returns whether the trace calls the operation by this name. */
static inline bool reference_is_called(const struct reference_gpu *g, uint32_t op, const char *name) {
  const struct trace_code *code = &g->trace->code;
  return code->ops[op].op_class == OP_ATOMIC && code->ops[op].name != TRACE_NO_NAME &&
         strcmp(code->names[code->ops[op].name], name) == 0;
}

/* Leaves one lane of a uniform atomic with one address, where such atomics merge. */
static inline void reference_merge(const struct reference_gpu *g, struct reference_event *event) {
  if (event->kind != REFERENCE_ACCESS || !g->spec->merge_atomics || !reference_is_called(g, event->op, "uniform"))
    return;
  bool same = true;
  for (uint32_t i = 0; i < event->lane_count; i++)
    same &= event->address[i] == event->address[0];
  if (same)
    event->lane_count = 1;
}

/* Counts the operations that begin in transaction number `at` of n. Returns the number of rounds that they need. */
static inline uint32_t reference_atomic_rounds(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                               const struct reference_event *event, const uint64_t *lines, uint32_t at,
                                               uint32_t *operations) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  uint64_t size = (uint64_t)g->spec->line_bytes, place[64];
  uint32_t bytes = op->bytes ? op->bytes : 1, most = 0, rounds = 0, transaction = 0;
  *operations = 0;
  for (uint32_t i = 0; i < event->lane_count; i++)
    place[i] = reference_place(g, core, thread, event->lane[i], op, event->address[i]);
  for (uint32_t i = 0; i < event->lane_count && !g->spec->coalesce; i++) { /* the transaction in which lane i begins */
    *operations += transaction == at;
    transaction += (uint32_t)((place[i] + bytes - 1) / size - place[i] / size + 1);
  }
  if (!g->spec->coalesce)
    return *operations;
  for (uint32_t i = 0; i < event->lane_count; i++)
    *operations += place[i] / size == lines[at];
  const uint64_t piece = g->spec->atomic_round_bytes ? (uint64_t)g->spec->atomic_round_bytes : size;
  for (uint64_t byte = lines[at] * size; byte < (lines[at] + 1) * size; byte++) { /* the most of each piece */
    uint32_t same = 0;
    if (byte % piece == 0 || byte == lines[at] * size) {
      rounds += most;
      most = 0;
    }
    for (uint32_t i = 0; i < event->lane_count; i++)
      same += place[i] == byte;
    most = same > most ? same : most;
  }
  return rounds + most;
}

#endif
