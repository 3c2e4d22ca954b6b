/* The counters of a simulation. Each is declared once, in one row of SIM_COUNTERS.
 *
 * A row is X(place, field, "name", "unit", "meaning"). `place` tells where it is counted: PER_CORE by each core, AT_L2
 * where the accesses of all cores come together, WHOLE once from other counters when a replay is over. A row makes the
 * field of struct sim_counters and the row of sim_values (model/result/result_values.h), from which JSON, tables, the
 * library, sweeps and tests take it; the code only does `counters->field++`.
 * Units: as the row says; a counter of bytes counts lines of line_bytes until sim_counters_report. Cost: adding two
 * sets is O(counters). Threads: one set for each core. */
#ifndef MODEL_COUNTERS_H
#define MODEL_COUNTERS_H

#include <stdint.h>
#include <string.h>

#define SIM_MEMORY_COUNTERS(X)                                                                                         \
  X(PER_CORE, l1_accesses, "l1.accesses", "1", "transactions that looked L1 up")                                       \
  X(PER_CORE, l1_misses, "l1.misses", "1", "of them not found")                                                        \
  X(PER_CORE, texture_accesses, "texture_cache.accesses", "1", "transactions of reads that looked a texture cache up") \
  X(PER_CORE, texture_misses, "texture_cache.misses", "1", "of them not found")                                        \
  X(PER_CORE, depth_accesses, "depth_cache.accesses", "1", "transactions of reads that looked a depth cache up")       \
  X(PER_CORE, depth_misses, "depth_cache.misses", "1", "of them not found")                                            \
  X(PER_CORE, vertex_accesses, "vertex_cache.accesses", "1", "transactions of reads that looked a vertex cache up")    \
  X(PER_CORE, vertex_misses, "vertex_cache.misses", "1", "of them not found")                                          \
  X(PER_CORE, l1_write_backs, "l1.write_backs", "1", "dirty lines that L1 pushed out")                                 \
  X(AT_L2, l2_accesses, "l2.accesses", "1", "transactions that looked L2 up")                                          \
  X(AT_L2, l2_misses, "l2.misses", "1", "of them not found")                                                           \
  X(AT_L2, l2_write_backs, "l2.write_backs", "1", "dirty lines that L2 pushed out")                                    \
  X(AT_L2, l2_fills, "l2.fills", "1", "lines of which stores wrote a part and memory read the rest")                   \
  X(PER_CORE, atomics, "atomics", "1", "atomic operations of work-items, executed at L2")                              \
  X(PER_CORE, atomic_rounds, "atomic_rounds", "1",                                                                     \
    "of them one after another: per line of a warp, the most on one address")                                          \
  X(AT_L2, l1_l2_read_bytes, "l1_l2_read_bytes", "bytes", "moved from L2 to L1s, whole lines")                         \
  X(AT_L2, l1_l2_written_bytes, "l1_l2_written_bytes", "bytes", "moved from L1s to L2, whole lines")                   \
  X(AT_L2, dram_read_bytes, "dram_read_bytes", "bytes", "moved from memory to L2")                                     \
  X(AT_L2, dram_written_bytes, "dram_written_bytes", "bytes", "moved from L2 to memory, by policies that say so")      \
  X(WHOLE, dram_bytes, "dram_bytes", "bytes", "moved between L2 and memory")

#define SIM_CORE_COUNTERS(X)                                                                                           \
  X(PER_CORE, memory_accesses, "memory_accesses", "1",                                                                 \
    "loads, stores and atomics of warps, each with its transactions")                                                  \
  X(AT_L2, tlb_accesses, "tlb.accesses", "1", "lines that looked up the TLB of their core")                            \
  X(AT_L2, tlb_misses, "tlb.misses", "1", "of them whose page was not there")                                          \
  X(AT_L2, page_walks, "tlb.walks", "1", "of these whose page the shared TLB did not have either")                     \
  X(PER_CORE, scratchpad_accesses, "scratchpad.accesses", "1",                                                         \
    "accesses of warps to local memory that is a scratchpad")                                                          \
  X(PER_CORE, scratchpad_passes, "scratchpad.passes", "1", "passes that they took through its banks")                  \
  X(PER_CORE, uniform_loads, "uniform_loads", "1", "loads of warps that took the uniform port")                        \
  X(PER_CORE, instruction_misses, "instruction_misses", "lines", "lines of code that were not in the instruction cache")

#define SIM_COUNTERS(X) SIM_MEMORY_COUNTERS(X) SIM_CORE_COUNTERS(X)

struct sim_counters {
#define X(place, field, name, unit, meaning) uint64_t field;
  SIM_COUNTERS(X)
#undef X
};

/* The counters of one core. Cores that run at the same time share no cache line of the host. */
struct core_counters {
  _Alignas(64) struct sim_counters all;
};

static inline void sim_counters_add(struct sim_counters *sum, const struct sim_counters *more) {
#define X(place, field, name, unit, meaning) sum->field += more->field;
  SIM_COUNTERS(X)
#undef X
}

/* Turns the counters of a replay that is over into those that are reported: lines into bytes, and counters that follow
 * from others. */
static inline void sim_counters_report(struct sim_counters *counters, uint64_t line_bytes) {
#define X(place, field, name, unit, meaning) counters->field *= strcmp(unit, "bytes") == 0 ? line_bytes : 1;
  SIM_COUNTERS(X)
#undef X
  counters->dram_bytes = counters->dram_read_bytes + counters->dram_written_bytes;
}

#endif
