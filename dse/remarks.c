#include "dse/remarks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "dse/remarks_making.h"
#include "model/isa/spill.h"
#include "model/result/cycle_stack.h"
#include "model/warp/occupancy.h"

static const double most_share = 0.55;     /* of arithmetic, or of the launch */
static const double misses_share = 0.25;   /* waiting behind L1, idle engines */
static const double moved_share = 0.25;    /* lines between L1 and L2 over transactions of L1 */
static const double full_enough = 0.95;    /* lanes of the warps of a work-group */
static const double near_the_rate = 0.6;   /* of a limit; queues rarely let a unit reach more than 0.9 */
static const double explained_share = 0.5; /* of a cost, by remarks that say more */

const char *remark_kind_name(enum remark_kind kind) {
  static const char *const names[] = {
#define X(id, name, meaning) [id] = name,
      REMARK_KINDS(X)
#undef X
  };
  return names[kind];
}

void remarks_say(struct making *m, enum remark_kind kind, uint32_t line, double cost, const char *advice,
                 const char *format, ...) {
  if (!array_room_for_one(&m->out->items, m->out->count, sizeof *m->out->items)) {
    m->no_memory = true;
    return;
  }
  struct remark *remark = &m->out->items[m->out->count++];
  *remark = (struct remark){.kind = kind, .line = line, .cycles = cost * m->result->cycles, .share = cost};
  snprintf(remark->advice, sizeof remark->advice, "%s", advice);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(remark->text, sizeof remark->text, format, arguments);
  va_end(arguments);
}

/* Returns the sum of the costs of remarks of the kinds from `first` to `last` on a line (0: on any). */
static double explained_by(const struct making *m, enum remark_kind first, enum remark_kind last, uint32_t line) {
  double sum = 0;
  for (size_t i = 0; i < m->out->count; i++) {
    const struct remark *remark = &m->out->items[i];
    if (remark->kind >= first && remark->kind <= last && (line == 0 || remark->line == line))
      sum += remark->share;
  }
  return sum;
}

/* Returns whether remarks on accesses explain most of a share of the time that goes to accesses of a line. Private
 * memory and spilled values are remarked on as a whole. */
