#include "model/memory/memory_hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/sectored.h"
#include "model/memory/l1_level.h"

bool memory_queues_before_l2(const struct gpu_spec *spec) {
  return spec->lsu_transactions_per_cycle > 0 || spec->l1_l2_bytes_per_cycle > 0 || spec->lsu_tlb_entries > 0 ||
         spec->texels_per_cycle > 0 || memory_pipe_is_shared(spec);
}

bool memory_is_queued(const struct gpu_spec *spec) {
  return memory_queues_before_l2(spec) || spec->l2_bytes_per_cycle > 0 || spec->dram_bytes_per_cycle > 0 ||
         spec->merge_misses || spec->l1_mshrs > 0 || spec->l2_mshrs > 0 || spec->dram_banks > 0 ||
         spec->l2_atomics_per_cycle > 0 || spec->l2_atomic_rounds_per_cycle > 0;
}

/* The cores whose L1 is made. */
struct core_range {
  uint32_t first, end;
};

static bool create_l1s(struct memory_system *memory, const struct gpu_spec *spec, struct core_range cores) {
  bool done = (memory->l1 = calloc(memory->cores, sizeof *memory->l1));
  for (uint32_t i = cores.first; i < cores.end && spec->l1_enabled && done; i++)
    done = (memory->l1[i] = cache_create_l1(spec));
  return done;
}

static bool create_counters(struct memory_system *memory) {
  const size_t bytes = memory->cores * sizeof *memory->counters;
  memory->counters = aligned_alloc(_Alignof(struct core_counters), bytes);
  return memory->counters && memset(memory->counters, 0, bytes);
}

static bool create_queues(struct memory_system *memory, const struct gpu_spec *spec, uint32_t access_lines) {
  if (!(memory->served = calloc(2 * (size_t)access_lines, sizeof *memory->served)))
    return false;
  return !memory_is_queued(spec) ||
         (l2_slices_init(&memory->slices, spec) && (memory->comes = calloc(access_lines, sizeof *memory->comes)));
}

static int init(struct memory_system *memory, const struct gpu_spec *spec, struct core_range cores, bool l2,
                uint32_t access_lines, struct error *error) {
  *memory = (struct memory_system){
      .parts = access_parts_of(spec),
      .coalesce = spec->coalesce,
      .run_shift = access_run_shift(spec),
      .overlapped = spec->access_latency == ACCESS_LATENCY_LONGEST,
      .cores = (uint32_t)spec->cores,
      .store_ticks = cycles_to_ticks(spec->store_cycles),
      .l1_ticks = cycles_to_ticks(spec->l1_hit_cycles),
      .l2_ticks = cycles_to_ticks(spec->l1_miss_cycles),
      .dram_ticks = cycles_to_ticks(spec->l2_miss_cycles),
      .atomic_ticks = cycles_to_ticks(spec->atomic_cycles),
      .round = line_size_make((uint32_t)(spec->atomic_round_bytes > 0 ? spec->atomic_round_bytes : spec->line_bytes))};
  memory->plain_hits = spec->l1_enabled && spec->l1_model != CACHE_BINOMIAL_SETS && spec->lsu_tlb_entries == 0;
  memory->range_bytes = memory->coalesce ? memory->parts.whole_bytes : 0;
  if (create_l1s(memory, spec, cores) && (!l2 || (memory->l2 = cache_create_l2(spec))) && create_counters(memory) &&
      create_queues(memory, spec, access_lines) && graphics_caches_init(&memory->graphics, spec) &&
      write_policy_init(&memory->writes, spec, memory->l1, memory->l2) &&
      partial_writes_init(&memory->partial, spec, memory->l2) && tlb_init(&memory->tlb, spec) &&
      lsu_tlbs_init(&memory->lsu_tlbs, spec))
    return 0;
  memory_clear(memory);
  return error_set(error, ERROR_WORK, "out of memory for the caches of %lld cores", (long long)spec->cores);
}

int memory_init(struct memory_system *memory, const struct gpu_spec *spec, uint32_t access_lines, struct error *error) {
  return init(memory, spec, (struct core_range){0, (uint32_t)spec->cores}, spec->l2_enabled, access_lines, error);
}

int memory_init_core(struct memory_system *memory, const struct gpu_spec *spec, uint32_t core, uint32_t access_lines,
                     struct error *error) {
  return init(memory, spec, (struct core_range){core, core + 1}, false, access_lines, error);
}

