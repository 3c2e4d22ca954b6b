/* The reference replay's accesses that take a port beside the load/store unit: local memory in banks, and loads of one
 * address. */
#ifndef SUPPORT_REFERENCE_PORTS_H
#define SUPPORT_REFERENCE_PORTS_H

#include "reference_access.h"
#include "reference_texture.h"

/* Returns the number of words that the lanes of a part need of one bank; with `shared` the same word counts once. */
static inline uint32_t reference_words_of_bank(const struct reference_gpu *g, const struct reference_event *event,
                                               const struct reference_part *part, uint64_t bank, bool shared) {
  const uint64_t size = (uint64_t)g->spec->scratchpad_word_bytes, banks = (uint64_t)g->spec->scratchpad_banks;
  uint32_t n = 0;
  uint64_t known[64 * 40];
  for (uint32_t i = 0; i < event->lane_count; i++) {
    uint64_t first = event->address[i] + part->from, last = first + part->bytes - 1;
    for (uint64_t word = first / size; word <= last / size && part->member[i]; word++) {
      bool again = false;
      for (uint32_t k = 0; k < n && shared; k++)
        again |= known[k] == word;
      if (word % banks == bank && !again)
        known[n++] = word;
    }
  }
  return n;
}

static inline uint32_t reference_part_passes(const struct reference_gpu *g, const struct reference_event *event,
                                             const struct reference_part *part, bool shared) {
  uint32_t most = 0;
  for (uint64_t bank = 0; bank < (uint64_t)g->spec->scratchpad_banks; bank++) {
    uint32_t n = reference_words_of_bank(g, event, part, bank, shared);
    most = n > most ? n : most;
  }
  return most;
}

static inline uint32_t reference_passes(const struct reference_gpu *g, const struct reference_event *event) {
  const int op_class = g->trace->code.ops[event->op].op_class;
  struct reference_part all = reference_lanes(event, 0, 64, 0, reference_op_bytes(g, event)), parts[64 * 64];
  uint32_t passes = 0;
  if (op_class == OP_ATOMIC)
    return reference_part_passes(g, event, &all,
                                 g->spec->scratchpad_counts && reference_is_called(g, event->op, "increment"));
  for (uint32_t i = 0, count = reference_parts(g, event, op_class == OP_LOAD, parts); i < count; i++)
    passes += reference_part_passes(g, event, &parts[i], true);
  return passes;
}

static inline bool reference_one_address(const struct reference_event *event) {
  for (uint32_t i = 0; i < event->lane_count; i++)
    if (event->address[i] != event->address[0])
      return false;
  return true;
}

/* Looks up every line, so that the cache holds all of them the next time. */
static inline bool reference_port_holds(const struct reference_gpu *g, struct reference_core *core,
                                        const struct reference_event *event) {
  uint64_t line = (uint64_t)g->spec->line_bytes, first = event->address[0];
  uint32_t bytes = g->trace->code.ops[event->op].bytes;
  bool all = true;
  for (uint64_t i = first / line; i <= (first + (bytes ? bytes : 1) - 1) / line && g->spec->uniform_cache_bytes; i++)
    all = reference_cache_use(&core->uniform_cache, i, true) && all;
  return all;
}

/* Finds the component that the access waits for, its ticks from issue to end, and its transactions; R_COUNT: it goes to
 * the load/store unit. */
static inline int reference_port(struct reference_gpu *g, uint32_t id, const struct reference_event *event,
                                 uint32_t *transactions, uint64_t *ticks) {
  struct reference_core *core = &g->cores[id];
  const struct trace_op *op = &g->trace->code.ops[event->op];
  uint64_t *free, held;
  if (reference_graphics_of(g, core, event->op) || reference_texture_ticks(g, event->op, 1))
    return R_COUNT;
  if (op->space == SPACE_LOCAL && g->spec->local_memory == LOCAL_SCRATCHPAD) {
    *transactions = reference_passes(g, event);
    held = *transactions * reference_ticks(g->spec->scratchpad_pass_cycles);
    *ticks = held - reference_ticks(g->spec->scratchpad_pass_cycles) + reference_ticks(g->spec->scratchpad_cycles);
    held = reference_max(held, reference_least(g->spec)) + reference_more(g->spec);
    free = reference_pipe_is_shared(g->spec) ? &core->way.pipe_free : &core->scratchpad_free;
    g->result->scratchpad_accesses++;
    g->result->scratchpad_passes += *transactions;
  } else if (op->op_class == OP_LOAD && reference_one_address(event) &&
             ((op->space == SPACE_CONSTANT && g->spec->uniform_loads != UNIFORM_OFF) ||
              (op->space == SPACE_GLOBAL && g->spec->uniform_loads == UNIFORM_ANY)) &&
             reference_port_holds(g, core, event)) {
    *transactions = 1;
    held = reference_ticks(g->spec->uniform_load_cycles);
    *ticks = reference_ticks(g->spec->uniform_cycles);
    free = &core->uniform_free;
    g->result->uniform_loads++;
  } else {
    return R_COUNT;
  }
  if (*free < g->now)
    *free = g->now;
  *ticks += *free - g->now;
  *free += held;
  return op->space == SPACE_LOCAL ? R_LOCAL : R_UNIFORM;
}

#endif
