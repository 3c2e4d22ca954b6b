#include "random_trace.h"

#include <string.h>
#include <unistd.h>

#include "random_code.h"
#include "trace/write/writer.h"

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

/* Returns a number from 0 to amount, which depends on the group, item, edge or counter that the statement names. */
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
  h->sub_group = hash(h->seed, 3) % 3 ? 0 : 1 + hash(h->seed, 4) % (hash(h->seed, 5) % 2 ? 5 : 128);
  h->early_load_registers = h->registers + hash(h->seed, 2) % 2 * 7;
  h->buffers = need(calloc(1, sizeof *h->buffers));
  h->buffer_count = 1;
  h->buffers[0] = (struct trace_buffer){need(strdup("data")), 0, ARENA_BYTES, SPACE_GLOBAL};
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
  random_code_clear(g);
  free(g);
  return x;
}

void raw_execution_destroy(struct raw_execution *x) {
  if (!x)
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
  if (random)
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
  if (result == 0 && out)
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
  if (result == 0 && out)
    *out = x;
  else
    raw_execution_destroy(x);
  return result;
}