void memory_clear(struct memory_system *memory) {
  for (uint32_t i = 0; i < memory->cores && memory->l1; i++)
    cache_destroy(memory->l1[i]);
  free(memory->l1);
  cache_destroy(memory->l2);
  graphics_caches_clear(&memory->graphics);
  merged_atomics_clear(&memory->merged);
  texture_unit_clear(&memory->texels);
  l2_slices_clear(&memory->slices);
  write_policy_clear(&memory->writes);
  partial_writes_clear(&memory->partial);
  tlb_clear(&memory->tlb);
  lsu_tlbs_clear(&memory->lsu_tlbs);
  free(memory->comes);
  free(memory->served);
  free(memory->counters);
  *memory = (struct memory_system){0};
}

/* Counts the lines that a load looked up in a cache beside L1. */
static void count_reads(struct sim_counters *c, const struct memory_access *access) {
  uint64_t *const counts[GRAPHICS_KINDS][2] = {
#define X(name) [GRAPHICS_##name] = {&c->name##_accesses, &c->name##_misses},
      GRAPHICS_CACHES(X)
#undef X
  };
  *counts[access->cache][0] += access->transactions;
  *counts[access->cache][1] += access->shared;
}

/* Begins an access whose lines have been set. */
static void begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  struct memory_access *access) {
  const bool store = op_class == OP_STORE;
  struct sim_counters *count = &memory->counters[core].all;
  access->op_class = (uint8_t)op_class;
  access->core = core;
  access->passes = access_runs(memory->run_shift, access->lines, access->transactions);
  access->more_line_times = 0;
  access->still_ticks = memory->lsu_tlbs.cores
                            ? lsu_tlbs_translate(&memory->lsu_tlbs, core, access->lines, access->transactions, count)
                            : 0;
  l1_use(memory, core, access);
  if (op_class == OP_LOAD && access->cache != GRAPHICS_none) {
    count_reads(count, access);
  } else if (op_class == OP_LOAD) {
    count->l1_accesses += access->transactions;
    count->l1_misses += access->shared;
  }
  count->l1_write_backs += access->evicted;
  access->store_ticks = store ? memory_times_waited(memory, access->transactions) * memory->store_ticks : 0;
  access->l1_ticks = store ? 0 : memory_times_waited(memory, access->transactions) * memory->l1_ticks;
  access->l2_ticks = store ? 0 : memory_times_waited(memory, access->shared) * memory->l2_ticks;
  access->dram_ticks = access->atomic_ticks = access->translation_ticks = 0;
  access->missed = 0;
}

static void begin_atomic(struct memory_system *memory, uint32_t core, const struct lane_addresses *lanes,
                         struct memory_access *access) {
  uint32_t *in_line = access->lines + access->transactions;
  uint32_t rounds = atomics_count(&memory->parts.line, &memory->round, lanes, memory->coalesce, access->lines,
                                  access->transactions, in_line);
  access->words = 2 * access->transactions;
  access->atomic_ticks = rounds * memory->atomic_ticks;
  memory->counters[core].all.atomics += lanes->count;
  memory->counters[core].all.atomic_rounds += rounds;
}

/* Returns the bytes of line number `i` of a store that it writes; of other accesses, nothing that counts. */
static uint32_t bytes_of(const struct memory_system *memory, const struct memory_access *access, uint32_t i) {
  return memory->partial.on && access->op_class == OP_STORE ? access->lines[access->transactions + i] : 0;
}

/* Returns the time that line number `i` of an access takes at L2, in times of a line. */
static uint32_t line_times(const struct memory_system *memory, const struct memory_access *access, uint32_t i) {
  return memory->partial.on && access->op_class == OP_STORE ? partial_writes_times(&memory->partial, access, i) : 1;
}

void memory_begin(struct memory_system *memory, uint32_t core, enum trace_op_class op_class,
                  const struct lane_addresses *lanes, struct memory_access *access) {
  begin(memory, core, op_class, access);
  if (op_class == OP_ATOMIC)
    begin_atomic(memory, core, lanes, access);
  if (op_class == OP_STORE && memory->partial.on)
    partial_writes_begin(&memory->partial, lanes, access);
}

void memory_begin_range(struct memory_system *memory, uint32_t core, enum trace_op_class op_class, uint32_t low,
                        uint32_t high, struct memory_access *access) {
  access->transactions = high - low + 1;
  for (uint32_t i = 0; i < access->transactions; i++)
    access->lines[i] = (low + i) >> memory->parts.pieces_shift;
  begin(memory, core, op_class, access);
}

/* ---- L2 ---- */

struct l2_outcome memory_use_l2(struct memory_system *memory, uint32_t line, enum l2_use use, uint32_t bytes) {
  if (memory->partial.on)
    return partial_writes_use(&memory->partial, memory->l2, line, use, bytes);
  if (memory->writes.l2_on)
    return write_policy_l2(&memory->writes, memory->l2, line, use);
  bool hit = memory->l2 && cache_access(memory->l2, line);
  return (struct l2_outcome){.hit = hit, .fetch = !hit, .left = CACHE_NO_LINE};
}

