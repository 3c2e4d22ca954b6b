/* The reference replay's lines that share a tag, and lines of L2 of which stores wrote a part. */
#ifndef SUPPORT_REFERENCE_SECTORS_H
#define SUPPORT_REFERENCE_SECTORS_H

#include "reference_parts.h"
#include "reference_place.h"

/* Returns the bytes of what a cache has one tag for. */
static inline int64_t reference_tag_bytes(const struct gpu_spec *spec, int model, bool writes_back) {
  return spec->line_bytes * (model == CACHE_BINOMIAL_SETS || writes_back ? 1 : spec->tag_lines);
}

/* The lines of an access, and the part of the access to which each belongs. */
struct reference_access_lines {
  uint64_t line[64 * 80];
  uint32_t part[64 * 80];
};

/* Returns whether line number i of an access does not pass the load/store unit with the one before. */
static inline bool reference_begins(const struct gpu_spec *spec, const struct reference_access_lines *lines,
                                    uint32_t i) {
  const uint64_t tag_lines = (uint64_t)spec->tag_lines, *line = lines->line;
  if (i == 0 || tag_lines == 1 || !spec->coalesce || lines->part[i] != lines->part[i - 1])
    return true;
  return line[i] <= line[i - 1] || line[i] / tag_lines != line[i - 1] / tag_lines;
}

static inline uint32_t reference_unit_passes(const struct gpu_spec *spec, const struct reference_access_lines *lines,
                                             uint32_t n) {
  uint32_t passes = 0;
  for (uint32_t i = 0; i < n; i++)
    passes += reference_begins(spec, lines, i);
  return passes;
}

static inline bool reference_partial_on(const struct gpu_spec *spec) {
  const bool l1_plain = !spec->l1_enabled || (spec->l1_write == L1_WRITE_THROUGH && !spec->l1_write_allocate);
  return spec->partial_writes && l1_plain && spec->l2_write == L2_WRITE_FREE && spec->l2_write_allocate &&
         spec->l2_model != CACHE_BINOMIAL_SETS;
}

/* Finds the bytes of a line that the lanes of a store write. Returns whether these are all of it. */
static inline bool reference_written(const struct reference_gpu *g, uint32_t core, uint32_t thread,
                                     const struct reference_event *event, uint64_t line, bool *bytes) {
  const struct trace_op *op = &g->trace->code.ops[event->op];
  const uint64_t size = (uint64_t)g->spec->line_bytes;
  const bool whole = op->space == SPACE_PRIVATE && g->spec->private_interleaved;
  bool all = true;
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = whole;
  for (uint32_t i = 0; i < event->lane_count; i++)
    for (uint32_t byte = 0; byte < reference_op_bytes(g, event); byte++) {
      const uint64_t place = reference_byte_place(g, core, thread, event->lane[i], op, event->address[i], byte);
      if (place / size == line)
        bytes[place % size] = true;
    }
  for (uint64_t i = 0; i < size; i++)
    all &= bytes[i];
  return all;
}

/* Returns the time that line number i of a store of n lines takes at L2, in times of a line. */
static inline uint32_t reference_store_times(const struct gpu_spec *spec, const struct reference_access_lines *lines,
                                             uint32_t n, uint32_t i, bool whole) {
  uint32_t times = whole ? 1 : 2, together = 1;
  if (i + 1 < n && !reference_begins(spec, lines, i + 1))
    return times;
  for (uint32_t k = i; !reference_begins(spec, lines, k); k--)
    together++;
  return times + (uint32_t)spec->tag_lines - together;
}

/* Returns the place of the line among those that are there in part, or their number. */
static inline uint32_t reference_part_of(const struct reference_gpu *g, uint64_t line) {
  uint32_t i = 0;
  while (i < g->part_count && g->parts[i].line != line)
    i++;
  return i;
}

static inline void reference_part_forget(struct reference_gpu *g, uint32_t i) {
  memmove(g->parts + i, g->parts + i + 1, (g->part_count - i - 1) * sizeof *g->parts);
  g->part_count--;
}

/* Notes what a store wrote of a line that L2 did not hold, or held in part. */
static inline void reference_part_store(struct reference_gpu *g, uint64_t line, const bool *bytes) {
  const uint32_t at = reference_part_of(g, line);
  bool all = true;
  if (at == g->part_count) {
    g->parts = realloc(g->parts, (g->part_count + 1) * sizeof *g->parts);
    g->parts[g->part_count++] = (struct reference_line_part){.line = line};
  }
  for (int64_t i = 0; i < g->spec->line_bytes; i++)
    all &= g->parts[at].written[i] |= bytes[i];
  if (all)
    reference_part_forget(g, at);
}

/* Takes out the lines that are there in part and that L2 holds no longer, in ascending order. Returns their number. */
static inline uint32_t reference_parts_gone(struct reference_gpu *g, uint64_t *gone) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->part_count;) {
    if (reference_cache_holds(&g->l2, g->parts[i].line)) {
      i++;
      continue;
    }
    uint32_t at = n++;
    for (; at > 0 && gone[at - 1] > g->parts[i].line; at--)
      gone[at] = gone[at - 1];
    gone[at] = g->parts[i].line;
    reference_part_forget(g, i);
  }
  return n;
}

#endif
