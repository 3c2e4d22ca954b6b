#include "model/ports/texture_unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/result/cycle_stack.h"

#define SAMPLE_TEXELS 4 /* of a bilinear sample, which is delivered at once */

static bool is_of_read(const struct trace_code *code, const struct trace_op *op) {
  return op->name != TRACE_NO_NAME && strncmp(code->names[op->name], "read_image", 10) == 0;
}

static bool loads_texel(const struct trace_code *code, const struct trace_op *op) {
  return op->op_class == OP_LOAD && (op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT) && is_of_read(code, op);
}

/* Returns the call of the read behind the one whose loads may begin at `first`, or `end`, and counts these. */
static uint32_t end_of_read(const struct trace_code *code, uint32_t first, uint32_t end, uint32_t *texels) {
  uint32_t i = first;
  for (*texels = 0; i < end && !(code->ops[i].op_class == OP_MATH && is_of_read(code, &code->ops[i])); i++)
    *texels += loads_texel(code, &code->ops[i]);
  return i;
}

static void choose_block(struct texture_unit *unit, const struct trace_code *code, const struct trace_block *block,
                         uint64_t sample_ticks) {
  const uint32_t end = block->first_op + block->op_count;
  uint32_t texels;
  for (uint32_t first = block->first_op; first < end; first++) {
    const uint32_t last = end_of_read(code, first, end, &texels);
    const uint64_t samples = (texels + SAMPLE_TEXELS - 1) / SAMPLE_TEXELS;
    for (; first < last; first++)
      if (loads_texel(code, &code->ops[first]))
        unit->item_ticks[first] = (uint32_t)(sample_ticks * samples / texels);
  }
}

void texture_unit_leave_out(const struct trace_code *code, struct gpu_spec *spec) {
  bool any = false;
  for (uint32_t i = 0; i < code->op_count; i++)
    any |= loads_texel(code, &code->ops[i]);
  if (!any)
    spec->texels_per_cycle = 0;
}

bool texture_unit_choose(struct texture_unit *unit, const struct gpu_spec *spec, const struct trace_code *code) {
  struct gpu_spec used = *spec;
  texture_unit_leave_out(code, &used);
  const uint64_t sample_ticks = ticks_per(1, used.texels_per_cycle);
  if (sample_ticks == 0)
    return true;
  if (!(unit->item_ticks = calloc(code->op_count + 1u, sizeof *unit->item_ticks)))
    return false;
  for (uint32_t b = 0; b < code->block_count; b++)
    choose_block(unit, code, &code->blocks[b], sample_ticks);
  return true;
}

void texture_unit_clear(struct texture_unit *unit) {
  free(unit->item_ticks);
  *unit = (struct texture_unit){0};
}
