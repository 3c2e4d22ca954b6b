#include "graphics/tile/launch_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graphics/tile/tile_code.h"

enum {
  SIZES = 5,
  KINDS = 2 * SIZES,
  ACCESS_BLOCKS = LAUNCH_WHATS * KINDS,
  FIRST_SHADER = 1 + ACCESS_BLOCKS,
  MOST_BLOCKS = 65535
};

static const char *const what_names[LAUNCH_WHATS] = {[LAUNCH_DEPTH] = "depth", [LAUNCH_VERTEX] = "vertex"};

uint16_t launch_code_access(uint32_t bytes, bool stores, enum launch_what what) {
  uint16_t size = 0;
  while (size < SIZES - 1 && 1u << size < bytes)
    size++;
  return (uint16_t)(1 + KINDS * (unsigned)what + 2 * size + stores);
}

/* Shaders. */

static bool equal(const void *a, const void *b, size_t count, size_t size) {
  return count == 0 || memcmp(a, b, count * size) == 0;
}

static bool same_blocks(const struct trace_code *a, const struct trace_code *b) {
  for (uint32_t i = 0; i < a->block_count; i++) {
    const struct trace_block *x = &a->blocks[i], *y = &b->blocks[i];
    if (x->first_op != y->first_op || x->op_count != y->op_count || x->first_mem != y->first_mem ||
        x->mem_count != y->mem_count || x->first_successor != y->first_successor ||
        x->successor_count != y->successor_count || x->ipdom != y->ipdom || x->code_address != y->code_address ||
        x->code_bytes != y->code_bytes)
      return false;
  }
  return true;
}

static bool same_names(const struct trace_code *a, const struct trace_code *b) {
  for (uint32_t i = 0; i < a->name_count; i++)
    if (strcmp(a->names[i], b->names[i]) != 0)
      return false;
  return true;
}

static bool same_code(const struct trace_code *a, const struct trace_code *b) {
  return a->op_count == b->op_count && a->block_count == b->block_count && a->mem_count == b->mem_count &&
         a->successor_count == b->successor_count && a->name_count == b->name_count &&
         equal(a->ops, b->ops, a->op_count, sizeof *a->ops) && same_blocks(a, b) &&
         equal(a->mem_ops, b->mem_ops, a->mem_count, sizeof *a->mem_ops) &&
         equal(a->successors, b->successors, a->successor_count, sizeof *a->successors) && same_names(a, b);
}

static bool is_memory(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC;
}

static int take_operations(const struct trace *trace, bool fragments, struct launch_shader *s, struct error *error) {
  const struct trace_code *old = &trace->code;
  *s = (struct launch_shader){.trace = trace,
                              .ops = malloc((old->op_count + 1) * sizeof *s->ops),
                              .kept = calloc(old->op_count + 1, sizeof *s->kept),
                              .attributes = calloc(old->op_count + 1, sizeof *s->attributes)};
  if (!s->ops || !s->kept || !s->attributes)
    return error_no_memory(error);
  memcpy(s->ops, old->ops, old->op_count * sizeof *s->ops);
  if (fragments ? tile_code_rewrite(trace, s->ops, error) : tile_code_attributes(trace, s->ops, s->attributes, error))
    return -1;
  for (uint32_t i = 0; i < old->op_count; i++)
    s->kept[i] = is_memory(&s->ops[i]);
  return 0;
}

/* Two traces with one code may differ in what an operation accesses: then they are two shaders. */
static bool same_shader(const struct launch_shader *a, const struct launch_shader *b) {
  return same_code(&a->trace->code, &b->trace->code) &&
         equal(a->ops, b->ops, a->trace->code.op_count, sizeof *a->ops) &&
         equal(a->attributes, b->attributes, a->trace->code.op_count, sizeof *a->attributes);
}

static void clear_shader(struct launch_shader *s) {
  free(s->ops);
  free(s->kept);
  free(s->attributes);
}

static int add_shader(struct launch_code *c, const struct trace *trace, bool fragments, uint32_t *number,
                      struct error *error) {
  if (!array_room(&c->shaders, &c->shader_room, c->shader_count + 1, sizeof *c->shaders))
    return error_no_memory(error);
  struct launch_shader *s = &c->shaders[c->shader_count];
  if (take_operations(trace, fragments, s, error)) {
    clear_shader(s);
    return -1;
  }
  for (*number = 0; *number < c->shader_count; ++*number)
    if (same_shader(&c->shaders[*number], s)) {
      clear_shader(s);
      return 0;
    }
  c->shader_count++;
  return 0;
}

