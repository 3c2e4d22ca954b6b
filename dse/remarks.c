#include "dse/remarks.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "dse/line_costs.h"
#include "model/isa/spill.h"
#include "model/result/cycle_stack.h"
#include "model/warp/occupancy.h"

/* Shares of a kernel's cycles from which a cost is remarked on (chosen on the shipped kernels). */
static const double worth_share = 0.10, most_share = 0.55, divergence_share = 0.05, barrier_share = 0.05,
                    misses_share = 0.25, conflict_share = 0.05;
static const double moved_share = 0.25;    /* lines between L1 and L2 over transactions of L1 */
static const double full_enough = 0.95;    /* lanes of the warps of a work-group */
static const double wide_enough = 4;       /* lines of an access over what its bytes need */
static const double conflict_enough = 1.5; /* passes through the banks over what the bytes need */

struct making {
  const struct trace *trace;
  const struct gpu_spec *spec;
  const struct sim_result *result;
  struct line_costs costs;
  struct remarks *out;
  bool no_memory;
};

const char *remark_kind_name(enum remark_kind kind) {
  static const char *const names[] = {
#define X(id, name, meaning) [id] = name,
      REMARK_KINDS(X)
#undef X
  };
  return names[kind];
}

/* `cost` is the share of the kernel's cycles that the remark is about. */
static void __attribute__((format(printf, 5, 6)))
say(struct making *m, enum remark_kind kind, uint32_t line, double cost, const char *format, ...) {
  if (!array_room_for_one(&m->out->items, m->out->count, sizeof *m->out->items)) {
    m->no_memory = true;
    return;
  }
  struct remark *remark = &m->out->items[m->out->count++];
  *remark = (struct remark){.kind = kind, .line = line, .cycles = cost * m->result->cycles};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(remark->text, sizeof remark->text, format, arguments);
  va_end(arguments);
}

static double share(const struct making *m, double cycles) {
  return m->result->cycles > 0 ? cycles / m->result->cycles : 0;
}

/* ---- the launch ---- */

/* Writes a size, "5x5", without sizes of 1 at its end. */
static void put_size(const uint32_t size[3], char *text, size_t room) {
  if (size[2] > 1)
    snprintf(text, room, "%ux%ux%u", size[0], size[1], size[2]);
  else if (size[1] > 1)
    snprintf(text, room, "%ux%u", size[0], size[1]);
  else
    snprintf(text, room, "%u", size[0]);
}

static void look_at_warps(struct making *m) {
  const struct trace_header *h = &m->trace->header;
  const uint32_t items = trace_local_size(h), size = (uint32_t)m->spec->warp_size, warps = (items + size - 1) / size;
  const double full = (double)items / ((double)warps * size);
  char shape[40];
  put_size(h->local, shape, sizeof shape);
  if (full < full_enough)
    say(m, REMARK_PARTIAL_WARPS, 0, 0,
        "work-groups of %s (%u work-items) fill %.0f %% of the lanes of their %u warps; take a multiple of %u", shape,
        items, 100 * full, warps, size);
}

static void look_at_sub_groups(struct making *m) {
  const uint32_t sub_group = m->trace->header.sub_group;
  const int64_t warp = m->spec->warp_size;
  if (sub_group > 0 && warp > 1 && sub_group != warp)
    say(m, REMARK_SUB_GROUPS, 0, 0,
        "the trace has sub-groups of %u work-items, warps of this GPU have %" PRId64
        ": a trace for it needs --sub-group %" PRId64,
        sub_group, warp, warp);
}

static void look_at_groups(struct making *m) {
  const double idle = share(m, m->result->stack.idle);
  const uint32_t groups = trace_launch_groups(&m->trace->header);
  if (idle > worth_share && groups < 4 * (uint64_t)m->spec->cores)
    say(m, REMARK_FEW_GROUPS, 0, idle,
        "%u work-group%s for %" PRId64 " cores: engines have no work for %.0f %% of the time", groups,
        groups == 1 ? "" : "s", m->spec->cores, 100 * idle);
}

static double waiting(const struct sim_stack *s) {
  return s->l1 + s->l2 + s->dram + s->local + s->uniform;
}

static void look_at_occupancy(struct making *m) {
  const uint64_t items = (uint64_t)occupancy_groups(m->trace, m->spec) * trace_local_size(&m->trace->header);
  if (share(m, waiting(&m->result->stack)) < misses_share || 2 * items > (uint64_t)m->spec->threads_per_core ||
      occupancy_groups(m->trace, m->spec) == trace_launch_groups(&m->trace->header))
    return;
  say(m, REMARK_OCCUPANCY, 0, share(m, waiting(&m->result->stack)),
      "%" PRIu64 " of %" PRId64 " work-items are resident on a core (%u registers each, %u bytes of local memory a "
      "work-group): few warps hide what others wait for",
      items, m->spec->threads_per_core, spill_wanted_registers(&m->trace->header, m->spec),
      m->trace->header.local_bytes);
}

