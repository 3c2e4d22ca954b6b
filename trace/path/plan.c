#include "trace/path/plan.h"

#include "trace/path/path.h"

#include <stdlib.h>
#include <string.h>

#include "base/spill.h"

struct open_loop {
  size_t first, span, repeat;
};

/* The state of a walk through a path's steps, front to back, which lays out the addresses. */
struct layout {
  const struct trace_code *code;
  struct plan *plan;
  struct open_loop loops[TRACE_MAX_DEPTH];
  uint32_t depth;
  uint64_t executions; /* product of the open loops' trip counts */
  uint32_t site, stride, loop_site;
};

/* The numbers of elements of a layout; that of differences is an upper bound. */
struct layout_size {
  size_t sites, strides, loop_sites, differences;
};

static size_t most_differences(const struct trace_step *steps, uint32_t count, size_t loops_around) {
  size_t differences = 0;
  for (uint32_t i = 0; i < count; i += 1 + steps[i].body)
    if (steps[i].body > 0)
      differences +=
          (steps[i].repeat > 2) + loops_around + most_differences(steps + i + 1, steps[i].body, loops_around + 1);
  return differences;
}

static struct layout_size size_of(const struct trace_path *path) {
  struct layout_size size = {.sites = path->site_count,
                             .differences = most_differences(path->steps, path->step_count, 0)};
  for (uint32_t i = 0; i < path->site_count; i++) {
    const uint32_t depth = trace_nest_of(path, i)->depth;
    size.strides += depth;
    size.loop_sites += depth > 0;
  }
  return size;
}

/* Returns the number of addresses of one expansion of steps [begin, end). */
static size_t expansion(const struct layout *l, uint32_t begin, uint32_t end) {
  const struct trace_step *steps = l->plan->path->steps;
  size_t count = 0;
  for (uint32_t i = begin; i < end; i += 1 + steps[i].body)
    count += steps[i].body ? steps[i].repeat * expansion(l, i + 1, i + 1 + steps[i].body)
                           : l->code->blocks[steps[i].block].mem_count;
  return count;
}

static void add_difference(struct layout *l, size_t first, size_t count, size_t p, size_t q) {
  if (count > 0)
    l->plan->differences[l->plan->difference_count++] =
        (struct plan_difference){(uint32_t)first, (uint32_t)count, (uint32_t)p, (uint32_t)q};
}

/* Adds the differences of the innermost open loop: along itself, and mixed with each loop around it. */
static void add_differences(struct layout *l) {
  const struct open_loop *in = &l->loops[l->depth - 1];
  add_difference(l, in->first + 2 * in->span, (in->repeat - 2) * in->span, in->span, in->span);
  for (uint32_t d = 0; d + 1 < l->depth; d++)
    add_difference(l, in->first + l->loops[d].span + in->span, (in->repeat - 1) * in->span, l->loops[d].span, in->span);
}

#define TOUCHED_BYTES 64 /* bytes that adding a site touches, approximately */

static void add_site(struct layout *l, uint32_t op, size_t offset) {
  struct plan *p = l->plan;
  const uint32_t site = l->site++, stride = l->stride, depth = l->depth;
  if (site % SPILL_ROUNDS == 0)
    spill_touched(SPILL_ROUNDS * TOUCHED_BYTES);
  p->site_offset[site] = (uint32_t)offset;
  p->site_executions[site] = (uint32_t)l->executions;
  p->site_op[site] = op;
  p->first_stride[site] = stride;
  if (depth == 0)
    return;
  for (uint32_t d = 0; d < depth; d++)
    p->strides[stride + d] = (struct plan_stride){(uint32_t)offset, (uint32_t)l->loops[d].span};
  l->stride = stride + depth;
  p->loop_sites[l->loop_site++] = site;
}

