#include "random_code.h"

#include <string.h>

static uint32_t random_stride(struct generator *g) {
  static const uint32_t plain[] = {0, 4, 4, 8, 16, 64, 256, 1024, (uint32_t)-4, (uint32_t)-64};
  if (g->options->extreme && below(g, 3) == 0)
    return (uint32_t)random_next(&g->random);
  return plain[below(g, sizeof plain / sizeof plain[0])];
}

static void random_pattern(struct generator *g, struct pattern *p) {
  p->base = below(g, ARENA_BYTES / 4) * 4;
  for (int d = 0; d < 3; d++) {
    p->item[d] = random_stride(g);
    p->group[d] = random_stride(g);
  }
  for (int d = 0; d < MAX_DEPTH; d++)
    p->loop[d] = random_stride(g);
  if (g->options->regular)
    return;
  p->item_random = below(g, 6) == 0;
  p->raw_random = below(g, 8) == 0;
}

static void add_op(struct generator *g, enum trace_op_class op_class, enum trace_type type) {
  struct trace_code *c = &g->x->code;
  struct trace_op op = {.op_class = (uint8_t)op_class,
                        .type = (uint8_t)type,
                        .width = 1,
                        .first_use = TRACE_NO_OP,
                        .name = TRACE_NO_NAME,
                        .line = c->op_count + 1};
  if (op_class == OP_MATH)
    op.name = hash(c->op_count, 11) % 3 ? 0 : 6;
  if (op_class == OP_LOAD || op_class == OP_STORE || op_class == OP_ATOMIC) {
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_GLOBAL,   SPACE_GLOBAL,
                                     SPACE_LOCAL,  SPACE_CONSTANT, SPACE_PRIVATE};
    op.space = op_class != OP_ATOMIC ? spaces[below(g, 6)] : hash(c->op_count, 5) % 4 ? SPACE_GLOBAL : SPACE_LOCAL;
    if (op.space == SPACE_CONSTANT && op_class == OP_STORE)
      op.space = SPACE_GLOBAL;
    op.width = op_class == OP_ATOMIC ? 1 : (uint16_t)(1u << below(g, 3));
    op.bytes = (uint16_t)(4 * op.width);
    c->mem_ops[c->mem_count++] = c->op_count;
    random_pattern(g, &g->patterns[c->op_count]);
  }
  c->ops[c->op_count++] = op;
}

static uint32_t add_block(struct generator *g, bool barrier) {
  struct trace_code *c = &g->x->code;
  const uint32_t id = c->block_count++;
  struct trace_block *b = &c->blocks[id];
  *b = (struct trace_block){.first_op = c->op_count,
                            .first_mem = c->mem_count,
                            .ipdom = TRACE_NO_BLOCK,
                            .code_address = c->op_count * 8,
                            .line = id + 1,
                            .has_barrier = barrier};
  static const uint8_t classes[] = {OP_INT_ADD, OP_FLOAT_FMA, OP_MOVE, OP_MATH, OP_LOAD, OP_LOAD, OP_STORE, OP_ATOMIC};
  for (uint32_t n = below(g, 5); n > 0; n--)
    add_op(g, classes[below(g, sizeof classes - (below(g, 4) != 0))], below(g, 2) ? TYPE_F32 : TYPE_I32);
  if (barrier)
    add_op(g, OP_BARRIER, TYPE_VOID);
  add_op(g, OP_BRANCH, TYPE_VOID);
  b->op_count = c->op_count - b->first_op;
  b->mem_count = c->mem_count - b->first_mem;
  b->code_bytes = b->op_count * 8;
  return id;
}

/* Sets first uses: a loaded value is used first by the next operation of its block, by any operation of the kernel, or
 * never. */
static void set_first_uses(struct trace_code *c) {
  for (uint32_t i = 0; i + 1 < c->op_count; i++)
    if (c->ops[i].op_class == OP_LOAD || c->ops[i].op_class == OP_ATOMIC) {
      const uint32_t how = hash(i, c->op_count);
      if (how % 4 < 2 && c->ops[i + 1].op_class != OP_BRANCH)
        c->ops[i].first_use = i + 1;
      else if (how % 4 == 2)
        c->ops[i].first_use = (how >> 8) % c->op_count;
    }
}