/* ---- strides ---- */

/* Finds the stride along x of a site's address, which is the same for all work-items of the cohort. Returns false if
 * there is none. */
static bool stride_of(const struct trace *trace, const struct trace_cohort *cohort, uint32_t site, int64_t *stride) {
  if (cohort->narrow)
    return false;
  const struct trace_stream stream = trace_stream_in(trace->streams + cohort->streams, site);
  *stride = stream.item_stride[0];
  return stream.kind == STREAM_AFFINE;
}

/* Returns the lines that one access of a full warp touches, relative to the least number, computed from the stride. */
static double lines_of_access(const struct making *m, const struct trace_op *op, int64_t stride) {
  const double apart = fabs((double)stride), line = (double)m->spec->line_bytes, lanes = (double)m->spec->warp_size;
  const double lines = apart >= line ? lanes : 1 + apart * (lanes - 1) / line;
  const double least = fmax(1, lanes * op->bytes / line);
  return lines / least;
}

static bool has_been_said(const struct making *m, enum remark_kind kind, uint32_t line) {
  for (size_t i = 0; i < m->out->count; i++)
    if (m->out->items[i].kind == kind && m->out->items[i].line == line)
      return true;
  return false;
}

static void look_at_site(struct making *m, const struct trace_op *op, int64_t stride) {
  const double over = lines_of_access(m, op, stride);
  if (op->space == SPACE_LOCAL || op->space == SPACE_PRIVATE || over < wide_enough ||
      has_been_said(m, REMARK_STRIDE, op->line) || line_costs_memory_share(&m->costs, op->line) < worth_share)
    return;
  say(m, REMARK_STRIDE, op->line, line_costs_memory_share(&m->costs, op->line),
      "%ss of line %u touch %.0f times the lines that their bytes need: consecutive work-items are %" PRId64
      " bytes apart",
      trace_op_class_name((enum trace_op_class)op->op_class), op->line, over, stride);
}

/* Remarks on strides. The first work-group represents all. */
static void look_at_strides(struct making *m) {
  const struct trace *trace = m->trace;
  if (trace->group_count == 0 || trace->header.local[0] < 2)
    return;
  const struct trace_shape *shape = trace->shapes[trace->groups[0].shape];
  for (uint32_t c = 0; c < shape->cohort_count; c++) {
    const struct trace_path *path = trace->paths[shape->cohorts[c].path];
    for (uint32_t site = 0; site < path->site_count; site++) {
      int64_t stride;
      if (stride_of(trace, &shape->cohorts[c], site, &stride))
        look_at_site(m, &trace->code.ops[path->sites[site].op], stride);
    }
  }
}

/* ---- what an observer counted ---- */

/* Adds up the operations of a line that use this port (STACK_issue: the load/store unit). */
static struct observed_op sum_of_line(const struct making *m, uint32_t line, enum stack_component port) {
  const struct observer *o = m->costs.observer;
  struct observed_op sum = {0};
  for (uint32_t i = 0; i < o->op_count; i++)
    if (m->trace->code.ops[i].line == line && o->ops[i].port == port) {
      sum.executed += o->ops[i].executed;
      sum.transactions += o->ops[i].transactions;
      sum.least += o->ops[i].least;
    }
  return sum;
}

/* Addresses without a pattern: a stride has been named before. */
static void look_at_scatter(struct making *m, uint32_t line) {
  const struct observed_op sum = sum_of_line(m, line, STACK_issue);
  const double accesses = fmax(1, (double)sum.executed);
  const uint32_t width = m->trace->header.local[0], warp = (uint32_t)m->spec->warp_size;
  char why[80] = "its work-items access places that are far apart";
  if (sum.executed == 0 || (double)sum.transactions < wide_enough * (double)sum.least ||
      has_been_said(m, REMARK_STRIDE, line) || has_been_said(m, REMARK_SCATTERED, line) ||
      line_costs_memory_share(&m->costs, line) < worth_share)
    return;
  if (width < warp)
    snprintf(why, sizeof why, "rows of %u work-items are shorter than a warp of %u", width, warp);
  say(m, REMARK_SCATTERED, line, line_costs_memory_share(&m->costs, line),
      "an access of a warp takes %.1f transactions where its bytes fit into %.1f: %s",
      (double)sum.transactions / accesses, (double)sum.least / accesses, why);
}

/* The time of passes is that of the banks, which serve one pass after another. */
static void look_at_banks(struct making *m, uint32_t line) {
  const struct observed_op sum = sum_of_line(m, line, STACK_local);
  const double accesses = fmax(1, (double)sum.executed), more = (double)sum.transactions - (double)sum.least;
  const double cycles = more * m->spec->scratchpad_pass_cycles / (double)m->spec->cores;
  if ((double)sum.transactions < conflict_enough * (double)sum.least || has_been_said(m, REMARK_BANK_CONFLICTS, line) ||
      share(m, cycles) < conflict_share)
    return;
  say(m, REMARK_BANK_CONFLICTS, line, share(m, cycles),
      "bank conflicts: an access of a warp to local memory takes %.1f passes where %.1f would do, because its "
      "work-items use different words of one bank; that takes the banks %.0f %% of the time",
      (double)sum.transactions / accesses, (double)sum.least / accesses, 100 * share(m, cycles));
}