/* The code of all. */

static struct trace_op plain(enum trace_op_class c) {
  return (struct trace_op){
      .op_class = (uint8_t)c, .type = TYPE_VOID, .width = 1, .first_use = TRACE_NO_OP, .name = TRACE_NO_NAME};
}

static struct trace_op access_op(uint32_t size, bool stores) {
  static const uint8_t types[SIZES] = {TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I32, TYPE_I32};
  struct trace_op op = plain(stores ? OP_STORE : OP_LOAD);
  op.type = types[size];
  op.width = (uint16_t)(size < 3 ? 1 : 1 << (size - 2));
  op.bytes = (uint16_t)(1 << size);
  op.space = SPACE_GLOBAL;
  return op;
}

static bool make_room(struct launch_code *c) {
  struct trace_code *k = &c->code;
  size_t ops = 2 + 2 * ACCESS_BLOCKS, blocks = FIRST_SHADER + 1, memory = ACCESS_BLOCKS,
         successors = (size_t)(ACCESS_BLOCKS + 1) * (ACCESS_BLOCKS + 1);
  for (size_t i = 0; i < c->shader_count; i++) {
    const struct trace_code *old = &c->shaders[i].trace->code;
    ops += old->op_count;
    blocks += old->block_count;
    memory += old->mem_count;
    successors += old->successor_count + old->block_count + 1;
  }
  k->block_count = (uint32_t)blocks;
  k->ops = calloc(ops, sizeof *k->ops);
  k->blocks = calloc(blocks, sizeof *k->blocks);
  k->mem_ops = calloc(memory, sizeof *k->mem_ops);
  k->successors = calloc(successors, sizeof *k->successors);
  return k->ops && k->blocks && k->mem_ops && k->successors;
}

/* Begins a block; its operations and successors are appended. */
static struct trace_block *begin_block(struct trace_code *k, uint32_t number, uint32_t ipdom) {
  struct trace_block *b = &k->blocks[number];
  *b = (struct trace_block){.first_op = k->op_count,
                            .first_mem = k->mem_count,
                            .first_successor = k->successor_count,
                            .ipdom = ipdom,
                            .code_address = k->op_count};
  return b;
}

static void add_op(struct trace_code *k, struct trace_block *b, struct trace_op op) {
  if (is_memory(&op)) {
    k->mem_ops[k->mem_count++] = k->op_count;
    b->mem_count++;
  }
  k->ops[k->op_count++] = op;
  b->op_count++;
}

static void add_successor(struct trace_code *k, struct trace_block *b, uint32_t to) {
  k->successors[k->successor_count++] = to;
  b->successor_count++;
}

static void add_entry(struct launch_code *c, uint32_t end) {
  struct trace_code *k = &c->code;
  struct trace_block *b = begin_block(k, 0, end);
  add_op(k, b, plain(OP_BRANCH));
  for (uint32_t i = 1; i < FIRST_SHADER; i++)
    add_successor(k, b, i);
  for (size_t i = 0; i < c->shader_count; i++)
    add_successor(k, b, c->shaders[i].first_block);
  add_successor(k, b, end);
}

/* Returns the number of a name in the launch's code; TRACE_NO_NAME where memory ran out. */
static uint32_t name_of(struct launch_code *c, const char *name) {
  for (uint32_t i = 0; i < c->code.name_count; i++)
    if (strcmp(c->code.names[i], name) == 0)
      return i;
  if (!array_room(&c->code.names, &c->name_room, c->code.name_count + 1, sizeof *c->code.names))
    return TRACE_NO_NAME;
  c->code.names[c->code.name_count] = (char *)(uintptr_t)name;
  return c->code.name_count++;
}

static bool add_accesses(struct launch_code *c, uint32_t end) {
  struct trace_code *k = &c->code;
  for (uint32_t i = 0; i < ACCESS_BLOCKS; i++) {
    struct trace_block *b = begin_block(k, 1 + i, end);
    struct trace_op access = access_op(i % KINDS / 2, i % 2);
    const char *name = what_names[i / KINDS];
    if (name && (access.name = name_of(c, name)) == TRACE_NO_NAME)
      return false;
    add_op(k, b, access);
    add_op(k, b, plain(OP_BRANCH));
    for (uint32_t to = 1; to < FIRST_SHADER; to++)
      add_successor(k, b, to);
    add_successor(k, b, end);
  }
  return true;
}

