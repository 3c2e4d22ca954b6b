#include "tracegen/bifrost/trace/machine_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/abi/post_dominators.h"

static const struct shader_slot *last_slot(const struct bifrost_shader *shader, const struct shader_clause *clause) {
  static const struct shader_slot nothing = {.action = ACTION_NOTHING};
  if (!clause->tuple_count)
    return &nothing;
  return &shader->tuples[clause->first_tuple + clause->tuple_count - 1].slots[UNIT_ADD];
}

bool clause_branches(const struct bifrost_shader *shader, const struct shader_clause *clause) {
  return last_slot(shader, clause)->action == ACTION_BRANCH;
}

bool clause_never_falls_through(const struct bifrost_shader *shader, const struct shader_clause *clause) {
  const struct instruction *in = &last_slot(shader, clause)->instruction;
  return clause->header.flow == FLOW_END ||
         (clause_branches(shader, clause) && strcmp(in->operation->name, "JUMP") == 0);
}

bool clause_has_barrier(const struct bifrost_shader *shader, const struct shader_clause *clause) {
  for (unsigned t = 0; t < clause->tuple_count; t++)
    if (shader->tuples[clause->first_tuple + t].slots[UNIT_ADD].action == ACTION_BARRIER)
      return true;
  return false;
}

static bool ends_block(const struct bifrost_shader *shader, const struct shader_clause *clause) {
  return clause->header.flow == FLOW_END || clause_branches(shader, clause) || clause_has_barrier(shader, clause);
}

/* Marks the clauses that begin a block with 0. */
static void mark_leaders(const struct bifrost_shader *shader, uint32_t *block_of_clause) {
  for (uint32_t c = 0; c < shader->clause_count; c++)
    block_of_clause[c] = TRACE_NO_BLOCK;
  block_of_clause[0] = 0;
  for (uint32_t c = 0; c < shader->clause_count; c++) {
    if (shader->clauses[c].target < shader->clause_count)
      block_of_clause[shader->clauses[c].target] = 0;
    if (c + 1 < shader->clause_count && ends_block(shader, &shader->clauses[c]))
      block_of_clause[c + 1] = 0;
  }
}

static uint32_t number_blocks(const struct bifrost_shader *shader, uint32_t *block_of_clause) {
  uint32_t count = 0;
  for (uint32_t c = 0; c < shader->clause_count; c++)
    if (block_of_clause[c] != TRACE_NO_BLOCK)
      block_of_clause[c] = count++;
  return count;
}

static bool has_branch_to_end(const struct bifrost_shader *shader) {
  for (uint32_t c = 0; c < shader->clause_count; c++)
    if (shader->clauses[c].target == END_CLAUSE)
      return true;
  return false;
}

static void add_successor(struct trace_code *code, struct trace_block *block, uint32_t successor) {
  if (block->successor_count && code->successors[code->successor_count - 1] == successor)
    return; /* a branch to the next clause */
  code->successors[code->successor_count++] = successor;
  block->successor_count++;
}

/* `last`: the block's last clause. */
static void set_successors(const struct bifrost_shader *shader, struct machine_code *out, struct trace_block *block,
                           uint32_t last) {
  const struct shader_clause *clause = &shader->clauses[last];
  block->first_successor = out->code.successor_count;
  block->has_barrier = clause_has_barrier(shader, clause);
  if (clause->target != NO_CLAUSE)
    add_successor(&out->code, block,
                  clause->target == END_CLAUSE ? out->exit_block : out->block_of_clause[clause->target]);
  if (!clause_never_falls_through(shader, clause) && last + 1 < shader->clause_count)
    add_successor(&out->code, block, out->block_of_clause[last + 1]);
}

static void place_exit(const struct bifrost_shader *shader, struct machine_code *out) {
  const struct shader_clause *last = &shader->clauses[shader->clause_count - 1];
  if (out->exit_block != TRACE_NO_BLOCK)
    out->code.blocks[out->exit_block].code_address = (last->quadword + last->quadword_count) * QUADWORD_BYTES;
}

static void place_blocks(const struct bifrost_shader *shader, struct machine_code *out) {
  struct trace_block *block = NULL;
  for (uint32_t c = 0; c < shader->clause_count; c++) {
    const struct shader_clause *clause = &shader->clauses[c];
    if (out->block_of_clause[c] != TRACE_NO_BLOCK) {
      block = &out->code.blocks[out->block_of_clause[c]];
      block->code_address = clause->quadword * QUADWORD_BYTES;
    }
    block->code_bytes += clause->quadword_count * QUADWORD_BYTES;
    if (c + 1 == shader->clause_count || out->block_of_clause[c + 1] != TRACE_NO_BLOCK)
      set_successors(shader, out, block, c);
  }
  place_exit(shader, out);
}

int machine_blocks_find(const struct bifrost_shader *shader, struct machine_code *out, struct error *error) {
  struct trace_code *code = &out->code;
  out->block_of_clause = calloc(shader->clause_count, sizeof *out->block_of_clause);
  if (!out->block_of_clause)
    return error_set(error, ERROR_WORK, "out of memory for a code table");
  mark_leaders(shader, out->block_of_clause);
  code->block_count = number_blocks(shader, out->block_of_clause);
  out->exit_block = TRACE_NO_BLOCK;
  if (has_branch_to_end(shader))
    out->exit_block = code->block_count++;
  code->blocks = calloc(code->block_count, sizeof *code->blocks);
  code->successors = calloc(2 * (size_t)code->block_count, sizeof *code->successors);
  if (!code->blocks || !code->successors)
    return error_set(error, ERROR_WORK, "out of memory for a code table");
  place_blocks(shader, out);
  return post_dominators(code) == 0 ? 0 : error_set(error, ERROR_WORK, "out of memory for a code table");
}
