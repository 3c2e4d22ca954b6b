#include "random_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "trace/writer.h"

#define MAX_BLOCKS  64 /* a bit each while post-dominators are computed */
#define MAX_OPS     (MAX_BLOCKS * 8)
#define MAX_DEPTH   4
#define MAX_CHILDS  4
#define ARENA_BYTES 65536

enum stmt_kind { STMT_BLOCK, STMT_BARRIER, STMT_LOOP, STMT_IF };
enum choice { CHOICE_CONSTANT, CHOICE_GROUP, CHOICE_ITEM, CHOICE_EDGE, CHOICE_COUNTER, CHOICE_COUNT };

struct stmt {
  enum stmt_kind kind;
  enum choice choice;
  uint32_t amount;      /* trips, or the threshold of a condition */
  uint32_t block, last; /* first own block; loop: latch, if: join */
  struct stmt *childs[2][MAX_CHILDS];
  uint32_t child_count[2];
};

/* How a memory operation's address comes about. */
struct pattern {
  bool item_random, raw_random;
  uint32_t base, item[3], group[3], loop[MAX_DEPTH];
};

struct generator {
  const struct random_trace_options *options;
  struct random_state random;
  struct raw_execution *x;
  struct stmt *root[MAX_CHILDS + 2];
  uint32_t root_count;
  struct pattern patterns[MAX_OPS]; /* by operation */
  uint32_t edges[MAX_BLOCKS][4], edge_count[MAX_BLOCKS];
};

static void *need(void *memory) {
  if (memory == NULL)
    abort();
  return memory;
}

static uint32_t below(struct generator *g, uint32_t n) {
  return random_below(&g->random, n);
}

static uint32_t hash(uint64_t a, uint64_t b) {
  struct random_state s = {a * 0x9e3779b97f4a7c15u ^ b};
  random_next(&s);
  return (uint32_t)(random_next(&s) >> 32);
}

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

/* ---- code ---- */

static void add_op(struct generator *g, enum trace_op_class op_class, enum trace_type type) {
  struct trace_code *c = &g->x->code;
  struct trace_op op = {.op_class = (uint8_t)op_class,
                        .type = (uint8_t)type,
                        .width = 1,
                        .first_use = TRACE_NO_OP,
                        .name = TRACE_NO_NAME,
                        .line = c->op_count + 1};
  if (op_class == OP_MATH)
    op.name = 0;
  if (op_class == OP_LOAD || op_class == OP_STORE || op_class == OP_ATOMIC) {
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_GLOBAL,   SPACE_GLOBAL,
                                     SPACE_LOCAL,  SPACE_CONSTANT, SPACE_PRIVATE};
    op.space = op_class == OP_ATOMIC ? SPACE_GLOBAL : spaces[below(g, 6)];
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

/* A loaded value is used first by the next operation of its block, by any operation of the kernel, or never. */
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

static void edge(struct generator *g, uint32_t from, uint32_t to) {
  g->edges[from][g->edge_count[from]++] = to;
}

static uint32_t random_sequence(struct generator *g, struct stmt **list, uint32_t depth, bool together);

/* `together`: all items of a work-group come here equally often, so a barrier may stand here. */
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
  return s->kind == STMT_LOOP ? head_of(s->childs[0][0]) : s->block;
}

static uint32_t tail_of(const struct stmt *s) {
  return s->kind == STMT_LOOP || s->kind == STMT_IF ? s->last : s->block;
}

