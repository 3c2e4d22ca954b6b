#include "line_kernel.h"

#include <assert.h>
#include <string.h>

static bool is_memory(char letter) {
  return strchr("LSAlsc", letter);
}

static enum trace_op_class class_of(char letter) {
  switch (letter) {
  case 'L':
  case 'l':
  case 'c':
    return OP_LOAD;
  case 'S':
  case 's':
    return OP_STORE;
  case 'A':
    return OP_ATOMIC;
  case 'B':
    return OP_BARRIER;
  case 'f':
    return OP_FLOAT_FMA;
  default:
    return OP_INT_ADD;
  }
}

static void make_op(struct line_kernel *k, char letter) {
  struct trace_code *c = &k->trace.code;
  struct trace_op *op = &k->ops[c->op_count];
  *op = (struct trace_op){.op_class = (uint8_t)class_of(letter),
                          .type = letter == 'B'                        ? TYPE_VOID
                                  : is_memory(letter) || letter == 'f' ? TYPE_F32
                                                                       : TYPE_I32,
                          .space = strchr("ls", letter) ? SPACE_LOCAL
                                   : letter == 'c'      ? SPACE_CONSTANT
                                                        : SPACE_GLOBAL,
                          .width = 1,
                          .bytes = is_memory(letter) ? 4 : 0,
                          .first_use = TRACE_NO_OP,
                          .name = TRACE_NO_NAME,
                          .line = c->op_count + 1};
  if (letter == 'u')
    k->ops[k->mem_ops[c->mem_count - 1]].first_use = c->op_count;
  if (is_memory(letter)) {
    k->sites[c->mem_count] = (struct trace_site){.op = c->op_count};
    k->mem_ops[c->mem_count++] = c->op_count;
  }
  c->op_count++;
}

static void make_code(struct line_kernel *k, const char *ops) {
  struct trace_code *c = &k->trace.code;
  *c = (struct trace_code){.ops = k->ops, .mem_ops = k->mem_ops, .blocks = &k->block, .block_count = 1};
  assert(strlen(ops) <= LINE_KERNEL_OPS);
  for (; *ops; ops++)
    make_op(k, *ops);
  k->block = (struct trace_block){.op_count = c->op_count,
                                  .mem_count = c->mem_count,
                                  .ipdom = TRACE_NO_BLOCK,
                                  .code_bytes = c->op_count * 8,
                                  .has_barrier = c->ops[c->op_count - 1].op_class == OP_BARRIER};
}

static void make_groups(struct line_kernel *k, const struct line_kernel_shape *shape) {
  assert(shape->groups <= LINE_KERNEL_GROUPS);
  for (uint32_t g = 0; g < shape->groups; g++) {
    for (uint32_t m = 0; m < k->trace.code.mem_count; m++)
      k->bases[g][m] = (uint32_t)((int64_t)g * shape->group_bytes + (int64_t)m * shape->op_bytes);
    k->groups[g] = (struct trace_group){.id = g, .base = k->bases[g]};
  }
}

void line_kernel_make(struct line_kernel *k, const struct line_kernel_shape *shape) {
  static char name[] = "line";
  memset(k, 0, sizeof *k);
  make_code(k, shape->ops);
  make_groups(k, shape);
  assert(shape->items <= LINE_KERNEL_ITEMS);
  uint32_t mems = k->trace.code.mem_count;
  for (uint32_t m = 0; m < mems; m++)
    k->streams[TRACE_STREAM_WORDS * m + 1] = shape->item_bytes;
  for (uint32_t i = 0; i < shape->items; i++)
    k->numbers[i] = (uint16_t)i;
  k->step = (struct trace_step){.repeat = 1};
  k->path = (struct trace_path){.steps = &k->step, .step_count = 1, .sites = k->sites, .site_count = mems};
  k->nest.executions = 1;
  k->path.nests = &k->nest;
  k->path.nest_count = 1;
  k->cohort = (struct trace_cohort){.item_count = shape->items};
  k->shape = (struct trace_shape){.cohorts = &k->cohort,
                                  .cohort_count = 1,
                                  .cohort_of_item = k->zeros,
                                  .index_in_cohort = k->numbers,
                                  .stream_count = mems};
  k->paths[0] = &k->path;
  k->shapes[0] = &k->shape;
  struct trace *t = &k->trace;
  t->header =
      (struct trace_header){.kernel = name, .dimensions = 1, .local = {shape->items, 1, 1}, .local_bytes = 1024};
  memcpy(t->header.global, (uint64_t[]){(uint64_t)shape->groups * shape->items, 1, 1}, sizeof t->header.global);
  t->paths = k->paths;
  t->shapes = k->shapes;
  t->streams = k->streams;
  t->groups = k->groups;
  t->path_count = t->shape_count = 1;
  t->group_count = shape->groups;
}