static void lay_out(struct layout *l, uint32_t begin, uint32_t end, size_t place) {
  const struct trace_step *steps = l->plan->path->steps;
  for (uint32_t i = begin; i < end; i += 1 + steps[i].body) {
    if (steps[i].body == 0) {
      const struct trace_block *block = &l->code->blocks[steps[i].block];
      for (uint32_t m = 0; m < block->mem_count; m++)
        add_site(l, l->code->mem_ops[block->first_mem + m], place++);
      continue;
    }
    const size_t span = expansion(l, i + 1, i + 1 + steps[i].body);
    const uint64_t executions = l->executions;
    l->loops[l->depth++] = (struct open_loop){place, span, steps[i].repeat};
    l->executions = executions * steps[i].repeat;
    add_differences(l);
    lay_out(l, i + 1, i + 1 + steps[i].body, place);
    l->depth--;
    l->executions = executions;
    place += span * steps[i].repeat;
  }
}

/* Allocates the plan and all its arrays in one piece: first the sequence, which is read most, then the arrays by the
 * size of their elements. */
static struct plan *take_memory(const struct plan *head, const uint16_t *blocks, struct pool *pool) {
  const struct layout_size size = size_of(head->path);
  const size_t raw = blocks ? (size_t)head->block_count * sizeof *blocks : 0, padded = (raw + 7) / 8 * 8,
               differences = size.differences * sizeof *head->differences,
               strides = size.strides * sizeof *head->strides, offsets = size.sites * sizeof *head->site_offset,
               firsts = (size.sites + 1) * sizeof *head->first_stride, ops = size.sites * sizeof *head->site_op,
               loop_sites = size.loop_sites * sizeof *head->loop_sites,
               arrays = differences + strides + 2 * offsets + firsts + ops + loop_sites;
  struct plan *p = pool_take(pool, sizeof *p + padded + arrays);
  if (!p)
    return NULL;
  char *memory = (char *)(p + 1);
  *p = *head;
  p->blocks = raw > 0 ? memcpy(memory, blocks, raw) : NULL;
  p->differences = (void *)(memory += padded);
  p->strides = (void *)(memory += differences);
  p->site_offset = (void *)(memory += strides);
  p->site_executions = (void *)(memory += offsets);
  p->first_stride = (void *)(memory += offsets);
  p->site_op = (void *)(memory += firsts);
  p->loop_sites = (void *)(memory += ops);
  p->loop_site_count = (uint32_t)size.loop_sites;
  p->memory = sizeof *p + padded + arrays + path_memory(p->path);
  return p;
}

struct plan *plan_create(const struct trace_code *code, const struct trace_path *path, uint32_t number, uint64_t hash,
                         const uint16_t *blocks, struct pool *pool) {
  struct plan head = {.path = path,
                      .site_count = path->site_count,
                      .block_count = path->block_executions,
                      .op_executions = path->op_executions,
                      .barrier_executions = path->barrier_executions,
                      .number = number,
                      .hash = hash,
                      .address_count = (size_t)path->access_executions,
                      .flat = path->access_executions == path->site_count};
  struct plan *p = take_memory(&head, blocks, pool);
  if (!p)
    return NULL;
  struct layout layout = {.code = code, .plan = p, .executions = 1};
  lay_out(&layout, 0, path->step_count, 0);
  p->first_stride[layout.site] = layout.stride;
  return p;
}

#define PART 16 /* differences that are tested together; a constant, so that compilers use vector instructions */

static bool vanishes(const uint32_t *a, const struct plan_difference *d) {
  const uint32_t *x = a + d->first, *xp = x - d->p, *xq = x - d->q, *xpq = xp - d->q;
  size_t at = 0;
  for (; at + PART <= d->count; at += PART) {
    uint32_t different = 0;
    for (size_t i = 0; i < PART; i++)
      different |= x[at + i] - xp[at + i] - xq[at + i] + xpq[at + i];
    if (different)
      return false;
  }
  for (; at < d->count; at++)
    if (x[at] - xp[at] - xq[at] + xpq[at] != 0)
      return false;
  return true;
}

bool plan_all_affine(const struct plan *plan, const uint32_t *addresses) {
  for (size_t i = 0; i < plan->difference_count; i++)
    if (!vanishes(addresses, &plan->differences[i]))
      return false;
  return true;
}