static void connect(struct generator *g, struct stmt *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct stmt *s = list[i];
    if (s->kind == STMT_LOOP) {
      connect(g, s->childs[0], s->child_count[0]);
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

/* Blocks on every way from each block to the exit, by iteration to the fixed point; then the nearest of them. */
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

static void random_code(struct generator *g) {
  struct trace_code *c = &g->x->code;
  c->ops = need(calloc(MAX_OPS, sizeof *c->ops));
  c->mem_ops = need(calloc(MAX_OPS, sizeof *c->mem_ops));
  c->blocks = need(calloc(MAX_BLOCKS, sizeof *c->blocks));
  c->successors = need(calloc(MAX_BLOCKS * 4, sizeof *c->successors));
  c->names = need(calloc(1, sizeof *c->names));
  c->names[c->name_count++] = need(strdup("sqrt"));
  struct stmt *first = need(calloc(1, sizeof *first)), *last = need(calloc(1, sizeof *last));
  first->block = add_block(g, false);
  g->root[g->root_count++] = first;
  for (uint32_t n = 1 + below(g, MAX_CHILDS); n > 0; n--)
    g->root[g->root_count++] = random_stmt(g, 0, true);
  last->block = add_block(g, false);
  g->root[g->root_count++] = last;
  connect(g, g->root, g->root_count);
  set_first_uses(c);
  set_post_dominators(g);
  for (uint32_t b = 0; b < c->block_count; b++) {
    c->blocks[b].first_successor = c->successor_count;
    c->blocks[b].successor_count = g->edge_count[b];
    for (uint32_t e = 0; e < g->edge_count[b]; e++)
      c->successors[c->successor_count++] = g->edges[b][e];
  }
}

/* ---- execution ---- */

struct run {
  struct generator *g;
  struct raw_item *out;
  uint32_t group, item, lid[3], gid[3];
  uint32_t depth, counter[MAX_DEPTH];
};

static uint32_t address_of(struct run *r, uint32_t op) {
  const struct pattern *p = &r->g->patterns[op];
  const struct trace_op *o = &r->g->x->code.ops[op];
  uint32_t address = p->base;
  for (int d = 0; d < 3; d++)
    address += p->item[d] * r->lid[d] + p->group[d] * r->gid[d];
  if (p->item_random)
    address += hash(r->group * 65536u + r->item, op) & ~3u;
  for (uint32_t d = 0; d < r->depth; d++)
    address += p->loop[d] * r->counter[d];
  if (p->raw_random)
    address += hash(r->out->address_count + 1000003u * r->item, op) & ~3u;
  if (r->g->options->extreme)
    return address;
  return address % (ARENA_BYTES / o->bytes) * o->bytes;
}

static void run_block(struct run *r, uint32_t block) {
  struct raw_item *out = r->out;
  const struct trace_code *c = &r->g->x->code;
  if (out->block_count == out->block_capacity) {
    out->block_capacity = out->block_capacity ? 2 * out->block_capacity : 16;
    out->blocks = need(realloc(out->blocks, out->block_capacity * sizeof *out->blocks));
  }
  out->blocks[out->block_count++] = (uint16_t)block;
  for (uint32_t m = 0; m < c->blocks[block].mem_count; m++) {
    if (out->address_count == out->address_capacity) {
      out->address_capacity = out->address_capacity ? 2 * out->address_capacity : 16;
      out->addresses = need(realloc(out->addresses, out->address_capacity * sizeof *out->addresses));
    }
    const uint32_t address = address_of(r, c->mem_ops[c->blocks[block].first_mem + m]);
    out->addresses[out->address_count++] = address;
  }
}

/* A number from 0 to amount, by what the statement depends on. */
static uint32_t choose(const struct run *r, const struct stmt *s) {
  switch (s->choice) {
  case CHOICE_GROUP:
    return hash(r->group, s->last) % (s->amount + 1);
  case CHOICE_ITEM:
    return hash(r->group * 65536u + r->item, s->last) % (s->amount + 1);
  case CHOICE_EDGE:
    return r->lid[0] == 0 ? 0 : s->amount;
  case CHOICE_COUNTER:
    return r->depth ? (r->counter[r->depth - 1] + r->lid[0]) % (s->amount + 1) : s->amount;
  default:
    return s->amount;
  }
}

static void run_sequence(struct run *r, struct stmt *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct stmt *s = list[i];
    if (s->kind == STMT_LOOP) {
      const uint32_t trips = 1 + choose(r, s);
      const uint32_t depth = r->depth++;
      for (r->counter[depth] = 0; r->counter[depth] < trips; r->counter[depth]++) {
        run_sequence(r, s->childs[0], s->child_count[0]);
        run_block(r, s->last);
      }
      r->depth = depth;
    } else if (s->kind == STMT_IF) {
      const int side = choose(r, s) % 2;
      run_block(r, s->block);
      run_sequence(r, s->childs[side], s->child_count[side]);
      run_block(r, s->last);
    } else
      run_block(r, s->block);
  }
}

static void execute(struct generator *g) {
  struct raw_execution *x = g->x;
  const struct trace_header *h = &x->header;
  const uint32_t wide = (uint32_t)h->global[0] / h->local[0], high = (uint32_t)h->global[1] / h->local[1];
  x->items = need(calloc((size_t)x->group_count * x->local_size, sizeof *x->items));
  for (uint32_t group = 0; group < x->group_count; group++)
    for (uint32_t item = 0; item < x->local_size; item++) {
      struct run r = {.g = g, .out = &x->items[(size_t)group * x->local_size + item], .group = group, .item = item};
      r.lid[0] = item % h->local[0];
      r.lid[1] = item / h->local[0] % h->local[1];
      r.lid[2] = item / h->local[0] / h->local[1];
      r.gid[0] = group % wide;
      r.gid[1] = group / wide % high;
      r.gid[2] = group / wide / high;
      run_sequence(&r, g->root, g->root_count);
    }
}

static void random_header(struct generator *g) {
  struct trace_header *h = &g->x->header;
  const uint32_t max_local = g->options->max_local ? g->options->max_local : 32;
  uint32_t groups = g->options->groups ? g->options->groups : 4;
  uint32_t room = max_local;
  char **texts[] = {&h->kernel, &h->workload, &h->source_file, &h->source_digest, &h->options, &h->front_end};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    *texts[i] = need(strdup(i == 0 ? "random" : i == 5 ? "random test" : ""));
  h->dimensions = 1 + below(g, 3);
  g->x->local_size = g->x->group_count = 1;
  for (unsigned d = 0; d < 3; d++) {
    const bool used = d < h->dimensions, last = d + 1 == h->dimensions;
    h->local[d] = used ? 1 + below(g, room) : 1;
    room /= h->local[d];
    const uint32_t count = !used ? 1 : last ? groups : 1 + below(g, groups);
    groups = (groups + count - 1) / count;
    h->global[d] = (uint64_t)h->local[d] * count;
    g->x->local_size *= h->local[d];
    g->x->group_count *= count;
  }
  h->seed = random_next(&g->random);
  h->local_bytes = h->private_bytes = ARENA_BYTES;
  h->registers = hash(h->seed, 1) % 65;
  h->buffers = need(calloc(1, sizeof *h->buffers));
  h->buffer_count = 1;
  h->buffers[0] = (struct trace_buffer){need(strdup("data")), 0, ARENA_BYTES, SPACE_GLOBAL};
}

static void free_statements(struct stmt *const *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    for (int side = 0; side < 2; side++)
      free_statements(list[i]->childs[side], list[i]->child_count[side]);
    free(list[i]);
  }
}

