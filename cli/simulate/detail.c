#include "cli/simulate/detail.h"

#include <stdlib.h>

#include "cli/core/table.h"
#include "model/result/cycle_stack.h"

enum { SHOWN_LINES = 10, SHOWN_CORES = 64 };

static double percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* ---- source lines ---- */

struct line {
  uint32_t line;
  struct observed_op sum;
};

static int by_line(const void *a, const void *b) {
  const uint32_t x = ((const struct line *)a)->line, y = ((const struct line *)b)->line;
  return (x > y) - (x < y);
}

static int by_waited(const void *a, const void *b) {
  const uint64_t x = ((const struct line *)a)->sum.waited, y = ((const struct line *)b)->sum.waited;
  return x != y ? (x < y) - (x > y) : by_line(a, b);
}

static bool was_used(const struct observed_op *op) {
  return op->accesses || op->l2_accesses || op->waited;
}

static void add(struct observed_op *sum, const struct observed_op *op) {
  sum->accesses += op->accesses;
  sum->l1_misses += op->l1_misses;
  sum->l2_accesses += op->l2_accesses;
  sum->l2_misses += op->l2_misses;
  sum->waited += op->waited;
}

/* Lines with memory operations that ran, ascending; the caller frees. NULL: out of memory. */
static struct line *lines_of(const struct replay_kernel *kernel, size_t *count) {
  const struct trace_code *code = &kernel->trace->code;
  struct line *lines = calloc(code->op_count + 1u, sizeof *lines);
  size_t used = 0, kept = 0;
  for (uint32_t i = 0; i < code->op_count && lines != NULL; i++)
    if (was_used(&kernel->observer.ops[i]))
      lines[used++] = (struct line){code->ops[i].line, kernel->observer.ops[i]};
  if (lines != NULL)
    qsort(lines, used, sizeof *lines, by_line);
  for (size_t i = 0; i < used; i++) {
    if (kept > 0 && lines[kept - 1].line == lines[i].line)
      add(&lines[kept - 1].sum, &lines[i].sum);
    else
      lines[kept++] = lines[i];
  }
  *count = kept;
  return lines;
}

static int print_lines(const struct replay_kernel *kernel, struct error *error) {
  size_t count;
  struct line *lines = lines_of(kernel, &count);
  if (lines == NULL)
    return error_set(error, ERROR_WORK, "out of memory");
  qsort(lines, count, sizeof *lines, by_waited);
  struct table *table = table_create((struct table_column[]){{"line", true},
                                                             {"L1 accesses", true},
                                                             {"L1 misses", true},
                                                             {"L2 accesses", true},
                                                             {"L2 misses", true},
                                                             {"warps waited, cycles", true}},
                                     6);
  for (size_t i = 0; i < count && i < SHOWN_LINES; i++) {
    table_add(table, "%u", lines[i].line);
    table_add(table, "%llu", (unsigned long long)lines[i].sum.accesses);
    table_add(table, "%llu", (unsigned long long)lines[i].sum.l1_misses);
    table_add(table, "%llu", (unsigned long long)lines[i].sum.l2_accesses);
    table_add(table, "%llu", (unsigned long long)lines[i].sum.l2_misses);
    table_add(table, "%.0f", ticks_to_cycles(lines[i].sum.waited));
  }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  if (status == 0 && count > SHOWN_LINES)
    printf("and %zu lines more (--json has all)\n", count - SHOWN_LINES);
  free(lines);
  return status;
}

static json_t *lines_json(const struct replay_kernel *kernel) {
  size_t count;
  struct line *lines = lines_of(kernel, &count);
  json_t *list = lines != NULL ? json_array() : NULL;
  for (size_t i = 0; i < count && lines != NULL; i++) {
    const struct observed_op *sum = &lines[i].sum;
    json_array_append_new(list,
                          json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "line", (json_int_t)lines[i].line, "l1_accesses",
                                    (json_int_t)sum->accesses, "l1_misses", (json_int_t)sum->l1_misses, "l2_accesses",
                                    (json_int_t)sum->l2_accesses, "l2_misses", (json_int_t)sum->l2_misses,
                                    "waited_cycles", ticks_to_cycles(sum->waited)));
  }
  free(lines);
  return list;
}

/* ---- engines and occupancy ---- */

static int print_engines(const struct replay_kernel *kernel, struct error *error) {
  const struct observer *o = &kernel->observer;
  struct table *table = table_create((struct table_column[]){{"core", true},
                                                             {"engine", true},
                                                             {"busy, cycles", true},
                                                             {"busy %", true},
                                                             {"idle, cycles", true},
                                                             {"work-items on the core", true}},
                                     6);
  for (uint32_t c = 0; c < o->core_count && c < SHOWN_CORES; c++)
    for (uint32_t e = 0; e < o->engine_count; e++) {
      const double busy = ticks_to_cycles(o->cores[c].busy[e]);
      table_add(table, "%u", c);
      table_add(table, "%u", e);
      table_add(table, "%.0f", busy);
      table_add(table, "%.1f", percent(busy, kernel->result.cycles));
      table_add(table, "%.0f", kernel->result.cycles - busy);
      if (e == 0)
        table_add(table, "%.1f", o->ticks > 0 ? (double)o->cores[c].resident / (double)o->ticks : 0);
      else
        table_add(table, "%s", "");
    }
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  if (status == 0 && o->core_count > SHOWN_CORES)
    printf("and %u cores more (--json has all)\n", o->core_count - SHOWN_CORES);
  return status;
}