static bool accesses_explain(const struct making *m, uint32_t line, double cost) {
  return explained_by(m, REMARK_STRIDE, REMARK_BANK_CONFLICTS, line) +
             explained_by(m, REMARK_ATOMICS, REMARK_ATOMICS, line) +
             explained_by(m, REMARK_PRIVATE, REMARK_SPILLS, 0) >=
         explained_share * cost;
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

/* Returns the cycles that a warp costs however few of its lanes are used. */
static double cycles_of_warps(const struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  if (m->spec->memory == MEMORY_BLOCKING) /* an engine waits with its warp */
    return m->result->cycles - s->idle - s->launch - s->barrier;
  return s->issue + s->divergence + s->pipe + s->store + s->lsu + s->local;
}

static void look_at_warps(struct making *m) {
  const struct trace_header *h = &m->trace->header;
  const uint32_t items = trace_local_size(h), size = (uint32_t)m->spec->warp_size, warps = (items + size - 1) / size;
  const double full = (double)items / ((double)warps * size);
  const double cost = (1 - full) * share_of_time(m, cycles_of_warps(m));
  char shape[40], advice[80];
  put_size(h->local, shape, sizeof shape);
  snprintf(advice, sizeof advice, "take work-groups of a multiple of %u work-items", size);
  if (full < full_enough && cost > SMALL_WORTH_SHARE)
    remarks_say(m, REMARK_PARTIAL_WARPS, 0, cost, advice,
                "work-groups of %s (%u work-item%s) fill %.0f %% of the lanes of their %u warp%s", shape, items,
                items == 1 ? "" : "s", 100 * full, warps, warps == 1 ? "" : "s");
}

static void look_at_sub_groups(struct making *m) {
  const uint32_t sub_group = m->trace->header.sub_group;
  const int64_t warp = m->spec->warp_size;
  char advice[80];
  snprintf(advice, sizeof advice, "trace the kernel with --sub-group %" PRId64, warp);
  if (sub_group > 0 && warp > 1 && sub_group != warp)
    remarks_say(m, REMARK_SUB_GROUPS, 0, 0, advice,
                "the trace has sub-groups of %u work-items, warps of this GPU have %" PRId64, sub_group, warp);
}

/* The model does not need the limit, so that a kernel which its GPU would refuse is predicted as others are. */
static void look_at_local_memory(struct making *m) {
  const uint32_t bytes = m->trace->header.local_bytes;
  if (bytes > m->spec->device_local_bytes)
    remarks_say(m, REMARK_LOCAL_MEMORY, 0, 0, "take smaller tiles, or hold values in registers",
                "a work-group has %u bytes of local memory, and this GPU gives it %" PRId64
                " at most: the launch fails there (CL_OUT_OF_RESOURCES)",
                bytes, m->spec->device_local_bytes);
}

static void look_at_groups(struct making *m) {
  const double idle = share_of_time(m, m->result->stack.idle);
  const uint32_t groups = trace_launch_groups(&m->trace->header);
  const char *plural = groups == 1 ? "" : "s";
  if (groups < 4 * (uint64_t)m->spec->cores && idle > WORTH_SHARE)
    remarks_say(m, REMARK_FEW_GROUPS, 0, idle,
                "take more work-groups: smaller ones, or less work for each work-item; several for each core are best",
                "%u work-group%s for %" PRId64 " cores: engines have no work", groups, plural, m->spec->cores);
  else if (idle > misses_share)
    remarks_say(m, REMARK_IDLE, line_costs_most(&m->costs, STACK_issue, STACK_divergence), idle,
                "give all work-items of a work-group a part of the work, or take smaller work-groups, so that a core "
                "holds several",
                "engines have no work although there are %u work-groups: most warps of those that run have ended or "
                "wait for others",
                groups);
}

static void look_at_launch(struct making *m) {
  const double launch = share_of_time(m, m->result->stack.launch);
  if (launch > most_share)
    remarks_say(m, REMARK_LAUNCH, 0, launch, "rank a launch that is as large as the program's, or do more in a launch",
                "the launch of the kernel and the start of its work-groups take most of the time, whatever the kernel "
                "does");
}

static double waiting(const struct sim_stack *s) {
  return s->l1 + s->l2 + s->dram + s->local + s->uniform;
}

static void look_at_occupancy(struct making *m) {
  const uint64_t items = (uint64_t)occupancy_groups(m->trace, m->spec) * trace_local_size(&m->trace->header);
  const double cost = share_of_time(m, waiting(&m->result->stack));
  if (cost < misses_share || 2 * items > (uint64_t)m->spec->threads_per_core ||
      occupancy_groups(m->trace, m->spec) == trace_launch_groups(&m->trace->header))
    return;
  remarks_say(m, REMARK_OCCUPANCY, 0, cost,
              "take larger work-groups, fewer registers or less local memory, so that other warps run meanwhile",
              "%" PRIu64 " of %" PRId64 " work-items are resident on a core (%u registers each, %u bytes of local "
              "memory a work-group), and wait for memory",
              items, m->spec->threads_per_core, spill_wanted_registers(&m->trace->header, m->spec),
              m->trace->header.local_bytes);
}

/* Loads and stores of spilled values count as waiting for the load/store unit, of no line. */
static void look_at_spills(struct making *m) {
  const uint32_t wanted = spill_wanted_registers(&m->trace->header, m->spec);
  const uint32_t most = spill_registers(&m->trace->header, m->spec);
  double cycles = m->result->stack.lsu;
  for (uint32_t i = 0; i < m->trace->code.op_count; i++)
    cycles -= m->ops[i].lsu;
  if (most < wanted && share_of_time(m, cycles) > WORTH_SHARE)
    remarks_say(
        m, REMARK_SPILLS, 0, share_of_time(m, cycles),
        "keep fewer values at a time: smaller tiles, fewer results of a work-item, less unrolling",
        "a work-item needs %u registers and may have %u: %.0f %% of its values lie in memory and are loaded for "
        "each use",
        wanted, most, 100.0 * (wanted - most) / wanted);
}

/* ---- the cycle stack ---- */

/* Atomics execute at L2, those on local memory too where it lies behind the caches. Where they are most of what L2
 * does, the waiting behind L1 is waiting for them. */
static void look_at_atomics(struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  const struct sim_counters *c = &m->result->counters;
  const double atomic = share_of_time(m, s->atomic), behind = share_of_time(m, s->l2 + s->dram);
  const bool fill_l2 = 2 * c->atomic_rounds > c->l2_accesses && behind > misses_share;
  const char *advice = m->spec->local_memory == LOCAL_SCRATCHPAD
                           ? "combine the values of a work-group first, in local memory or by sub-group functions, and "
                             "do one atomic for each address"
                           : "combine values first, in registers or by sub-group functions, and do fewer atomics; "
                             "those on local memory cost "
                             "the same, because this GPU keeps it behind L1";
  if (fill_l2 && behind > atomic)
    remarks_say(m, REMARK_ATOMICS, line_costs_most(&m->costs, STACK_l2, STACK_dram), behind + atomic, advice,
                "warps wait for atomics, which execute at L2 (%" PRIu64 " operations, %" PRIu64 " rounds)", c->atomics,
                c->atomic_rounds);
  else if (atomic > WORTH_SHARE)
    remarks_say(m, REMARK_ATOMICS, line_costs_most(&m->costs, STACK_atomic, STACK_atomic), atomic, advice,
                "atomics wait for each other: those on one address run one after another (%" PRIu64
                " operations, %" PRIu64 " rounds)",
                c->atomics, c->atomic_rounds);
}

static double ratio(double part, double all) {
  return all > 0 ? part / all : 0;
}

/* Remarks on waiting for lines. It counts behind L1 or, if the rate between L1 and L2 is limited, as a queue before. */
static void look_at_misses(struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  const struct sim_counters *c = &m->result->counters;
  const double misses = share_of_time(m, s->l2 + s->dram);
  const bool texels = c->texture_accesses > c->l1_accesses;
  const uint64_t accesses = texels ? c->texture_accesses : c->l1_accesses;
  const uint32_t line = line_costs_most(&m->costs, STACK_l2, STACK_dram);
  if (misses <= misses_share || accesses_explain(m, line, misses))
    return;
  remarks_say(m, REMARK_MISSES, line, misses,
              "use a line again while it is there: tiles, another order of the loops; what is used once can only be "
              "smaller, or loaded in fewer, wider accesses",
              "waiting behind L1: %s misses %.0f %% of %" PRIu64 " transactions, L2 %.0f %% of %" PRIu64,
              texels ? "the texture cache" : "L1",
              100 * ratio((double)(texels ? c->texture_misses : c->l1_misses), (double)accesses), accesses,
              100 * ratio((double)c->l2_misses, (double)c->l2_accesses), c->l2_accesses);
}

/* Names the limit that accesses queue for, with how much of it is used. */
static void put_limit(const struct making *m, char *text, size_t size) {
  const struct sim_counters *c = &m->result->counters;
  const double cycles = m->result->cycles, moved = (double)(c->l1_l2_read_bytes + c->l1_l2_written_bytes);
  const double memory = ratio((double)c->dram_bytes / cycles, m->spec->dram_bytes_per_cycle);
  const double l2 = ratio(moved / cycles, m->spec->l2_bytes_per_cycle);
  const double link = ratio(moved / cycles / (double)m->spec->cores, m->spec->l1_l2_bytes_per_cycle);
  if (memory >= near_the_rate)
    snprintf(text, size, "; memory moves %.0f %% of the bytes that it can", 100 * memory);
  else if (l2 >= near_the_rate)
    snprintf(text, size, "; L2 moves %.0f %% of the bytes that it can", 100 * l2);
  else if (link >= near_the_rate)
    snprintf(text, size, "; the links between L1 and L2 move %.0f %% of the bytes that they can", 100 * link);
  else
    text[0] = '\0';
}

static void look_at_queues(struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  const struct sim_counters *c = &m->result->counters;
  const double queues = share_of_time(m, s->bandwidth + s->lsu), accesses = (double)c->l1_accesses;
  const bool in_core = s->lsu >= s->bandwidth;
  const enum stack_component port = in_core ? STACK_lsu : STACK_bandwidth;
  const uint32_t line = line_costs_most(&m->costs, port, port);
  char limit[80];
  if (queues <= WORTH_SHARE || accesses_explain(m, line, queues))
    return;
  put_limit(m, limit, sizeof limit);
  if (share_of_time(m, s->l2 + s->dram) <= misses_share && in_core &&
      (double)(c->l1_misses + c->l1_write_backs) > moved_share * accesses)
    remarks_say(m, REMARK_MISSES, line, queues,
                "use a line again while it is there: tiles, another order of the loops; write whole lines",
                "accesses queue behind lines that L1 fetches and writes back: it misses %.0f %% of %" PRIu64
                " transactions and writes %" PRIu64 " lines",
                100 * ratio((double)c->l1_misses, accesses), c->l1_accesses, c->l1_write_backs);
  else
    remarks_say(m, REMARK_BANDWIDTH, line, queues,
                in_core ? "load fewer or wider values (float4), and keep what is used again in registers; more warps "
                          "do not help"
                        : "move fewer bytes: smaller types, whole lines, values that are used again while they are in "
                          "a cache; more warps do not help",
                "accesses queue %s%s", in_core ? "in the load/store unit of their core" : "at L2 and memory", limit);
}

static void look_at_stack(struct making *m) {
  const struct sim_stack *s = &m->result->stack;
  const double barrier = share_of_time(m, s->barrier), divergence = share_of_time(m, s->divergence),
               issue = share_of_time(m, s->issue);
  if (divergence > SMALL_WORTH_SHARE)
    remarks_say(m, REMARK_DIVERGENCE, line_costs_most(&m->costs, STACK_divergence, STACK_divergence), divergence,
                "let whole warps take one path: conditions on the work-group or on id / warp size, sorted work, loops "
                "of equal length",
                "work-items of a warp take different paths, which are issued one after another");
  if (barrier > SMALL_WORTH_SHARE)
    remarks_say(m, REMARK_BARRIERS, line_costs_most(&m->costs, STACK_barrier, STACK_barrier), barrier,
                "take fewer barriers, smaller work-groups, or equal work for all warps between two barriers",
                "warps execute barriers and wait for each other there");
  look_at_misses(m);
  look_at_queues(m);
  if (issue > most_share && explained_by(m, REMARK_DOUBLES, REMARK_FUNCTIONS, 0) +
                                    explained_by(m, REMARK_PARTIAL_WARPS, REMARK_PARTIAL_WARPS, 0) <
                                explained_share * issue)
    remarks_say(m, REMARK_ARITHMETIC, line_costs_most(&m->costs, STACK_issue, STACK_issue), issue,
                "compute less: fewer or cheaper operations, results that are kept, vectors where the GPU has them",
                "engines issue operations for most of the time");
}

static int by_cost(const void *a, const void *b) {
  const struct remark *x = a, *y = b;
  if ((x->share > 0) != (y->share > 0))
    return x->share > 0 ? 1 : -1;
  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  return x->kind != y->kind ? (int)x->kind - (int)y->kind : (x->line > y->line) - (x->line < y->line);
}

static void look(struct making *m) {
  look_at_warps(m);
  look_at_sub_groups(m);
  look_at_local_memory(m);
  look_at_groups(m);
  look_at_launch(m);
  look_at_occupancy(m);
  look_at_spills(m);
  look_at_atomics(m);
  if (m->costs.observer)
    remarks_on_accesses(m);
  if (m->result->ops)
    remarks_on_operations(m);
  look_at_stack(m);
}

int remarks_make(const struct trace *trace, const struct gpu_spec *spec, const struct sim_result *result,
                 const struct observer *observer, struct remarks *out, struct error *error) {
  if (observer && !observer->ops)
    observer = NULL;
  struct making m = {
      .trace = trace, .spec = spec, .result = result, .costs = {result, &trace->code, observer}, .out = out};
  *out = (struct remarks){0};
  m.ops = calloc(trace->code.op_count + 1u, sizeof *m.ops);
  if (m.ops) {
    line_costs_of_ops(&m.costs, m.ops);
    look(&m);
    qsort(out->items, out->count, sizeof *out->items, by_cost);
  }
  m.no_memory |= !m.ops;
  free(m.ops);
  if (!m.no_memory)
    return 0;
  remarks_clear(out);
  return error_no_memory(error);
}

void remarks_clear(struct remarks *remarks) {
  free(remarks->items);
  *remarks = (struct remarks){0};
}