struct raw_execution *random_execution(const struct random_trace_options *options) {
  struct generator *g = need(calloc(1, sizeof *g));
  g->options = options;
  g->random.s = options->seed;
  g->x = need(calloc(1, sizeof *g->x));
  random_header(g);
  random_code(g);
  execute(g);
  struct raw_execution *x = g->x;
  free_statements(g->root, g->root_count);
  free(g);
  return x;
}

void raw_execution_destroy(struct raw_execution *x) {
  if (x == NULL)
    return;
  for (size_t i = 0; i < (size_t)x->group_count * x->local_size; i++) {
    free(x->items[i].blocks);
    free(x->items[i].addresses);
  }
  free(x->items);
  trace_header_clear(&x->header);
  trace_code_clear(&x->code);
  free(x);
}

static void shuffled(uint32_t *order, uint32_t count, struct random_state *random) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t j = random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

static int write_group(const struct raw_execution *x, struct trace_writer *w, uint32_t group, uint32_t *order,
                       struct random_state *random, struct error *error) {
  if (random != NULL)
    shuffled(order, x->local_size, random);
  if (trace_writer_group_begin(w, group) != 0)
    return -1;
  for (uint32_t i = 0; i < x->local_size; i++) {
    const uint32_t id = random ? order[i] : i;
    const struct raw_item *item = &x->items[(size_t)group * x->local_size + id];
    if (trace_writer_item(w, id, item->blocks, item->block_count, item->addresses, item->address_count, error) != 0)
      return -1;
  }
  return trace_writer_group_end(w, error);
}

int raw_execution_write(const struct raw_execution *x, const char *path, bool shuffle, struct error *error) {
  struct trace_writer *w;
  struct random_state random = {x->header.seed};
  if (trace_writer_open(path, &x->header, &x->code, &w, error) != 0)
    return -1;
  uint32_t *order = need(malloc(x->local_size * sizeof *order));
  int result = 0;
  for (uint32_t group = 0; group < x->group_count && result == 0; group++)
    result = write_group(x, w, group, order, shuffle ? &random : NULL, error);
  free(order);
  if (result == 0)
    return trace_writer_close(w, error);
  trace_writer_abort(w);
  return -1;
}

int random_trace_write(const char *path, const struct random_trace_options *options, struct raw_execution **out,
                       struct error *error) {
  struct raw_execution *x = random_execution(options);
  const int result = raw_execution_write(x, path, false, error);
  if (result == 0 && out != NULL)
    *out = x;
  else
    raw_execution_destroy(x);
  return result;
}

int random_trace_load(const struct random_trace_options *options, struct raw_execution **out, struct trace **trace,
                      struct error *error) {
  char path[] = "/tmp/random-trace-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0)
    return error_set(error, ERROR_WORK, "cannot make a temporary file");
  close(file);
  struct raw_execution *x = NULL;
  int result = random_trace_write(path, options, &x, error);
  if (result == 0 && trace_load(path, trace, error) != 0)
    result = -1;
  unlink(path);
  if (result == 0 && out != NULL)
    *out = x;
  else
    raw_execution_destroy(x);
  return result;
}