static void look_at_observed_lines(struct making *m) {
  const struct trace_code *code = &m->trace->code;
  for (uint32_t i = 0; i < code->mem_count && m->costs.observer; i++)
    look_at_scatter(m, code->ops[code->mem_ops[i]].line);
  for (uint32_t i = 0; i < code->mem_count && m->costs.observer; i++)
    look_at_banks(m, code->ops[code->mem_ops[i]].line);
}

/* ---- the cycle stack ---- */

static void look_at_atomics(struct making *m) {
  const double atomic = share(m, m->result->stack.atomic);
  if (atomic > worth_share)
    say(m, REMARK_ATOMICS, line_costs_most(&m->costs, STACK_atomic, STACK_atomic), atomic,
        "atomics wait for each other for %.0f %% of the time: those on one address run one after another (%" PRIu64
        " operations, %" PRIu64 " rounds); combine them before, for example in local memory",
        100 * atomic, m->result->counters.atomics, m->result->counters.atomic_rounds);
}

/* Remarks on misses. A wait for lines counts behind L1 or, if the rate between L1 and L2 is limited, as a queue before
 * L1. */
static void look_at_misses(struct making *m, double queues) {
  const struct sim_stack *s = &m->result->stack;
  const struct sim_counters *c = &m->result->counters;
  const double misses = share(m, s->l2 + s->dram), accesses = fmax(1, (double)c->l1_accesses);
  if (misses > misses_share)
    say(m, REMARK_MISSES, line_costs_most(&m->costs, STACK_l2, STACK_dram), misses,
        "waiting behind L1 takes %.0f %% of the time; L1 misses %.0f %% of %" PRIu64 " transactions, L2 %.0f %%",
        100 * misses, 100 * (double)c->l1_misses / accesses, c->l1_accesses,
        100 * (double)c->l2_misses / fmax(1, (double)c->l2_accesses));
  if (queues <= worth_share)
    return;
  if (misses <= misses_share && s->lsu >= s->bandwidth &&
      (double)(c->l1_misses + c->l1_write_backs) > moved_share * accesses)
    say(m, REMARK_MISSES, line_costs_most(&m->costs, STACK_lsu, STACK_lsu), queues,
        "accesses queue for %.0f %% of the time behind lines that L1 fetches and writes back: it misses %.0f %% of "
        "%" PRIu64 " transactions and writes %" PRIu64 " lines",
        100 * queues, 100 * (double)c->l1_misses / accesses, c->l1_accesses, c->l1_write_backs);
  else
    say(m, REMARK_BANDWIDTH, line_costs_most(&m->costs, STACK_bandwidth, STACK_bandwidth), queues,
        "accesses queue for %.0f %% of the time: fewer or wider transactions help, more warps do not", 100 * queues);
}

static void look_at_stack(struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  const double barrier = share(m, s->barrier), divergence = share(m, s->divergence), issue = share(m, s->issue);
  if (divergence > divergence_share)
    say(m, REMARK_DIVERGENCE, line_costs_most(&m->costs, STACK_divergence, STACK_divergence), divergence,
        "work-items of a warp take different paths: %.0f %% of the time issues paths again", 100 * divergence);
  if (barrier > barrier_share)
    say(m, REMARK_BARRIERS, line_costs_most(&m->costs, STACK_barrier, STACK_barrier), barrier,
        "barriers take %.0f %% of the time", 100 * barrier);
  look_at_misses(m, share(m, s->bandwidth + s->lsu));
  if (issue > most_share)
    say(m, REMARK_ARITHMETIC, line_costs_most(&m->costs, STACK_issue, STACK_issue), issue,
        "engines issue for %.0f %% of the time: fewer or cheaper operations help", 100 * issue);
}

int remarks_make(const struct trace *trace, const struct gpu_spec *spec, const struct sim_result *result,
                 const struct observer *observer, struct remarks *out, struct error *error) {
  if (observer && !observer->ops)
    observer = NULL;
  struct making m = {
      .trace = trace, .spec = spec, .result = result, .costs = {result, &trace->code, observer}, .out = out};
  *out = (struct remarks){0};
  look_at_warps(&m);
  look_at_sub_groups(&m);
  look_at_groups(&m);
  look_at_occupancy(&m);
  look_at_strides(&m);
  look_at_observed_lines(&m);
  look_at_atomics(&m);
  look_at_stack(&m);
  if (!m.no_memory)
    return 0;
  remarks_clear(out);
  return error_no_memory(error);
}

void remarks_clear(struct remarks *remarks) {
  free(remarks->items);
  *remarks = (struct remarks){0};
}