/* Sets operands: up to three of the same block, of which those behind their user are of the iteration before, and now
 * and then one of another block. */
static void set_operands(struct trace_code *c) {
  uint32_t count = 0;
  c->operand_end = need(calloc(c->op_count + 1, sizeof *c->operand_end));
  c->operands = need(calloc(4 * c->op_count + 1, sizeof *c->operands));
  for (uint32_t b = 0; b < c->block_count; b++)
    for (uint32_t i = 0; i < c->blocks[b].op_count; i++) {
      const uint32_t own = c->blocks[b].first_op + i, how = hash(own, 5 * c->op_count + 2);
      for (uint32_t n = 0; n < how % 4; n++)
        c->operands[count++] = c->blocks[b].first_op + hash(own, n) % (how % 3 && i ? i : c->blocks[b].op_count);
      if (how % 5 == 0)
        c->operands[count++] = (how >> 8) % c->op_count;
      c->operand_end[own] = count;
    }
}

/* Gives every second access the name of the kind of data that it reads, or of how atomics merge. */
static void set_names(struct trace_code *c) {
  for (uint32_t i = 0; i < c->mem_count; i++) {
    const uint32_t how = hash(c->mem_ops[i], 3 * c->op_count + 1);
    if (how % 2)
      c->ops[c->mem_ops[i]].name = c->ops[c->mem_ops[i]].op_class == OP_ATOMIC ? 4 + how / 2 % 2 : 1 + how / 2 % 3;
  }
}

static void edge(struct generator *g, uint32_t from, uint32_t to) {
  g->edges[from][g->edge_count[from]++] = to;
}

static uint32_t random_sequence(struct generator *g, struct stmt **list, uint32_t depth, bool together);

/* Makes a random statement. With `together`, all items of a work-group execute it equally often, so it may be a
 * barrier. */
static struct stmt *random_stmt(struct generator *g, uint32_t depth, bool together) {
  struct stmt *s = need(calloc(1, sizeof *s));
  const bool deep = depth == MAX_DEPTH || g->x->code.block_count > MAX_BLOCKS / 2;
  const uint32_t what = below(g, 8);
  s->choice = g->options->uniform ? CHOICE_CONSTANT : (enum choice)below(g, CHOICE_COUNT);
  s->amount = 1 + below(g, depth == 0 ? 9 : 4);
  if (what == 0 && together) {
    s->kind = STMT_BARRIER;
    s->block = add_block(g, true);
  } else if (what >= 4 && !deep) {
    const bool loop = what < 7;
    const bool still = together && s->choice <= CHOICE_GROUP;
    s->kind = loop ? STMT_LOOP : STMT_IF;
    if (!loop)
      s->block = add_block(g, false);
    if (!loop || below(g, 3))
      s->child_count[0] = random_sequence(g, s->childs[0], loop ? depth + 1 : depth, still);
    if (!loop && below(g, 2))
      s->child_count[1] = random_sequence(g, s->childs[1], depth, still);
    s->last = add_block(g, false);
  } else {
    s->kind = STMT_BLOCK;
    s->block = add_block(g, false);
  }
  return s;
}

static uint32_t random_sequence(struct generator *g, struct stmt **list, uint32_t depth, bool together) {
  uint32_t count = 1 + below(g, 2);
  if (g->x->code.block_count > MAX_BLOCKS / 2)
    count = 1;
  for (uint32_t i = 0; i < count; i++)
    list[i] = random_stmt(g, depth, together);
  return count;
}

static uint32_t head_of(const struct stmt *s) {
  return s->kind != STMT_LOOP ? s->block : s->child_count[0] ? head_of(s->childs[0][0]) : s->last;
}

