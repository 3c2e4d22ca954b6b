/* The reference replay's memory accesses without queues: transactions of a warp's access, caches, sums of latencies. */
#ifndef SUPPORT_REFERENCE_ACCESS_H
#define SUPPORT_REFERENCE_ACCESS_H

#include "reference_atomics.h"
#include "reference_parts.h"
#include "reference_place.h"
#include "reference_translation.h"
#include "reference_write_policy.h"

/* Adds a piece of a line that lane `i` accesses to the n pieces from `begin` of this lane on: distinct pieces in
 * ascending order or, without coalescing, those of each lane. */
static inline uint32_t reference_add_piece(const struct reference_gpu *g, uint64_t piece, uint64_t *lines, uint32_t n,
                                           uint32_t begin) {
  uint32_t place = n;
  while (place > (g->spec->coalesce ? 0 : begin) && lines[place - 1] >= piece)
    if (lines[--place] == piece)
      return n;
  memmove(lines + place + 1, lines + place, (n - place) * sizeof *lines);
  lines[place] = piece;
  return n + 1;
}

/* Adds the transactions of lanes that are coalesced together, byte by byte. */
static inline uint32_t reference_part_lines(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                            const struct reference_event *event, const struct reference_part *part,
                                            uint64_t piece, uint64_t *lines) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  uint32_t n = 0;
  for (uint32_t i = 0; i < event->lane_count; i++) {
    const uint32_t begin = n;
    for (uint32_t byte = part->from; byte < part->from + part->bytes && part->member[i]; byte++) {
      uint64_t place = reference_byte_place(g, core, thread, event->lane[i], op, event->address[i], byte);
      n = reference_add_piece(g, place / piece, lines, n, begin);
    }
  }
  for (uint32_t i = 0; i < n; i++)
    lines[i] = lines[i] * piece / (uint64_t)g->spec->line_bytes;
  return n;
}

/* Finds the transactions of an access: those of each part or, without coalescing, every lane's lines. */
static inline uint32_t reference_lines(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                       const struct reference_event *event, struct reference_access_lines *lines) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  const uint64_t line = (uint64_t)g->spec->line_bytes, piece = (uint64_t)g->spec->access_piece_bytes;
  struct reference_part all = reference_lanes(event, 0, 64, 0, reference_op_bytes(g, event)), parts[64 * 64];
  memset(lines->part, 0, sizeof lines->part);
  if (!g->spec->coalesce || op->op_class == OP_ATOMIC)
    return reference_part_lines(g, core, thread, event, &all, line, lines->line);
  if (op->space == SPACE_PRIVATE && g->spec->private_interleaved)
    return reference_part_lines(g, core, thread, event, &all, piece ? piece : line, lines->line);
  uint32_t n = 0, count = reference_parts(g, event, false, parts);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t own = reference_part_lines(g, core, thread, event, &parts[i], piece ? piece : line, lines->line + n);
         own > 0; own--)
      lines->part[n++] = i;
  return n;
}

/* Adds the latency of one transaction at a level to that of the access. */
static inline void reference_add_latency(const struct reference_gpu *g, uint64_t *part, uint64_t ticks) {
  if (g->spec->access_latency == ACCESS_LATENCY_SUM)
    *part += ticks;
  else if (ticks > *part)
    *part = ticks;
}

static inline uint32_t reference_access(struct reference_gpu *g, uint32_t core, uint32_t thread,
                                        const struct reference_event *event, uint64_t parts[R_COUNT]) {
  struct reference_access_lines all;
  const uint64_t *lines = all.line;
  bool behind[64 * 80]; /* whether the transaction goes on to L2 */
  uint32_t n = reference_lines(g, core, thread, event, &all);
  int op_class = g->trace->code.ops[event->op].op_class;
  struct reference_carried carried = {0};
  for (uint32_t i = 0; i < n; i++)
    behind[i] = reference_l1(g, &g->cores[core], lines[i], event->op, &carried);
  const uint64_t translation = reference_translate_all(g, &g->cores[core], lines, behind, n, &carried);
  parts[R_TRANSLATION] = op_class == OP_STORE ? 0 : translation;
  for (uint32_t i = 0; i < n; i++) {
    struct reference_l2_outcome o = {.hit = true};
    if (behind[i]) {
      bool bytes[4096];
      if (op_class == OP_STORE)
        reference_written(g, core, thread, event, lines[i], bytes);
      o = reference_l2(g, lines[i], op_class, bytes);
      reference_count_moved(g, op_class);
      g->result->l2_misses += !o.hit;
      g->result->dram_read += o.fetch;
      g->result->dram_written += o.written_count;
    }
    if (op_class == OP_STORE) {
      reference_add_latency(g, &parts[R_STORE], reference_ticks(g->spec->store_cycles));
      continue;
    }
    if (op_class == OP_ATOMIC) {
      uint32_t operations, rounds = reference_atomic_rounds(g, core, thread, event, lines, i, &operations);
      g->result->atomics += operations;
      g->result->atomic_rounds += rounds;
      parts[R_ATOMIC] += rounds * reference_ticks(g->spec->atomic_cycles);
    }
    reference_add_latency(g, &parts[R_L1], reference_ticks(g->spec->l1_hit_cycles));
    reference_add_latency(g, &parts[R_L2], behind[i] ? reference_ticks(g->spec->l1_miss_cycles) : 0);
    reference_add_latency(g, &parts[R_DRAM], o.hit ? 0 : reference_ticks(g->spec->l2_miss_cycles));
  }
  reference_serve_carried(g, &carried);
  reference_carried_clear(&carried);
  return reference_unit_passes(g->spec, &all, n);
}

#endif
