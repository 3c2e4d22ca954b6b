#include "model/memory/memory_hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/cache/sectored.h"

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
      .access_lines = access_lines,
      .overlapped = spec->access_latency == ACCESS_LATENCY_LONGEST,
      .cores = (uint32_t)spec->cores,
      .store_ticks = cycles_to_ticks(spec->store_cycles),
      .l1_ticks = cycles_to_ticks(spec->l1_hit_cycles),
      .l2_ticks = cycles_to_ticks(spec->l1_miss_cycles),
      .dram_ticks = cycles_to_ticks(spec->l2_miss_cycles),
      .atomic_ticks = cycles_to_ticks(spec->atomic_cycles),
      .round = line_size_make((uint32_t)(spec->atomic_round_bytes > 0 ? spec->atomic_round_bytes : spec->line_bytes))};
  partial_writes_init(&memory->partial, spec);
  memory->touch_suffices = spec->l2_model != CACHE_BINOMIAL_SETS;
  memory->tag_shift = (uint32_t)__builtin_ctz((unsigned)spec->tag_lines);
  memory->plain_hits = spec->l1_enabled && spec->l1_model != CACHE_BINOMIAL_SETS && spec->lsu_tlb_entries == 0;
  memory->range_bytes = memory->coalesce ? memory->parts.whole_bytes : 0;
  if (create_l1s(memory, spec, cores) && (!l2 || (memory->l2 = cache_create_l2(spec))) && create_counters(memory) &&
      create_queues(memory, spec, access_lines) && graphics_caches_init(&memory->graphics, spec) &&
      write_policy_init(&memory->writes, spec, memory->l1, memory->l2) && tlb_init(&memory->tlb, spec) &&
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

/* ---- L2 ---- */

/* Returns the bytes of line number `i` of a store that it writes; of other accesses, nothing that counts. */
static uint32_t bytes_of(const struct memory_system *memory, const struct memory_access *access, uint32_t i) {
  return memory->partial.on && access->op_class == OP_STORE ? access->lines[access->transactions + i] : 0;
}

/* Returns the time that line number `i` of an access takes at L2, in times of a line. */
static uint32_t line_times(const struct memory_system *memory, const struct memory_access *access, uint32_t i) {
  return memory->partial.on && access->op_class == OP_STORE ? access->lines[2 * access->transactions + i] : 1;
}

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
  for (uint32_t left = outcome->fills; left; left &= left - 1) {
    memory->shared.l2_fills++;
    memory->shared.dram_read_bytes++;
  }
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

/* Uses the own lines of an access at L2 one by one. Returns the number of lines that miss. */
static uint32_t finish_lines(struct memory_system *memory, const struct memory_access *access) {
  uint32_t missed = 0;
  for (uint32_t i = 0; i < access->shared; i++) {
    const bool read = finish_line(memory, access->lines[i], use_of(access), bytes_of(memory, access, i));
    memory->served[i] = (struct line_served){.read = read};
    missed += read;
  }
  return missed;
}

/* Uses them like finish_lines, the lines of a tag together, where L2 is sectored and writes change nothing there except
 * the lines that it holds. */
static uint32_t finish_tags(struct memory_system *memory, const struct memory_access *access) {
  uint32_t missed = 0, fills = 0, filled = 0;
  for (uint32_t i = 0; i < access->shared; fills += filled) {
    const struct tag_lines of = tag_lines_first(memory->tag_shift, access->lines + i, access->shared - i);
    const uint32_t hits = memory->partial.on
                              ? partial_writes_use_lines(&memory->partial, memory->l2, &of, use_of(access),
                                                         access->lines + access->transactions + i, &filled)
                              : cache_access_lines(memory->l2, of.tag, of.lines);
    for (uint32_t left = of.lines; left; left &= left - 1) {
      const bool read = !(hits & left & -left);
      memory->served[i++] = (struct line_served){.read = read};
      missed += read;
    }
  }
  memory->shared.l2_misses += missed;
  memory->shared.dram_read_bytes += missed + fills;
  memory->shared.l2_fills += fills;
  return missed;
}

bool memory_finish_held(struct memory_system *memory, struct memory_access *access) {
  if (memory->tlb.on || memory->writes.l2_on || memory->partial.count > 0 || (access->fetched | access->evicted) > 0)
    return false;
  count_access(memory, access);
  access->missed = 0;
  if (access->op_class != OP_STORE)
    access->dram_ticks = 0;
  return true;
}

void memory_finish(struct memory_system *memory, struct memory_access *access) {
  if (memory->tlb.on)
    translate(memory, access);
  if (access->shared == 1 && (access->fetched | access->evicted) == 0 && !memory->writes.l2_on && !memory->partial.on) {
    finish_one(memory, access);
    return;
  }
  const bool by_tag = memory->l2 && memory->l2->ops->access_lines && !memory->writes.l2_on;
  access->missed = (by_tag ? finish_tags : finish_lines)(memory, access);
  for (uint32_t i = 0; i < access->fetched + access->evicted; i++)
    finish_line(memory, access->lines[access->transactions + i], carried_use(access, i), 0);
  count_access(memory, access);
  if (access->op_class != OP_STORE)
    access->dram_ticks = memory_times_waited(memory, access->missed) * memory->dram_ticks;
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
