#include "graphics/tile/tile_code.h"

#include <stdlib.h>
#include <string.h>

/* The part of an operation's work: what its addresses lie in. */
enum part { PART_UNKNOWN, PART_INPUT, PART_OUTPUT, PART_OTHER };

static enum part part_of(const struct trace_header *h, uint32_t address) {
  for (uint32_t i = 0; i < h->buffer_count; i++)
    if (address >= h->buffers[i].base && address - h->buffers[i].base < h->buffers[i].bytes)
      return strcmp(h->buffers[i].name, "inputs-0") == 0    ? PART_INPUT
             : strcmp(h->buffers[i].name, "outputs-0") == 0 ? PART_OUTPUT
                                                            : PART_OTHER;
  return PART_OTHER;
}

/* Examines the first execution of each access, in the paths of one work-item of each shape. */
static bool find_parts(const struct trace *t, enum part *parts) {
  uint32_t *addresses = malloc((t->code.mem_count + 1) * sizeof *addresses), block;
  bool *seen = calloc(t->shape_count + 1, sizeof *seen);
  for (uint32_t g = 0; addresses && seen && g < t->group_count; g++) {
    if (seen[t->groups[g].shape])
      continue;
    seen[t->groups[g].shape] = true;
    for (uint32_t item = 0; item < trace_local_size(&t->header); item++) {
      struct trace_cursor cursor;
      trace_cursor_init(&cursor, t, &t->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        for (uint32_t m = 0; m < t->code.blocks[block].mem_count; m++) {
          const uint32_t op = t->code.mem_ops[t->code.blocks[block].first_mem + m];
          if (parts[op] == PART_UNKNOWN)
            parts[op] = part_of(&t->header, addresses[m]);
        }
    }
  }
  const bool done = addresses && seen;
  free(addresses);
  free(seen);
  return done;
}

static bool is_memory(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
}

static void become(struct trace_op *op, enum trace_op_class c) {
  op->op_class = (uint8_t)c;
  op->type = TYPE_F32;
  op->width = op->width ? op->width : 1;
  op->bytes = 0;
  op->space = 0;
  op->first_use = TRACE_NO_OP;
  op->name = TRACE_NO_NAME;
}

static void rewrite(struct trace_op *op, enum part part) {
  const bool global = op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT;
  if (op->op_class == OP_BARRIER)
    become(op, OP_FLOAT_ADD);
  else if (is_memory(op) && op->space == SPACE_LOCAL)
    become(op, OP_MOVE);
  else if (is_memory(op) && global && (part == PART_INPUT || part == PART_OUTPUT))
    become(op, part == PART_INPUT ? OP_FLOAT_FMA : OP_MOVE);
}

/* The arithmetic of an address of inputs and outputs is removed with the access that follows it. */
static void drop_address(struct trace_op *ops, uint32_t i, enum part part) {
  if (i > 0 && (part == PART_INPUT || part == PART_OUTPUT) && ops[i - 1].op_class == OP_ADDRESS)
    become(&ops[i - 1], OP_MOVE);
}

static int list_parts(const struct trace *t, enum part **parts, struct error *error) {
  *parts = calloc(t->code.op_count + 1, sizeof **parts);
  if (*parts && find_parts(t, *parts))
    return 0;
  free(*parts);
  return error_no_memory(error);
}

int tile_code_attributes(const struct trace *vertices, bool *attributes, struct error *error) {
  enum part *parts;
  if (list_parts(vertices, &parts, error))
    return -1;
  for (uint32_t i = 0; i < vertices->code.op_count; i++)
    attributes[i] = vertices->code.ops[i].op_class == OP_LOAD && parts[i] == PART_INPUT;
  free(parts);
  return 0;
}

int tile_code_rewrite(const struct trace *fragments, struct trace_op *ops, struct error *error) {
  enum part *parts;
  if (list_parts(fragments, &parts, error))
    return -1;
  for (uint32_t i = 0; i < fragments->code.op_count; i++) {
    const bool accesses = is_memory(&ops[i]);
    rewrite(&ops[i], parts[i]);
    drop_address(ops, i, accesses ? parts[i] : PART_OTHER);
  }
  free(parts);
  return 0;
}