static json_t *engines_json(const struct replay_kernel *kernel) {
  const struct observer *o = &kernel->observer;
  json_t *list = json_array();
  for (uint32_t c = 0; c < o->core_count; c++)
    for (uint32_t e = 0; e < o->engine_count; e++) {
      const double busy = ticks_to_cycles(o->cores[c].busy[e]);
      json_array_append_new(list, json_pack("{s:I, s:I, s:f, s:f}", "core", (json_int_t)c, "engine", (json_int_t)e,
                                            "busy_cycles", busy, "idle_cycles", kernel->result.cycles - busy));
    }
  return list;
}

static json_t *occupancy_json(const struct replay_kernel *kernel) {
  const struct observer *o = &kernel->observer;
  uint64_t bin_ticks = TICKS_PER_CYCLE;
  json_t *cores = json_array();
  for (uint32_t c = 0; c < o->core_count; c++) {
    double items[OBSERVER_BINS];
    const size_t count = observer_occupancy(o, c, items, &bin_ticks);
    json_t *bins = json_array();
    for (size_t i = 0; i < count; i++)
      json_array_append_new(bins, json_real(items[i]));
    json_array_append_new(cores, bins);
  }
  return json_pack("{s:f, s:o}", "bin_cycles", ticks_to_cycles(bin_ticks), "cores", cores);
}

/* ---- levels and queues ---- */

static void add_level(struct table *table, const char *name, const struct sim_cache *cache, uint64_t bytes) {
  table_add(table, "%s", name);
  if (cache != NULL) {
    table_add(table, "%llu", (unsigned long long)cache->accesses);
    table_add(table, "%llu", (unsigned long long)(cache->accesses - cache->misses));
    table_add(table, "%llu", (unsigned long long)cache->misses);
  } else {
    table_add(table, "%s", "");
    table_add(table, "%s", "");
    table_add(table, "%s", "");
  }
  table_add(table, "%.1f", (double)bytes / 1024);
}

/* L1 hands whole lines to warps. */
static uint64_t l1_bytes(const struct replay *replay, const struct sim_result *r) {
  return r->l1.accesses * (uint64_t)replay->gpu->spec.line_bytes;
}

static uint64_t l2_bytes(const struct sim_result *r) {
  return r->l1_l2_read_bytes + r->l1_l2_written_bytes;
}

static int print_levels(const struct replay *replay, const struct sim_result *r, struct error *error) {
  struct table *table = table_create(
      (struct table_column[]){{"level", false}, {"accesses", true}, {"hits", true}, {"misses", true}, {"KiB", true}},
      5);
  add_level(table, "L1", &r->l1, l1_bytes(replay, r));
  add_level(table, "L2", &r->l2, l2_bytes(r));
  add_level(table, "memory", NULL, r->dram_bytes);
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

/* Nothing where nothing queues. */
static int print_queues(const struct sim_result *r, struct error *error) {
  const double sum =
      r->queues.lsu + r->queues.l1_mshr + r->queues.link + r->queues.l2 + r->queues.l2_mshr + r->queues.dram;
  if (sum <= 0)
    return 0;
  struct table *table =
      table_create((struct table_column[]){{"queue", false}, {"waited, cycles", true}, {"", false}}, 3);
#define X(field, name, meaning)                                                                                        \
  table_add(table, "%s", name);                                                                                        \
  table_add(table, "%.0f", r->queues.field);                                                                           \
  table_add(table, "%s", meaning);
  SIM_QUEUES(X)
#undef X
  putchar('\n');
  const int status = table_print(table, stdout, error);
  table_destroy(table);
  return status;
}

int detail_print(const struct replay *replay, const struct replay_kernel *kernel, struct error *error) {
  putchar('\n');
  table_print_text(kernel->name, stdout);
  fputs("\n\n", stdout);
  if (print_engines(kernel, error) != 0)
    return -1;
  putchar('\n');
  if (print_levels(replay, &kernel->result, error) != 0 || print_queues(&kernel->result, error) != 0)
    return -1;
  putchar('\n');
  return print_lines(kernel, error);
}

json_t *detail_json(const struct replay *replay, const struct replay_kernel *kernel) {
  const struct sim_result *r = &kernel->result;
  return json_pack("{s:o, s:o, s:{s:I, s:I, s:I}, s:o}", "engines", engines_json(kernel), "occupancy",
                   occupancy_json(kernel), "bytes", "l1", (json_int_t)l1_bytes(replay, r), "l2",
                   (json_int_t)l2_bytes(r), "dram", (json_int_t)r->dram_bytes, "lines", lines_json(kernel));
}
