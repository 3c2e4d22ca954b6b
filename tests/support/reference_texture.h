/* The reference replay's texture unit: the samples that an access waits for. */
#ifndef SUPPORT_REFERENCE_TEXTURE_H
#define SUPPORT_REFERENCE_TEXTURE_H

#include "reference_queues.h"

static inline bool reference_is_read(const struct reference_gpu *g, uint32_t op) {
  const struct trace_code *code = &g->trace->code;
  return code->ops[op].name != TRACE_NO_NAME && strstr(code->names[code->ops[op].name], "read_image") != NULL;
}

static inline bool reference_is_texel(const struct reference_gpu *g, uint32_t op) {
  const struct trace_op *o = &g->trace->code.ops[op];
  return o->op_class == OP_LOAD && (o->space == SPACE_GLOBAL || o->space == SPACE_CONSTANT) && reference_is_read(g, op);
}

static inline bool reference_is_between_reads(const struct reference_gpu *g, uint32_t op) {
  return g->trace->code.ops[op].op_class == OP_MATH && reference_is_read(g, op);
}

/* Returns the texels of the read that an operation belongs to: those before and behind it in its block. */
static inline uint32_t reference_texels(const struct reference_gpu *g, uint32_t op) {
  const struct trace_block *block = g->trace->code.blocks;
  while (op < block->first_op || op >= block->first_op + block->op_count)
    block++;
  uint32_t count = 0;
  for (uint32_t i = op; i >= block->first_op && !reference_is_between_reads(g, i); i--) {
    count += reference_is_texel(g, i);
    if (i == 0)
      break;
  }
  for (uint32_t i = op + 1; i < block->first_op + block->op_count && !reference_is_between_reads(g, i); i++)
    count += reference_is_texel(g, i);
  return count;
}

/* Returns the ticks for which an access of `items` work-items takes the texture unit, or 0 if it reads no image. */
static inline uint64_t reference_texture_ticks(const struct reference_gpu *g, uint32_t op, uint32_t items) {
  if (g->spec->texels_per_cycle == 0 || !reference_is_texel(g, op))
    return 0;
  const uint32_t texels = reference_texels(g, op);
  return reference_rate_ticks(1, g->spec->texels_per_cycle) * ((texels + 3) / 4) / texels * items;
}

/* Returns for how long the access holds the unit beyond its n transactions. */
static inline uint64_t reference_texture_more(const struct reference_gpu *g, uint32_t op, uint32_t items, uint32_t n) {
  const uint64_t held =
      reference_pipe_is_shared(g->spec) ? 0 : n * reference_rate_ticks(1, g->spec->lsu_transactions_per_cycle);
  const uint64_t all = reference_texture_ticks(g, op, items);
  return all > held ? all - held : 0;
}

#endif
