/* Remarks on memory accesses. The accesses of one kind (loads, stores, atomics) of a source line to one address space
 * with one stride are judged together.
 *
 * An access of a warp takes at least as many transactions as its bytes fill. The transactions beyond are wasted time in
 * the load/store unit and at L1; lines beyond that come from L2 are wasted time behind L1. So an array of structures
 * whose members are all read wastes the first alone, and a column of a matrix both. */
#include "dse/remarks_making.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double wide_enough = 1.5;     /* transactions of an access over what its bytes need */
static const double conflict_enough = 1.5; /* passes through the banks over what the bytes need */
enum { NEAR_BYTES = 128 /* of one structure; work-items further apart go through rows (chosen) */ };

/* The accesses of a line of one class to one space, with one stride. */
struct accesses {
  const struct trace_op *op; /* one of them */
  struct observed_op sum;
  struct sim_stack cost;
  int64_t stride; /* bytes between consecutive work-items; 0: no one number */
};

/* ---- strides ---- */

/* Writes the stride along x of each operation's addresses in the first work-group, which represents all, to `strides`
 * [op_count]: the widest one; 0 where there is none. */
static void find_strides(const struct trace *trace, int64_t *strides) {
  if (trace->group_count == 0 || trace->header.local[0] < 2)
    return;
  const struct trace_shape *shape = trace->shapes[trace->groups[0].shape];
  for (uint32_t c = 0; c < shape->cohort_count; c++) {
    const struct trace_cohort *cohort = &shape->cohorts[c];
    const struct trace_path *path = trace->paths[cohort->path];
    for (uint32_t site = 0; site < path->site_count && !cohort->narrow; site++) {
      const struct trace_stream stream = trace_stream_in(trace->streams + cohort->streams, site);
      int64_t *widest = &strides[path->sites[site].op];
      if (stream.kind == STREAM_AFFINE && llabs(stream.item_stride[0]) > llabs(*widest))
        *widest = stream.item_stride[0];
    }
  }
}

/* ---- costs ---- */

/* Returns the share of what an access takes that its bytes do not need. */
static double wasted(double taken, double needed) {
  return taken > needed ? 1 - needed / taken : 0;
}

/* Returns the cycles that transactions and lines beyond the least number take. */
static double wasted_cycles(const struct making *m, const struct accesses *a) {
  const double transaction = (double)m->costs.observer->transaction_bytes, line = (double)m->spec->line_bytes;
  const double needed = (double)a->sum.least, lines = needed * transaction / line;
  return wasted((double)a->sum.transactions, needed) * (a->cost.store + a->cost.lsu + a->cost.l1) +
         wasted((double)a->sum.l2_accesses, lines) *
             (a->cost.l2 + a->cost.dram + a->cost.bandwidth + a->cost.translation);
}

static double memory_cycles(const struct sim_stack *s) {
  return s->store + s->lsu + s->l1 + s->local + s->uniform + s->l2 + s->dram + s->bandwidth + s->translation;
}

/* ---- sentences ---- */

static const char near_in_local[] =
    "this GPU keeps local memory behind L1: let neighbouring work-items access neighbouring elements of it";

static const char *local_word(const struct accesses *a) {
  return a->op->space == SPACE_LOCAL ? " of local memory" : "";
}

static void say_stride(struct making *m, const struct accesses *a, double cost) {
  const double over = (double)a->sum.transactions / (double)a->sum.least;
  const char *advice = "let neighbouring work-items access neighbouring elements: swap the indices or the order of "
                       "the array, or copy tiles through local memory";
  if (a->op->space == SPACE_LOCAL)
    advice = near_in_local;
  else if (llabs(a->stride) <= NEAR_BYTES)
    advice = "keep each member of the structure in an array of its own, or access whole structures as vectors "
             "(vload2, vload4)";
  remarks_say(m, REMARK_STRIDE, a->op->line, cost, advice,
              "%ss%s touch %.3g times the lines that their bytes need: consecutive work-items are %lld bytes apart and "
              "access %u of them",
              trace_op_class_name((enum trace_op_class)a->op->op_class), local_word(a), over, (long long)a->stride,
              a->op->bytes);
}

/* Addresses that have no stride along x which is wide. */
static void say_scattered(struct making *m, const struct accesses *a, double cost) {
  const double accesses = (double)a->sum.executed;
  const uint32_t width = m->trace->header.local[0], warp = (uint32_t)m->spec->warp_size;
  char why[80] = "its work-items access places that are far apart";
  const char *advice = a->op->space == SPACE_LOCAL
                           ? near_in_local
                           : "sort the indices, so that neighbouring work-items access neighbouring elements, or keep "
                             "what is accessed in local memory";
  if (width < warp && trace_local_size(&m->trace->header) > width) {
    snprintf(why, sizeof why, "rows of %u work-items are shorter than a warp of %u", width, warp);
    advice = "take work-groups whose first dimension is as wide as a warp";
  } else if (a->stride != 0 && llabs(a->stride) <= a->op->bytes) {
    snprintf(why, sizeof why, "its work-items access neighbours, but not from the beginning of a line on");
    advice = "begin rows at a multiple of the line, or load them once into local memory";
  }
  remarks_say(m, REMARK_SCATTERED, a->op->line, cost, advice,
              "%ss%s of a warp take %.3g transactions where their bytes fit into %.3g: %s",
              trace_op_class_name((enum trace_op_class)a->op->op_class), local_word(a),
              (double)a->sum.transactions / accesses, (double)a->sum.least / accesses, why);
}

