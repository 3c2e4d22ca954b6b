#include "model/retime/alone_cores.h"

static double ratio(double now, double before) {
  return before > 0 ? now / before : 1;
}

/* Sets how many times as long each component takes on `now` as on `before`. A wait for a level of memory includes the
 * latencies of those in front of it. */
static void set_factors(const struct gpu_spec *before, const struct gpu_spec *now, double factors[SIM_STACK_COUNT]) {
  const double l1[2] = {before->l1_hit_cycles, now->l1_hit_cycles};
  const double l2[2] = {l1[0] + before->l1_miss_cycles, l1[1] + now->l1_miss_cycles};
  for (int i = 0; i < SIM_STACK_COUNT; i++)
    factors[i] = 1;
  factors[STACK_issue] = factors[STACK_divergence] = ratio(now->arith_cycles, before->arith_cycles);
  factors[STACK_store] = ratio(now->store_cycles, before->store_cycles);
  factors[STACK_l1] = ratio(l1[1], l1[0]);
  factors[STACK_l2] = ratio(l2[1], l2[0]);
  factors[STACK_dram] = ratio(l2[1] + now->l2_miss_cycles, l2[0] + before->l2_miss_cycles);
}

static double expected_end(const struct alone_core *core, const double factors[SIM_STACK_COUNT]) {
  double before = 0, now = 0;
  for (int i = 0; i < STACK_idle; i++) {
    before += core->parts[i];
    now += core->parts[i] * factors[i];
  }
  return (double)core->end * ratio(now, before);
}

/* Returns the core that ends last with these factors; of several, the first. */
static struct alone_core last_core(const uint64_t *ends, const struct sim_result *whole,
                                   const double factors[SIM_STACK_COUNT]) {
  struct alone_core last = {0};
  double most = -1;
  for (uint32_t i = 0; i < whole->core_count; i++) {
    struct alone_core core = {.core = i, .end = ends[i]};
    sim_stack_values(&whole->core_stacks[i], core.parts);
    const double end = expected_end(&core, factors);
    if (end > most) {
      most = end;
      last = core;
    }
  }
  return last;
}

static void add(struct alone_cores *cores, struct alone_core core) {
  for (uint32_t i = 0; i < cores->count; i++)
    if (cores->list[i].core == core.core)
      return;
  cores->list[cores->count++] = core;
}

void alone_cores_choose(struct alone_cores *cores, const struct gpu_spec *spec, const uint64_t *ends,
                        const struct sim_result *whole) {
  static const struct {
    double arith, l1, l2, dram; /* factors of latencies */
  } others[CORE_RECORDS_MOST] = {{1, 1, 1, 1}, {1, 1, 1, 0.25}, {1, 1, 1, 4},    {1, 1, 0.25, 1},
                                 {1, 1, 4, 1}, {1, 4, 1, 1},    {0.25, 1, 1, 1}, {4, 1, 1, 1}};
  *cores = (struct alone_cores){.spec = *spec};
  for (int i = 0; i < CORE_RECORDS_MOST; i++) {
    struct gpu_spec other = *spec;
    double factors[SIM_STACK_COUNT];
    other.arith_cycles *= others[i].arith;
    other.l1_hit_cycles *= others[i].l1;
    other.l1_miss_cycles *= others[i].l2;
    other.l2_miss_cycles *= others[i].dram;
    set_factors(spec, &other, factors);
    add(cores, last_core(ends, whole, factors));
  }
}

uint32_t alone_cores_last(const struct alone_cores *cores, const struct gpu_spec *spec) {
  double factors[SIM_STACK_COUNT], most = -1;
  uint32_t last = 0;
  set_factors(&cores->spec, spec, factors);
  for (uint32_t i = 0; i < cores->count; i++) {
    const double end = expected_end(&cores->list[i], factors);
    if (end > most) {
      most = end;
      last = i;
    }
  }
  return last;
}