static enum l2_use use_of(const struct memory_access *access) {
  return access->op_class == OP_LOAD ? L2_READ : access->op_class == OP_STORE ? L2_WRITE : L2_UPDATE;
}

/* Returns the use of a line that an access carries along to L2 behind its own lines. */
static enum l2_use carried_use(const struct memory_access *access, uint32_t number) {
  return number < access->fetched ? L2_READ : L2_WRITE;
}

static void count_written(struct memory_system *memory, const struct l2_outcome *outcome) {
  memory->shared.l2_fills += (uint32_t)__builtin_popcount(outcome->fills);
  memory->shared.dram_read_bytes += (uint32_t)__builtin_popcount(outcome->fills);
  memory->shared.l2_write_backs += outcome->left != CACHE_NO_LINE;
  memory->shared.dram_written_bytes += outcome->written + (outcome->left != CACHE_NO_LINE);
}

static void count_access(struct memory_system *memory, const struct memory_access *access) {
  struct sim_counters *count = &memory->shared;
  uint64_t *moved = access->op_class == OP_STORE ? &count->l1_l2_written_bytes : &count->l1_l2_read_bytes;
  *moved += access->shared;
  count->l1_l2_read_bytes += access->fetched;
  count->l1_l2_written_bytes += access->evicted;
  memory->shared.l2_accesses += access->shared + access->fetched + access->evicted;
}

/* Uses one line at L2. Returns whether it misses. */
static bool finish_line(struct memory_system *memory, uint32_t line, enum l2_use use, uint32_t bytes) {
  struct l2_outcome outcome = memory_use_l2(memory, line, use, bytes);
  memory->shared.l2_misses += !outcome.hit;
  memory->shared.dram_read_bytes += outcome.fetch;
  count_written(memory, &outcome);
  return !outcome.hit;
}

/* Translates the lines that go on to L2: the access's own lines, and those that it fetches into L1. */
static void translate(struct memory_system *memory, struct memory_access *access) {
  uint64_t ticks = tlb_translate(&memory->tlb, access->core, access->lines, access->shared, &memory->shared);
  ticks +=
      tlb_translate(&memory->tlb, access->core, access->lines + access->transactions, access->fetched, &memory->shared);
  if (access->op_class != OP_STORE)
    access->translation_ticks = ticks;
}

/* Completes an access of one line like memory_finish, where writes change nothing at L2 except the lines that it
 * holds. */
static void finish_one(struct memory_system *memory, struct memory_access *access) {
  const bool missed = !memory->l2 || !cache_access(memory->l2, access->lines[0]);
  const bool store = access->op_class == OP_STORE;
  memory->shared.l2_accesses++;
  memory->shared.l2_misses += missed;
  memory->shared.dram_read_bytes += missed;
  *(store ? &memory->shared.l1_l2_written_bytes : &memory->shared.l1_l2_read_bytes) += 1;
  access->missed = missed;
  memory->served[0] = (struct line_served){.read = missed};
  if (missed && !store)
    access->dram_ticks = memory->dram_ticks;
}

void memory_finish(struct memory_system *memory, struct memory_access *access) {
  uint32_t missed = 0;
  if (memory->tlb.on)
    translate(memory, access);
  if (access->shared == 1 && (access->fetched | access->evicted) == 0 && !memory->writes.l2_on && !memory->partial.on) {
    finish_one(memory, access);
    return;
  }
  for (uint32_t i = 0; i < access->shared; i++) {
    const bool read = finish_line(memory, access->lines[i], use_of(access), bytes_of(memory, access, i));
    memory->served[i] = (struct line_served){.read = read};
    missed += read;
  }
  for (uint32_t i = 0; i < access->fetched + access->evicted; i++)
    finish_line(memory, access->lines[access->transactions + i], carried_use(access, i), 0);
  count_access(memory, access);
  access->missed = missed;
  if (access->op_class != OP_STORE)
    access->dram_ticks = memory_times_waited(memory, missed) * memory->dram_ticks;
}

/* Serves a line. Returns its service, and sets *served; *dram becomes the ticks that its fetch takes. A line that is
 * written to memory queues there behind lines that are fetched, and so does one that leaves L2, for which no access
 * waits. */
