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

/* Looks at the first execution of each access, in the paths of one work-item of each shape. */
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

/* Returns whether the operation stays a memory operation. */
static bool rewrite(struct trace_op *op, enum part part) {
  const bool global = op->space == SPACE_GLOBAL || op->space == SPACE_CONSTANT;
  if (op->op_class == OP_BARRIER)
    become(op, OP_FLOAT_ADD);
  else if (is_memory(op) && op->space == SPACE_LOCAL)
    become(op, OP_MOVE);
  else if (is_memory(op) && global && (part == PART_INPUT || part == PART_OUTPUT))
    become(op, part == PART_INPUT ? OP_FLOAT_FMA : OP_MOVE);
  return is_memory(op);
}

/* The arithmetic of an address of inputs and outputs goes with the access, which it stands in front of. */
static void drop_address(struct trace_op *ops, uint32_t i, enum part part) {
  if (i > 0 && (part == PART_INPUT || part == PART_OUTPUT) && ops[i - 1].op_class == OP_ADDRESS)
    become(&ops[i - 1], OP_MOVE);
}

static struct trace_op branch(void) {
  return (struct trace_op){
      .op_class = OP_BRANCH, .type = TYPE_VOID, .width = 1, .first_use = TRACE_NO_OP, .name = TRACE_NO_NAME};
}

static bool make_room(const struct trace_code *old, struct tile_code *out) {
  struct trace_code *c = &out->code;
  c->op_count = old->op_count + 2;
  c->block_count = old->block_count + 2;
  c->successor_count = old->successor_count + 2;
  c->ops = calloc(c->op_count, sizeof *c->ops);
  c->blocks = calloc(c->block_count, sizeof *c->blocks);
  c->successors = calloc(c->successor_count, sizeof *c->successors);
  c->mem_ops = calloc(old->mem_count + 1, sizeof *c->mem_ops);
  out->kept = calloc(old->op_count + 1, sizeof *out->kept);
  c->names = old->names;
  c->name_count = old->name_count;
  return c->ops && c->blocks && c->successors && c->mem_ops && out->kept;
}

static void copy_operations(const struct trace_code *old, const enum part *parts, struct tile_code *out) {
  struct trace_op *ops = out->code.ops + 1;
  out->code.ops[0] = out->code.ops[old->op_count + 1] = branch();
  memcpy(ops, old->ops, old->op_count * sizeof *ops);
  for (uint32_t i = 0; i < old->op_count; i++) {
    if (ops[i].first_use != TRACE_NO_OP)
      ops[i].first_use++;
    out->kept[i] = rewrite(&ops[i], parts[i]);
    drop_address(ops, i, is_memory(&old->ops[i]) ? parts[i] : PART_OTHER);
  }
}

static void copy_blocks(const struct trace_code *old, struct tile_code *out) {
  struct trace_code *c = &out->code;
  const uint32_t last = old->block_count + 1;
  c->successors[0] = 1;
  c->successors[1] = last;
  c->blocks[0] = (struct trace_block){.op_count = 1, .successor_count = 2, .ipdom = TRACE_NO_BLOCK};
  for (uint32_t i = 0; i < old->successor_count; i++)
    c->successors[i + 2] = old->successors[i] + 1;
  for (uint32_t b = 0; b < old->block_count; b++) {
    struct trace_block *to = &c->blocks[b + 1];
    *to = old->blocks[b];
    to->first_op++;
    to->first_successor += 2;
    to->has_barrier = 0;
    to->ipdom = to->ipdom == TRACE_NO_BLOCK ? TRACE_NO_BLOCK : to->ipdom + 1;
    to->first_mem = c->mem_count;
    for (uint32_t m = 0; m < old->blocks[b].mem_count; m++) {
      const uint32_t op = old->mem_ops[old->blocks[b].first_mem + m];
      if (out->kept[op])
        c->mem_ops[c->mem_count++] = op + 1;
    }
    to->mem_count = c->mem_count - to->first_mem;
  }
  c->blocks[last] =
      (struct trace_block){.first_op = old->op_count + 1,
                           .op_count = 1,
                           .first_mem = c->mem_count,
                           .first_successor = c->successor_count,
                           .ipdom = TRACE_NO_BLOCK,
                           .code_address = old->block_count ? old->blocks[old->block_count - 1].code_address +
                                                                  old->blocks[old->block_count - 1].code_bytes
                                                            : 0};
}

int tile_code_create(const struct trace *fragments, struct tile_code *out, struct error *error) {
  *out = (struct tile_code){0};
  enum part *parts = calloc(fragments->code.op_count + 1, sizeof *parts);
  int status = 0;
  if (!parts || !find_parts(fragments, parts) || !make_room(&fragments->code, out))
    status = error_set(error, ERROR_WORK, "out of memory");
  else if (fragments->code.block_count > 65533)
    status = error_set(error, ERROR_INPUT, "the fragment shader has too many blocks");
  else {
    copy_operations(&fragments->code, parts, out);
    copy_blocks(&fragments->code, out);
  }
  free(parts);
  if (status)
    tile_code_clear(out);
  return status;
}

void tile_code_clear(struct tile_code *c) {
  free(c->code.ops);
  free(c->code.blocks);
  free(c->code.successors);
  free(c->code.mem_ops);
  free(c->kept);
  *c = (struct tile_code){0};
}