static void look_at_lines(struct making *m, const struct accesses *a) {
  const double cost = share_of_time(m, wasted_cycles(m, a)), line = (double)m->spec->line_bytes;
  if (cost < WORTH_SHARE || (double)a->sum.transactions < wide_enough * (double)a->sum.least ||
      (a->op->op_class == OP_ATOMIC && m->result->stack.atomic > 0))
    return; /* where atomics wait for each other, that is what matters */
  if (llabs(a->stride) > a->op->bytes && (double)llabs(a->stride) * (double)m->spec->warp_size > line)
    say_stride(m, a, cost);
  else
    say_scattered(m, a, cost);
}

/* The time of passes is that of the banks, which serve one pass after another. */
static void look_at_banks(struct making *m, const struct accesses *a) {
  const double accesses = (double)a->sum.executed, more = (double)a->sum.transactions - (double)a->sum.least;
  const double cost = share_of_time(m, more * m->spec->scratchpad_pass_cycles / (double)m->spec->cores);
  if ((double)a->sum.transactions < conflict_enough * (double)a->sum.least || cost < SMALL_WORTH_SHARE)
    return;
  remarks_say(
      m, REMARK_BANK_CONFLICTS, a->op->line, fmin(cost, 1),
      a->op->op_class == OP_ATOMIC
          ? "spread the atomics over more words, for example over a copy of the array for each warp"
          : "pad the rows of the array by one element, or let neighbouring work-items access neighbouring words",
      "bank conflicts: %ss of a warp in local memory take %.1f passes where %.1f would do, because its "
      "work-items use different words of one bank",
      trace_op_class_name((enum trace_op_class)a->op->op_class), (double)a->sum.transactions / accesses,
      (double)a->sum.least / accesses);
}

/* Private memory is judged as a whole: variables of a work-item that lie in memory. */
static void look_at_private(struct making *m, const struct accesses *all, size_t count) {
  double cycles = 0, most = 0;
  uint32_t line = 0;
  for (size_t i = 0; i < count; i++) {
    const double mine = all[i].op->space == SPACE_PRIVATE ? memory_cycles(&all[i].cost) : 0;
    cycles += mine;
    line = mine > most ? all[i].op->line : line;
    most = mine > most ? mine : most;
  }
  if (share_of_time(m, cycles) >= WORTH_SHARE)
    remarks_say(m, REMARK_PRIVATE, line, share_of_time(m, cycles),
                "let the compiler know the indices of private arrays, by loops of a constant length that it unrolls, "
                "so that the elements are registers; or keep the array in local memory",
                "%u bytes of private variables of a work-item lie in memory: an index that is known only at run time "
                "needs an address",
                m->trace->header.private_bytes);
}

/* ---- the accesses of a kernel ---- */

static int by_place(const void *a, const void *b) {
  const struct accesses *x = a, *y = b;
  if (x->op->line != y->op->line)
    return x->op->line < y->op->line ? -1 : 1;
  if (x->op->op_class != y->op->op_class)
    return (int)x->op->op_class - (int)y->op->op_class;
  if (x->op->space != y->op->space)
    return (int)x->op->space - (int)y->op->space;
  if (x->stride != y->stride)
    return x->stride < y->stride ? -1 : 1;
  return (x->sum.port > y->sum.port) - (x->sum.port < y->sum.port);
}

static void add(struct accesses *to, const struct accesses *more) {
  to->sum.executed += more->sum.executed;
  to->sum.transactions += more->sum.transactions;
  to->sum.least += more->sum.least;
  to->sum.l2_accesses += more->sum.l2_accesses;
  for (int c = 0; c < SIM_STACK_COUNT; c++)
    *sim_stack_field(&to->cost, (enum stack_component)c) +=
        *sim_stack_field((struct sim_stack *)&more->cost, (enum stack_component)c);
}

/* Makes one element of each kind of access; returns their number. */
static size_t join(struct accesses *all, size_t count) {
  size_t kept = 0;
  qsort(all, count, sizeof *all, by_place);
  for (size_t i = 0; i < count; i++)
    if (kept > 0 && by_place(&all[kept - 1], &all[i]) == 0)
      add(&all[kept - 1], &all[i]);
    else
      all[kept++] = all[i];
  return kept;
}

static size_t collect(const struct making *m, const int64_t *strides, struct accesses *all) {
  const struct trace_code *code = &m->trace->code;
  size_t count = 0;
  for (uint32_t i = 0; i < code->mem_count; i++) {
    const uint32_t op = code->mem_ops[i];
    if (m->costs.observer->ops[op].executed > 0)
      all[count++] = (struct accesses){&code->ops[op], m->costs.observer->ops[op], m->ops[op], strides[op]};
  }
  return join(all, count);
}

void remarks_on_accesses(struct making *m) {
  const struct trace_code *code = &m->trace->code;
  int64_t *strides = calloc(code->op_count + 1u, sizeof *strides);
  struct accesses *all = calloc(code->mem_count + 1u, sizeof *all);
  m->no_memory |= !strides || !all;
  if (strides && all) {
    find_strides(m->trace, strides);
    const size_t count = collect(m, strides, all);
    for (size_t i = 0; i < count; i++)
      if (all[i].sum.port == STACK_local)
        look_at_banks(m, &all[i]);
      else if (all[i].sum.port == STACK_issue && all[i].op->space != SPACE_PRIVATE)
        look_at_lines(m, &all[i]);
    look_at_private(m, all, count);
  }
  free(strides);
  free(all);
}
