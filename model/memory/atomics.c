#include "model/memory/atomics.h"

#include <stdlib.h>
#include <string.h>

static uint64_t address_of(const struct lane_addresses *lanes, uint32_t lane) {
  return lanes->affine ? lanes->first + (uint64_t)(lanes->stride * lane) : lanes->address[lane];
}

/* Counts operations and rounds after coalescing: lanes of one address are neighbours, and so are lanes of one line. */
static uint32_t count_coalesced(const struct line_size *size, const struct line_size *piece,
                                const struct lane_addresses *lanes, const uint32_t *lines, uint32_t *in_line,
                                uint32_t *rounds_of) {
  uint32_t at = 0, rounds = 0, same = 0, in_piece = 0;
  uint64_t before = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    const uint64_t address = address_of(lanes, k);
    same = k > 0 && address == before ? same + 1 : 1;
    if (k > 0 && line_of(piece, address) != line_of(piece, before))
      in_piece = 0;
    for (; lines[at] < line_of(size, address); at++)
      in_piece = 0;
    in_line[at]++;
    if (same > in_piece) {
      in_piece = same;
      rounds_of[at]++;
      rounds++;
    }
    before = address;
  }
  return rounds;
}

/* Counts operations and rounds without coalescing: the lines of each lane follow one another, and the lane executes in
 * the first of them. */
static uint32_t count_alone(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *in_line,
                            uint32_t *rounds_of) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    uint64_t first = address_of(lanes, k);
    in_line[at] = rounds_of[at] = 1;
    at += line_of(size, first + lanes->bytes - 1) - line_of(size, first) + 1;
  }
  return lanes->count;
}

uint32_t atomics_count(const struct line_size *size, const struct line_size *piece, const struct lane_addresses *lanes,
                       bool coalesced, const uint32_t *lines, uint32_t transactions, uint32_t *in_line) {
  uint32_t *rounds_of = in_line + transactions;
  memset(in_line, 0, 2 * transactions * sizeof *in_line);
  return coalesced ? count_coalesced(size, piece, lanes, lines, in_line, rounds_of)
                   : count_alone(size, lanes, in_line, rounds_of);
}

static enum atomic_role role_of(const struct gpu_spec *spec, const struct trace_code *code, const struct trace_op *op) {
  if (op->op_class != OP_ATOMIC || op->name == TRACE_NO_NAME)
    return ATOMIC_ALONE;
  const char *name = code->names[op->name];
  if (spec->merge_atomics && strcmp(name, "uniform") == 0)
    return ATOMIC_UNIFORM;
  return spec->scratchpad_counts && strcmp(name, "increment") == 0 ? ATOMIC_INCREMENT : ATOMIC_ALONE;
}

bool merged_atomics_choose(struct merged_atomics *merged, const struct gpu_spec *spec, const struct trace_code *code) {
  bool any = false;
  for (uint32_t i = 0; i < code->op_count && !any; i++)
    any = role_of(spec, code, &code->ops[i]) != ATOMIC_ALONE;
  if (!any)
    return true;
  if (!(merged->of_op = calloc(code->op_count, sizeof *merged->of_op)))
    return false;
  for (uint32_t i = 0; i < code->op_count; i++)
    merged->of_op[i] = (uint8_t)role_of(spec, code, &code->ops[i]);
  return true;
}

void merged_atomics_clear(struct merged_atomics *merged) {
  free(merged->of_op);
  *merged = (struct merged_atomics){0};
}

void merged_atomics_merge(enum atomic_role role, struct lane_addresses *lanes) {
  if (role != ATOMIC_UNIFORM || (lanes->affine && lanes->stride != 0))
    return;
  for (uint32_t i = 1; i < lanes->count && !lanes->affine; i++)
    if (lanes->address[i] != lanes->address[0])
      return;
  lanes->count = 1;
  lanes->lanes &= -lanes->lanes;
}
