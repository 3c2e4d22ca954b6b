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

/* Conversions that units do. */

enum { NOT_LOOKED_AT, LOOKED_AT, DELIVERED, COMPUTED };

#define MOST_DEPTH 64

struct units {
  const struct trace_code *code;
  const enum part *parts;
  unsigned char *sources; /* by operation */
  bool *exported;         /* by operation: its value goes to outputs only */
};

static bool is_moved(const struct trace_op *op) {
  return op->op_class == OP_MOVE || op->op_class == OP_SHUFFLE;
}

static uint32_t first_operand(const struct trace_code *code, uint32_t i) {
  return i > 0 ? code->operand_end[i - 1] : 0;
}

static bool is_delivery(const struct units *u, uint32_t i) {
  const struct trace_op *op = &u->code->ops[i];
  if (op->op_class == OP_LOAD)
    return u->parts[i] == PART_INPUT || op->name != TRACE_NO_NAME;
  return op->op_class == OP_MATH && op->name != TRACE_NO_NAME &&
         strncmp(u->code->names[op->name], "read_image", strlen("read_image")) == 0;
}

/* Returns whether a value consists of interpolated words and texels alone. */
static bool is_delivered(struct units *u, uint32_t i, unsigned depth) {
  const uint32_t first = first_operand(u->code, i), end = u->code->operand_end[i];
  if (u->sources[i] != NOT_LOOKED_AT || depth > MOST_DEPTH)
    return u->sources[i] == DELIVERED;
  u->sources[i] = LOOKED_AT;
  bool all = is_delivery(u, i) || (is_moved(&u->code->ops[i]) && end > first);
  for (uint32_t k = first; all && k < end && is_moved(&u->code->ops[i]); k++)
    all = is_delivered(u, u->code->operands[k], depth + 1);
  u->sources[i] = all ? DELIVERED : COMPUTED;
  return all;
}

/* Finds the values that nothing but outputs take. */
static void find_exported(struct units *u) {
  const struct trace_code *code = u->code;
  memset(u->exported, true, code->op_count * sizeof *u->exported);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < code->op_count; i++) {
      const bool passes = (code->ops[i].op_class == OP_STORE && u->parts[i] == PART_OUTPUT) ||
                          (is_moved(&code->ops[i]) && u->exported[i]);
      for (uint32_t k = first_operand(code, i); !passes && k < code->operand_end[i]; k++) {
        changed = changed || u->exported[code->operands[k]];
        u->exported[code->operands[k]] = false;
      }
    }
  }
}

static bool is_from(const struct units *u, uint32_t i, enum trace_type type) {
  const uint32_t first = first_operand(u->code, i);
  return u->code->operand_end[i] == first + 1 && u->code->ops[u->code->operands[first]].type == type;
}

/* A conversion to halves of what a unit delivers is done by the unit, and so is one of a half for the outputs. */
static bool is_done_by_unit(struct units *u, uint32_t i) {
  const struct trace_op *op = &u->code->ops[i];
  if (op->op_class != OP_CONVERT)
    return false;
  if (op->type == TYPE_F16)
    return is_from(u, i, TYPE_F32) && is_delivered(u, u->code->operands[first_operand(u->code, i)], 0);
  return op->type == TYPE_F32 && is_from(u, i, TYPE_F16) && u->exported[i];
}

static int drop_conversions(const struct trace *t, const enum part *parts, struct trace_op *ops, struct error *error) {
  const uint32_t count = t->code.op_count;
  struct units u = {&t->code, parts, calloc(count + 1, 1), malloc((count + 1) * sizeof *u.exported)};
  const bool has_memory = u.sources && u.exported;
  if (has_memory && t->code.operand_end) {
    find_exported(&u);
    for (uint32_t i = 0; i < count; i++)
      if (is_done_by_unit(&u, i))
        become(&ops[i], OP_MOVE);
  }
  free(u.sources);
  free(u.exported);
  return has_memory ? 0 : error_no_memory(error);
}

static int list_parts(const struct trace *t, enum part **parts, struct error *error) {
  *parts = calloc(t->code.op_count + 1, sizeof **parts);
  if (*parts && find_parts(t, *parts))
    return 0;
  free(*parts);
  return error_no_memory(error);
}

int tile_code_attributes(const struct trace *vertices, struct trace_op *ops, bool *attributes, struct error *error) {
  enum part *parts;
  if (list_parts(vertices, &parts, error))
    return -1;
  for (uint32_t i = 0; i < vertices->code.op_count; i++) {
    attributes[i] = ops[i].op_class == OP_LOAD && parts[i] == PART_INPUT;
    if (ops[i].op_class == OP_BARRIER || (is_memory(&ops[i]) && ops[i].space == SPACE_LOCAL)) {
      become(&ops[i], OP_MOVE);
      attributes[i] = false;
    }
  }
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
  const bool done =
      !drop_conversions(fragments, parts, ops, error) && !half_swizzles_drop(&fragments->code, ops, error);
  free(parts);
  return done ? 0 : -1;
}
