/* The reference replay's write policies: the effects of a line of an access at L1 and at L2. */
#ifndef SUPPORT_REFERENCE_WRITE_POLICY_H
#define SUPPORT_REFERENCE_WRITE_POLICY_H

#include "reference_gpu.h"
#include "reference_sectors.h"

/* The caches beside L1: texels, depths, vertices, told apart by the names of operations. */

enum { REFERENCE_TEXTURE = 1, REFERENCE_DEPTH, REFERENCE_VERTEX };

static inline void reference_graphics_make(const struct reference_gpu *g, struct reference_core *core) {
  const struct gpu_spec *s = g->spec;
  const int64_t bytes[4] = {0, s->texture_cache_bytes, s->depth_cache_bytes, s->vertex_cache_bytes};
  const int64_t ways[4] = {0, s->texture_cache_ways, s->depth_cache_ways, s->vertex_cache_ways};
  for (int i = 1; i < 4; i++)
    if (bytes[i] > 0)
      reference_cache_make(&core->graphics[i], true, CACHE_EXACT_SETS, REPLACEMENT_LRU, bytes[i],
                           ways[i] ? ways[i] : bytes[i] / s->line_bytes, s->line_bytes, false);
}

static inline void reference_graphics_clear(struct reference_core *core) {
  for (int i = 1; i < 4; i++)
    reference_cache_clear(&core->graphics[i]);
}

/* Returns which of them an operation uses, or 0 for none. */
static inline int reference_graphics_of(const struct reference_gpu *g, const struct reference_core *core, uint32_t op) {
  const struct trace_op *o = &g->trace->code.ops[op];
  const char *name = o->name == TRACE_NO_NAME ? "" : g->trace->code.names[o->name];
  const bool in_memory = o->space == SPACE_GLOBAL || o->space == SPACE_CONSTANT;
  const int kind = strstr(name, "read_image") == name ? REFERENCE_TEXTURE
                   : strcmp(name, "depth") == 0       ? REFERENCE_DEPTH
                   : strcmp(name, "vertex") == 0      ? REFERENCE_VERTEX
                                                      : 0;
  return (o->op_class == OP_LOAD || o->op_class == OP_STORE) && in_memory && core->graphics[kind].enabled ? kind : 0;
}

/* Returns whether a line of an access goes on to L2. */
static inline bool reference_graphics_use(struct reference_gpu *g, struct reference_core *core, int kind, uint64_t line,
                                          int op_class) {
  const int64_t sharers = kind == REFERENCE_TEXTURE ? g->spec->texture_cache_cores : 1;
  struct reference_core *owner = &g->cores[(core - g->cores) / sharers * sharers];
  const bool load = op_class == OP_LOAD, hit = reference_cache_use(&owner->graphics[kind], line, load);
  g->result->graphics_accesses[kind] += load;
  g->result->graphics_misses[kind] += load && !hit;
  return !load || !hit;
}

/* Serves one line at L1. Returns whether the access itself goes on to L2 with it. Other lines that go there are
 * added to `carried`. */
static inline bool reference_l1(struct reference_gpu *g, struct reference_core *core, uint64_t line, uint32_t op,
                                struct reference_carried *carried) {
  const int op_class = g->trace->code.ops[op].op_class, graphics = reference_graphics_of(g, core, op);
  bool back = g->spec->l1_write == L1_WRITE_BACK, allocate = op_class == OP_LOAD || g->spec->l1_write_allocate;
  struct reference_place left;
  if (op_class == OP_ATOMIC)
    return true;
  if (graphics)
    return reference_graphics_use(g, core, graphics, line, op_class);
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
  uint64_t written[2]; /* lines that memory accepts, in this order */
  uint32_t written_count;
  bool own;            /* the last of them is the line itself */
  uint64_t filled[16]; /* lines of which memory reads the rest */
  uint32_t filled_count;
};

/* Adds what follows where L2 holds lines in part. A store writes `bytes`. */
static inline void reference_l2_parts(struct reference_gpu *g, uint64_t line, int op_class, const bool *bytes,
                                      struct reference_l2_outcome *o) {
  bool all = true;
  for (int64_t i = 0; i < g->spec->line_bytes && op_class == OP_STORE; i++)
    all &= bytes[i];
  if (!g->spec->l2_enabled) {
    o->filled[0] = line;
    o->filled_count = op_class == OP_STORE && !all;
  } else {
    const uint32_t at = reference_part_of(g, line);
    const bool in_part = at < g->part_count;
    if (op_class == OP_STORE && (in_part || !o->hit))
      reference_part_store(g, line, bytes);
    if (op_class != OP_STORE && in_part) {
      reference_part_forget(g, at);
      o->hit = false;
    }
    o->filled_count = reference_parts_gone(g, o->filled);
  }
  o->fetch = !o->hit;
  g->result->l2_fills += o->filled_count;
  g->result->dram_read += o->filled_count;
}

/* Serves one line at L2, for an access of this class; of a store, `bytes` are those of the line that it writes. */
static inline struct reference_l2_outcome reference_l2(struct reference_gpu *g, uint64_t line, int op_class,
                                                       const bool *bytes) {
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
    o.fetch = false; /* there is no cache to fetch it into */
  bool kept = g->spec->l2_enabled && (o.hit || allocate);
  o.own = stores && (policy == L2_WRITE_THROUGH || (policy == L2_WRITE_BACK && !kept));
  if (o.own)
    o.written[o.written_count++] = line;
  if (reference_partial_on(g->spec))
    reference_l2_parts(g, line, op_class, bytes, &o);
  return o;
}

/* Moves a line between L1 and L2, where it is used as by an access of this class. */
static inline void reference_count_moved(struct reference_gpu *g, int op_class) {
  g->result->l2_accesses++;
  g->result->l1_l2_written += op_class == OP_STORE;
  g->result->l1_l2_read += op_class != OP_STORE;
}

/* Serves the lines that an access carried to L2, without queues. */
static inline void reference_serve_carried(struct reference_gpu *g, const struct reference_carried *carried) {
  for (uint32_t i = 0; i < carried->fetched.count + carried->evicted.count; i++) {
    bool fetched = i < carried->fetched.count;
    int op_class = fetched ? OP_LOAD : OP_STORE;
    uint64_t line = fetched ? carried->fetched.line[i] : carried->evicted.line[i - carried->fetched.count];
    struct reference_l2_outcome o = reference_l2(g, line, op_class, NULL);
    reference_count_moved(g, op_class);
    g->result->l2_misses += !o.hit;
    g->result->dram_read += o.fetch;
    g->result->dram_written += o.written_count;
  }
}

#endif
