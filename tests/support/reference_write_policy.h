/* The reference replay's write policies: what a line of an access does at L1 and at L2, and what follows from it. */
#ifndef SUPPORT_REFERENCE_WRITE_POLICY_H
#define SUPPORT_REFERENCE_WRITE_POLICY_H

#include "reference_gpu.h"

/* One line at L1. True: the access itself goes on to L2 with it. What else goes there is added to `carried`. */
static inline bool reference_l1(struct reference_gpu *g, struct reference_core *core, uint64_t line, int op_class,
                                struct reference_carried *carried) {
  bool back = g->spec->l1_write == L1_WRITE_BACK, allocate = op_class == OP_LOAD || g->spec->l1_write_allocate;
  struct reference_place left;
  if (op_class == OP_ATOMIC)
    return true;
  if (!core->l1.enabled) {
    g->result->l1_accesses += op_class == OP_LOAD;
    g->result->l1_misses += op_class == OP_LOAD;
    return true;
  }
  bool hit = reference_cache_write(&core->l1, line, allocate, op_class == OP_STORE && back, &left);
  if (left.dirty) {
    reference_lines_add(&carried->evicted, left.line);
    g->result->l1_write_backs++;
  }
  if (op_class == OP_LOAD) {
    g->result->l1_accesses++;
    g->result->l1_misses += !hit;
    return !hit;
  }
  if (!hit && allocate)
    reference_lines_add(&carried->fetched, line);
  return !(back && (hit || allocate));
}

struct reference_l2_outcome {
  bool hit, fetch;
  uint64_t written[2]; /* lines that memory takes, in this order */
  uint32_t written_count;
  bool own; /* the last of them is the line itself */
};

/* One line at L2, which an access of this class wants. */
static inline struct reference_l2_outcome reference_l2(struct reference_gpu *g, uint64_t line, int op_class) {
  struct reference_l2_outcome o = {0};
  struct reference_place left;
  int policy = g->spec->l2_write;
  bool stores = op_class != OP_LOAD, allocate = op_class != OP_STORE || g->spec->l2_write_allocate;
  o.hit = reference_cache_write(&g->l2, line, allocate, stores && policy == L2_WRITE_BACK, &left);
  if (left.dirty) {
    o.written[o.written_count++] = left.line;
    g->result->l2_write_backs++;
  }
  o.fetch = !o.hit && allocate;
  if (op_class == OP_STORE && !g->spec->l2_enabled && policy != L2_WRITE_FREE)
    o.fetch = false; /* nothing to fetch it into */
  bool kept = g->spec->l2_enabled && (o.hit || allocate);
  o.own = stores && (policy == L2_WRITE_THROUGH || (policy == L2_WRITE_BACK && !kept));
  if (o.own)
    o.written[o.written_count++] = line;
  return o;
}

/* A line goes between L1 and L2 to do there what an access of this class does. */
static inline void reference_count_moved(struct reference_gpu *g, int op_class) {
  g->result->l2_accesses++;
  g->result->l1_l2_written += op_class == OP_STORE;
  g->result->l1_l2_read += op_class != OP_STORE;
}

/* Lines that an access carried to L2: without queues. */
static inline void reference_serve_carried(struct reference_gpu *g, const struct reference_carried *carried) {
  for (uint32_t i = 0; i < carried->fetched.count + carried->evicted.count; i++) {
    bool fetched = i < carried->fetched.count;
    int op_class = fetched ? OP_LOAD : OP_STORE;
    uint64_t line = fetched ? carried->fetched.line[i] : carried->evicted.line[i - carried->fetched.count];
    struct reference_l2_outcome o = reference_l2(g, line, op_class);
    reference_count_moved(g, op_class);
    g->result->l2_misses += !o.hit;
    g->result->dram_read += o.fetch;
    g->result->dram_written += o.written_count;
  }
}

#endif