/* An odometer counts through all loops except the innermost, and holds the place and value of the present execution. */
struct odometer {
  const struct trace_nest *nest;
  const struct plan_stride *span;
  const uint32_t *stride; /* NULL: values are not computed */
  uint32_t counter[TRACE_MAX_DEPTH];
  size_t place;
  uint32_t value;
};

static bool odometer_next(struct odometer *o) {
  for (uint32_t d = o->nest->depth - 1; d-- > 0;) {
    o->place += o->span[d].span;
    o->value += o->stride ? o->stride[d] : 0;
    if (++o->counter[d] < o->nest->repeat[d])
      return true;
    o->counter[d] = 0;
    o->place -= o->span[d].span * o->nest->repeat[d];
    o->value -= o->stride ? o->stride[d] * o->nest->repeat[d] : 0;
  }
  return false;
}

static struct odometer odometer_at(const struct plan *plan, uint32_t site, uint32_t value, const uint32_t *strides) {
  return (struct odometer){.nest = trace_nest_of(plan->path, site),
                           .span = plan->strides + plan->first_stride[site],
                           .stride = strides,
                           .place = plan->site_offset[site],
                           .value = value};
}

static bool run_follows(const uint32_t *a, size_t span, uint32_t repeat, uint32_t value, uint32_t stride) {
  for (uint32_t at = 0; at < repeat;
       at += PART) { /* there is no branch within a part, because it could not be predicted */
    const uint32_t end = repeat - at < PART ? repeat : at + PART;
    uint32_t different = 0;
    for (uint32_t i = at; i < end; i++, a += span, value += stride)
      different |= *a ^ value;
    if (different)
      return false;
  }
  return true;
}

bool plan_site_follows(const struct plan *plan, uint32_t site, const uint32_t *addresses, const uint32_t *strides) {
  const uint32_t first = plan->first_stride[site], depth = plan->first_stride[site + 1] - first;
  const uint32_t *start = addresses + plan->site_offset[site];
  if (depth == 0)
    return true;
  if (depth == 1)
    return run_follows(start, plan->strides[first].span, trace_nest_of(plan->path, site)->repeat[0], *start, *strides);
  struct odometer o = odometer_at(plan, site, *start, strides);
  const uint32_t last = depth - 1, repeat = o.nest->repeat[last];
  do {
    if (!run_follows(addresses + o.place, o.span[last].span, repeat, o.value, strides[last]))
      return false;
  } while (odometer_next(&o));
  return true;
}

static uint32_t *gather_run(const uint32_t *a, size_t span, uint32_t repeat, uint32_t *to) {
  for (uint32_t i = 0; i < repeat; i++, a += span)
    *to++ = *a;
  return to;
}

void plan_site_gather(const struct plan *plan, uint32_t site, const uint32_t *addresses, uint32_t *to) {
  const uint32_t first = plan->first_stride[site], depth = plan->first_stride[site + 1] - first;
  const uint32_t *start = addresses + plan->site_offset[site];
  if (depth == 0) {
    *to = *start;
    return;
  }
  if (depth == 1) {
    gather_run(start, plan->strides[first].span, trace_nest_of(plan->path, site)->repeat[0], to);
    return;
  }
  struct odometer o = odometer_at(plan, site, 0, NULL);
  const uint32_t last = depth - 1, repeat = o.nest->repeat[last];
  do
    to = gather_run(addresses + o.place, o.span[last].span, repeat, to);
  while (odometer_next(&o));
}

void plan_site_expand(const struct plan *plan, uint32_t site, uint32_t base, const uint32_t *strides, uint32_t *to) {
  struct odometer o = odometer_at(plan, site, base, strides);
  if (o.nest->depth == 0) {
    *to = base;
    return;
  }
  const uint32_t last = o.nest->depth - 1, repeat = o.nest->repeat[last];
  do {
    uint32_t value = o.value;
    for (uint32_t i = 0; i < repeat; i++, value += strides[last])
      *to++ = value;
  } while (odometer_next(&o));
}