static bool add_shader_block(struct launch_code *c, const struct launch_shader *s, uint32_t number, uint32_t end) {
  struct trace_code *k = &c->code;
  const struct trace_code *old = &s->trace->code;
  const struct trace_block *from = &old->blocks[number];
  const uint32_t moved = k->op_count - from->first_op, ipdom = from->ipdom;
  struct trace_block *b =
      begin_block(k, s->first_block + number, ipdom == TRACE_NO_BLOCK ? end : ipdom + s->first_block);
  b->code_bytes = from->code_bytes;
  b->line = from->line;
  for (uint32_t i = from->first_op; i < from->first_op + from->op_count; i++) {
    struct trace_op op = s->ops[i];
    op.first_use = op.first_use == TRACE_NO_OP ? TRACE_NO_OP : op.first_use + moved;
    const char *name = s->attributes[i]           ? what_names[LAUNCH_VERTEX]
                       : op.name != TRACE_NO_NAME ? old->names[op.name]
                                                  : NULL;
    if (name && (op.name = name_of(c, name)) == TRACE_NO_NAME)
      return false;
    add_op(k, b, op);
  }
  for (uint32_t i = 0; i < from->successor_count; i++)
    add_successor(k, b, old->successors[from->first_successor + i] + s->first_block);
  if (from->successor_count == 0)
    add_successor(k, b, end);
  return true;
}

static bool add_shader_code(struct launch_code *c, uint32_t end) {
  uint32_t code_address = 0;
  for (size_t i = 0; i < c->shader_count; i++) {
    const struct launch_shader *s = &c->shaders[i];
    uint32_t behind = code_address;
    for (uint32_t n = 0; n < s->trace->code.block_count; n++) {
      const struct trace_block *from = &s->trace->code.blocks[n];
      if (!add_shader_block(c, s, n, end))
        return false;
      c->code.blocks[s->first_block + n].code_address = code_address + from->code_address;
      behind = code_address + from->code_address + from->code_bytes > behind
                   ? code_address + from->code_address + from->code_bytes
                   : behind;
    }
    code_address = behind;
  }
  for (uint32_t i = 0; i < FIRST_SHADER; i++) /* these take no room in the instruction cache */
    c->code.blocks[i].code_address = 0;
  return true;
}

static int put_together(struct launch_code *c, struct error *error) {
  uint32_t next = FIRST_SHADER;
  for (size_t i = 0; i < c->shader_count; i++) {
    c->shaders[i].first_block = next;
    next += c->shaders[i].trace->code.block_count;
    if (next >= MOST_BLOCKS)
      return error_set(error, ERROR_INPUT, "the shaders of one pass have more than %d blocks", MOST_BLOCKS);
  }
  if (!make_room(c))
    return error_no_memory(error);
  add_entry(c, next);
  if (!add_accesses(c, next) || !add_shader_code(c, next))
    return error_no_memory(error);
  struct trace_block *b = begin_block(&c->code, next, TRACE_NO_BLOCK);
  add_op(&c->code, b, plain(OP_MOVE)); /* free: the shader's own end has been paid for */
  return 0;
}

int launch_code_create(const struct trace *const *traces, size_t count, bool fragments, struct launch_code *out,
                       struct error *error) {
  *out = (struct launch_code){.shader_of = calloc(count + 1, sizeof *out->shader_of)};
  int status = out->shader_of ? 0 : error_no_memory(error);
  for (size_t i = 0; !status && i < count; i++)
    status = add_shader(out, traces[i], fragments, &out->shader_of[i], error);
  if (!status)
    status = put_together(out, error);
  if (status)
    launch_code_clear(out);
  return status;
}

void launch_code_clear(struct launch_code *c) {
  for (size_t i = 0; i < c->shader_count; i++)
    clear_shader(&c->shaders[i]);
  free(c->shaders);
  free(c->shader_of);
  free(c->code.ops);
  free(c->code.blocks);
  free(c->code.successors);
  free(c->code.mem_ops);
  free(c->code.names);
  *c = (struct launch_code){0};
}
