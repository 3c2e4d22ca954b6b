#include "model/retime/retime_cores.h"

#include <stdlib.h>
#include <string.h>

#include "model/policy/dispatch.h"
#include "trace/code.h"

enum { MOST_CORE_COUNTS = 1 << 24 };

static void count_events(struct retime_cores *c, const struct event_lists *lists, struct dispatch_range range,
                         uint32_t core, uint32_t warps_per_group) {
  uint32_t *events = c->events + (size_t)core * c->class_count;
  while (range.next < range.end) {
    const uint64_t first = (uint64_t)dispatch_take(&range) * warps_per_group;
    for (uint64_t w = first; w < first + warps_per_group; w++)
      for (uint64_t at = lists->starts[w], event; (event = event_lists_at(lists, at)) != EVENT_END; at++)
        events[event]++;
  }
}

static uint64_t count_misses(const struct retime_cores *c, const struct event_classes *classes, const uint16_t *column,
                             uint32_t core) {
  const uint32_t *events = c->events + (size_t)core * c->class_count;
  uint64_t sum = 0;
  for (uint32_t i = EVENT_FIRST_CLASS; i < c->class_count; i++)
    sum += classes->classes[i].op_class == OP_STORE ? 0 : (uint64_t)events[i] * column[i];
  return sum;
}

static void count_all_misses(struct retime_cores *c, const struct event_classes *classes,
                             const struct event_columns *columns) {
  for (uint32_t cache = 0; cache < columns->width; cache++)
    for (uint32_t core = 0; core < c->core_count && columns->same[cache] == cache; core++)
      c->misses[(size_t)cache * c->core_count + core] = count_misses(c, classes, event_column(columns, cache), core);
}

static void count_atomics(struct retime_cores *c, const struct event_classes *classes) {
  for (uint32_t core = 0; core < c->core_count; core++)
    for (uint32_t i = EVENT_FIRST_CLASS; i < c->class_count; i++)
      if (classes->classes[i].kind == EVENT_ACCESS && classes->classes[i].op_class == OP_ATOMIC)
        c->atomics[core] += (uint64_t)c->events[(size_t)core * c->class_count + i] * classes->classes[i].transactions;
}

bool retime_cores_make(struct retime_cores *c, const struct event_lists *lists, const struct event_classes *classes,
                       const struct event_columns *columns, const struct gpu_spec *spec, uint32_t group_count,
                       uint32_t warps_per_group) {
  const uint32_t cores = (uint32_t)spec->cores;
  *c = (struct retime_cores){.core_count = cores, .class_count = classes->count};
  if ((uint64_t)cores * (classes->count + columns->width) > MOST_CORE_COUNTS)
    return false;
  c->events = calloc((size_t)cores * classes->count, sizeof *c->events);
  c->atomics = calloc(cores, sizeof *c->atomics);
  c->misses = calloc((size_t)cores * columns->width + 1, sizeof *c->misses);
  c->ticks = calloc(cores, sizeof *c->ticks);
  c->busy = calloc(cores, sizeof *c->busy);
  if (!c->events || !c->atomics || !c->misses || !c->ticks || !c->busy) {
    retime_cores_clear(c);
    return false;
  }
  for (uint32_t core = 0; core < cores; core++)
    count_events(c, lists, dispatch_orders[spec->dispatch]->own(core, cores, group_count), core, warps_per_group);
  count_all_misses(c, classes, columns);
  count_atomics(c, classes);
  return true;
}

void retime_cores_clear(struct retime_cores *c) {
  free(c->events);
  free(c->atomics);
  free(c->misses);
  free(c->ticks);
  free(c->busy);
  *c = (struct retime_cores){0};
}

/* ---- on one GPU ---- */

bool core_bases_set(struct core_bases *bases, const struct retime_cores *c, const struct retime_prices *prices) {
  const bool same = bases->ticks && retime_rates_same_base(&bases->rates, &prices->rates);
  bases->rates = prices->rates;
  if (!bases->ticks)
    bases->ticks = calloc(c->core_count, sizeof *bases->ticks);
  if (same || !bases->ticks)
    return bases->ticks;
  for (uint32_t core = 0; core < c->core_count; core++) {
    const uint32_t *events = c->events + (size_t)core * c->class_count;
    bases->ticks[core] = 0;
    for (uint32_t i = EVENT_FIRST_CLASS; i < c->class_count; i++)
      bases->ticks[core] += (double)events[i] * (double)prices->base[i];
  }
  return true;
}

double retime_core_busy(const struct retime_cores *c, const struct core_bases *bases, uint32_t core, uint32_t l1,
                        uint32_t l2) {
  const uint64_t behind_l1 = c->misses[(size_t)l1 * c->core_count + core] + c->atomics[core];
  return bases->ticks[core] + (double)behind_l1 * (double)bases->rates.l2 +
         (double)c->misses[(size_t)l2 * c->core_count + core] * (double)bases->rates.dram;
}

uint32_t retime_cores_last(const struct retime_cores *c, const struct core_bases *bases, uint32_t l1, uint32_t l2) {
  uint32_t last = 0;
  double most = -1;
  for (uint32_t core = 0; core < c->core_count; core++) {
    const double before = c->busy[core];
    const double end = before > 0 ? (double)c->ticks[core] * retime_core_busy(c, bases, core, l1, l2) / before : 0;
    if (end > most) {
      most = end;
      last = core;
    }
  }
  return last;
}

static double over(uint64_t all, uint64_t own) {
  return own > 0 ? (double)(all - own) / (double)own : 0;
}

struct recorded_others retime_others_of(const struct retime_cores *c, const struct event_costs *costs,
                                        const struct event_classes *classes, uint32_t core) {
  const uint32_t *events = c->events + (size_t)core * c->class_count;
  uint64_t lines[2] = {0}, moved[2] = {0}, executed[2] = {0}; /* of all cores; of this one */
  for (uint32_t i = EVENT_FIRST_CLASS; i < c->class_count; i++) {
    const struct recorded_pattern *pattern = &costs->patterns->patterns[costs->pattern[i]];
    const uint64_t count[2] = {classes->events[i], events[i]};
    for (int own = 0; own < 2; own++) {
      lines[own] += count[own] * pattern_lines(pattern);
      moved[own] += count[own] * ((uint64_t)pattern->reads + pattern->writes);
      executed[own] += classes->classes[i].op_class == OP_ATOMIC ? count[own] * classes->classes[i].rounds : 0;
    }
  }
  return (struct recorded_others){over(lines[0], lines[1]), over(moved[0], moved[1]), over(executed[0], executed[1])};
}