static struct l2_service serve_line(struct memory_system *memory, uint32_t line, enum l2_use use, uint64_t time,
                                    uint32_t bytes, uint32_t times, uint64_t *dram, struct line_served *served) {
  struct l2_outcome outcome = memory_use_l2(memory, line, use, bytes);
  bool there = !outcome.fetch;
  struct l2_service one = l2_serve(&memory->slices, line, times, time, memory->dram_ticks, &there);
  memory->shared.l2_misses += !outcome.hit && one.merged == 0;
  memory->shared.dram_read_bytes += !there;
  count_written(memory, &outcome);
  *dram = there ? 0 : memory->dram_ticks + one.row;
  for (uint32_t i = 0; outcome.fills >> i; i++)
    if (outcome.fills >> i & 1)
      l2_write_to_memory(&memory->slices, outcome.filled + i, one.begins); /* it takes as long to read them */
  if (outcome.left != CACHE_NO_LINE)
    l2_write_to_memory(&memory->slices, outcome.left, one.begins);
  if (outcome.written) {
    uint64_t taken = l2_write_to_memory(&memory->slices, line, one.begins);
    if (use == L2_WRITE) {
      memory->slices.waited.dram += taken - one.begins;
      one.begins = taken;
    }
  }
  *served = (struct line_served){one.begins, one.merged, 0, !there};
  return one;
}

/* Serves an access like memory_serve, for an access of one line that carries nothing along, where writes change
 * nothing at L2 except the lines that it holds. */
static struct memory_service serve_one(struct memory_system *memory, struct memory_access *access, uint64_t time) {
  const bool hit = memory->l2 && cache_access(memory->l2, access->lines[0]), store = access->op_class == OP_STORE;
  bool there = hit;
  const struct l2_service one = l2_serve(&memory->slices, access->lines[0], 1, time, memory->dram_ticks, &there);
  const uint64_t dram = there ? 0 : memory->dram_ticks + one.row;
  memory->shared.l2_accesses++;
  memory->shared.l2_misses += !hit && one.merged == 0;
  memory->shared.dram_read_bytes += !there;
  *(store ? &memory->shared.l1_l2_written_bytes : &memory->shared.l1_l2_read_bytes) += 1;
  memory->served[0] = (struct line_served){one.begins, one.merged, 0, !there};
  if (store)
    return (struct memory_service){.wait = one.begins - time};
  access->dram_ticks += dram;
  memory->comes[0] = ticks_later(one.begins + dram, one.merged) + memory->l2_ticks + access->translation_ticks;
  return (struct memory_service){one.begins - time, one.merged, memory->comes};
}

/* Serves line number `i` of the access's own lines and adds it to the service of all of them. A store waits until the
 * line is accepted, and not for the line itself. Returns the ticks after `time` at which the line's atomic operations
 * are executed. */
static uint64_t serve_own_line(struct memory_system *memory, struct memory_access *access, uint32_t i, uint64_t time,
                               struct memory_service *all) {
  uint64_t dram;
  const struct l2_service one = serve_line(memory, access->lines[i], use_of(access), time, bytes_of(memory, access, i),
                                           line_times(memory, access, i), &dram, &memory->served[i]);
  all->wait = ticks_later(all->wait, one.begins - time);
  if (access->op_class == OP_STORE)
    return 0;
  access->dram_ticks = memory->overlapped ? ticks_later(access->dram_ticks, dram) : access->dram_ticks + dram;
  all->merged = ticks_later(all->merged, one.merged);
  memory->comes[i] = ticks_later(one.begins + dram, one.merged) + memory->l2_ticks + access->translation_ticks;
  if (access->op_class != OP_ATOMIC)
    return 0;
  const uint32_t *of_line =
      access->lines + access->transactions + i; /* its operations; its rounds stand `transactions` further on */
  return l2_execute(&memory->slices, access->lines[i], of_line[0], of_line[access->transactions], one.begins) - time;
}

struct memory_service memory_serve(struct memory_system *memory, struct memory_access *access, uint64_t time) {
  if (memory->tlb.on)
    translate(memory, access);
  if (access->shared == 1 && (access->fetched | access->evicted) == 0 && !memory->writes.l2_on &&
      access->op_class != OP_ATOMIC && !memory->partial.on)
    return serve_one(memory, access, time);
  struct memory_service all = {.comes = memory->comes};
  struct line_served evicted;
  uint64_t dram, executed = 0;
  for (uint32_t i = 0; i < access->shared; i++) {
    const uint64_t done = serve_own_line(memory, access, i, time, &all);
    memory->served[i].executed = done;
    executed = ticks_later(executed, done);
  }
  for (uint32_t i = 0; i < access->fetched + access->evicted; i++) {
    const uint32_t line = access->lines[access->transactions + i];
    struct line_served *served = i < access->fetched ? &memory->served[access->shared + i] : &evicted;
    const struct l2_service one = serve_line(memory, line, carried_use(access, i), time, 0, 1, &dram, served);
    if (i < access->fetched)
      memory->comes[i] = ticks_later(one.begins + dram, one.merged) + memory->l2_ticks;
  }
  if (executed > all.wait)
    access->atomic_ticks += executed - all.wait;
  count_access(memory, access);
  return all;
}