static uint32_t tail_of(const struct stmt *s) {
  return s->kind == STMT_LOOP || s->kind == STMT_IF ? s->last : s->block;
}

static void connect(struct generator *g, struct stmt *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct stmt *s = list[i];
    if (s->kind == STMT_LOOP) {
      connect(g, s->childs[0], s->child_count[0]);
      if (s->child_count[0])
        edge(g, tail_of(s->childs[0][s->child_count[0] - 1]), s->last);
      edge(g, s->last, head_of(s));
    } else if (s->kind == STMT_IF) {
      for (int side = 0; side < 2; side++) {
        if (s->child_count[side] == 0) {
          edge(g, s->block, s->last);
          continue;
        }
        connect(g, s->childs[side], s->child_count[side]);
        edge(g, s->block, head_of(s->childs[side][0]));
        edge(g, tail_of(s->childs[side][s->child_count[side] - 1]), s->last);
      }
    }
    if (i + 1 < count)
      edge(g, tail_of(s), head_of(list[i + 1]));
  }
}

/* Sets post-dominators: computes the blocks on every way from each block to the exit, by iteration to the fixed point,
 * then the nearest of them. */
static void set_post_dominators(struct generator *g) {
  struct trace_code *c = &g->x->code;
  uint64_t after[MAX_BLOCKS];
  memset(after, 0xff, sizeof after);
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t b = c->block_count; b-- > 0;) {
      uint64_t common = g->edge_count[b] ? UINT64_MAX : 0;
      for (uint32_t e = 0; e < g->edge_count[b]; e++)
        common &= after[g->edges[b][e]];
      common |= UINT64_C(1) << b;
      changed |= common != after[b];
      after[b] = common;
    }
  }
  for (uint32_t b = 0; b < c->block_count; b++)
    for (uint32_t p = 0; p < c->block_count; p++)
      if (p != b && after[b] >> p & 1 && (after[b] & ~(UINT64_C(1) << b)) == after[p])
        c->blocks[b].ipdom = p;
}

void random_code(struct generator *g) {
  struct trace_code *c = &g->x->code;
  c->ops = need(calloc(MAX_OPS, sizeof *c->ops));
  c->mem_ops = need(calloc(MAX_OPS, sizeof *c->mem_ops));
  c->blocks = need(calloc(MAX_BLOCKS, sizeof *c->blocks));
  c->successors = need(calloc(MAX_BLOCKS * 4, sizeof *c->successors));
  static const char *const names[] = {"sqrt",      "read_imagef",          "depth", "vertex", "uniform",
                                      "increment", TRACE_SUB_GROUP_BARRIER};
  const uint32_t count = sizeof names / sizeof *names;
  c->names = need(calloc(count, sizeof *c->names));
  for (; c->name_count < count; c->name_count++)
    c->names[c->name_count] = need(strdup(names[c->name_count]));
  struct stmt *first = need(calloc(1, sizeof *first)), *last = need(calloc(1, sizeof *last));
  first->block = add_block(g, false);
  g->root[g->root_count++] = first;
  for (uint32_t n = 1 + below(g, MAX_CHILDS); n > 0; n--)
    g->root[g->root_count++] = random_stmt(g, 0, true);
  last->block = add_block(g, false);
  g->root[g->root_count++] = last;
  connect(g, g->root, g->root_count);
  set_first_uses(c);
  set_operands(c);
  set_names(c);
  set_post_dominators(g);
  for (uint32_t b = 0; b < c->block_count; b++) {
    c->blocks[b].first_successor = c->successor_count;
    c->blocks[b].successor_count = g->edge_count[b];
    for (uint32_t e = 0; e < g->edge_count[b]; e++)
      c->successors[c->successor_count++] = g->edges[b][e];
  }
}

static void free_statements(struct stmt *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    for (int side = 0; side < 2; side++)
      free_statements(list[i]->childs[side], list[i]->child_count[side]);
    free(list[i]);
  }
}

void random_code_clear(struct generator *g) {
  free_statements(g->root, g->root_count);
}
