/* Spilling: values of a work-item that do not fit into its registers.
 *
 * A trace says how many registers a work-item would fill (R), but not which operation uses which value. Where a
 * work-item may have fewer (C), the other values lie in private memory, and any operand or result of an operation is
 * one of them with probability (R - C) / R: it is loaded before the operation or stored behind it. Operations are
 * assumed to have three operands, as a multiply-add has, so that this share of a run's issue slots becomes five: three
 * loads, the operation, and a store. Loads and stores are of four bytes for each work-item, interleaved across lanes,
 * hence each takes one pass of the load/store pipe.
 *
 * The spilled values of all resident work-items share L1. A loop uses all of them, so where they do not fit, an LRU
 * cache never holds the next one: all are loaded from L2. Where L1 writes through, each store goes on to L2. A pass
 * that goes on to L2 takes the pipe for as long as its bytes need at the core's rate there: the rate of the link, or
 * the core's even share of L2's rate.
 * Units: registers of 32 bits; issue slots in 1/1024. Ownership: the caller's memory. Errors: none. Cost: O(1).
 * Threads: any. Source: Chaitin, "Register allocation and spilling via graph coloring", SIGPLAN 1982 (a spilled value
 * is loaded before each use and stored behind each definition); NVIDIA, CUDA C++ Programming Guide, "Local Memory". */
#ifndef MODEL_SPILL_H
#define MODEL_SPILL_H

#include <math.h>

#include "model/params/gpu.h"
#include "trace/trace.h"

/* The loads and stores of an operation whose values are all spilled. */
enum { SPILL_ACCESSES = 4 };

/* Returns the registers that a work-item of the trace may have, 0: unlimited. A compiler knows the size of a work-group
 * and gives each work-item so few registers that the work-group fits onto a core. */
static inline int64_t spill_most_registers(const struct trace_header *header, const struct gpu_spec *spec) {
  const int64_t most = spec->registers_per_item, share = spec->registers_per_core / (int64_t)trace_local_size(header);
  return most > 0 && spec->registers_per_core > 0 && share > 0 && share < most ? share : most;
}

/* Returns the registers that the values of a work-item of the trace would fill; 0: the trace does not say. */
static inline uint32_t spill_wanted_registers(const struct trace_header *header, const struct gpu_spec *spec) {
  const bool early = !spec->late_local_loads && header->early_load_registers > header->registers;
  return early ? header->early_load_registers : header->registers;
}

/* Returns the registers that a work-item of the trace has on this GPU; 0: the trace does not say. */
static inline uint32_t spill_registers(const struct trace_header *header, const struct gpu_spec *spec) {
  const int64_t most = spill_most_registers(header, spec);
  const uint32_t wanted = spill_wanted_registers(header, spec);
  return most > 0 && wanted > most ? (uint32_t)most : wanted;
}

/* Returns the bytes of a work-item's registers for values that are loaded early. */
static inline uint32_t spill_early_load_bytes(const struct trace_header *header, const struct gpu_spec *spec) {
  const int64_t left = 4 * (spec->early_load_registers - (int64_t)spill_wanted_registers(header, spec));
  if (spec->early_load_registers == 0 || left > spec->early_load_bytes)
    return (uint32_t)spec->early_load_bytes;
  return left > 0 ? (uint32_t)left : 0;
}

/* Returns the share of values that are spilled, in 2^-20. */
static inline uint64_t spill_share(const struct trace_header *header, const struct gpu_spec *spec) {
  const uint64_t wanted = spill_wanted_registers(header, spec), spilled = wanted - spill_registers(header, spec);
  return wanted ? (spilled << 20) / wanted : 0;
}

/* Returns the loads and stores of spilled values in a run of `slots` slots, in 1/1024. */
static inline uint64_t spill_accesses(uint64_t share, uint64_t slots) {
  return SPILL_ACCESSES * ((slots >> 20) * share + ((slots & 0xfffff) * share >> 20));
}

/* Returns the bytes in a cycle that a core gets from L2, 0: unlimited. */
static inline double spill_l2_rate(const struct gpu_spec *spec) {
  const double link = spec->l1_l2_bytes_per_cycle, part = spec->l2_bytes_per_cycle / (double)spec->cores;
  return link > 0 && part > 0 ? fmin(link, part) : link + part;
}

/* Returns the share of loads and stores of spilled values that go on to L2, with `items` resident work-items. */
static inline double spill_l2_share(const struct trace_header *header, const struct gpu_spec *spec, uint64_t items) {
  const uint32_t spilled = spill_wanted_registers(header, spec) - spill_registers(header, spec);
  const double bytes = 4.0 * (double)items * (double)spilled;
  const double room = spec->l1_enabled ? (double)spec->l1_bytes : 0, loads = bytes > room ? 1 : 0;
  return (loads + (spec->l1_write == L1_WRITE_THROUGH ? 1 : loads)) / 2;
}

/* Returns the cycles that the bytes of a load or store of a spilled value take between L2 and the core, on average. */
static inline double spill_l2_cycles(const struct trace_header *header, const struct gpu_spec *spec, uint64_t items) {
  const double rate = spill_l2_rate(spec), bytes = 4.0 * (double)spec->warp_size;
  return rate > 0 ? spill_l2_share(header, spec, items) * bytes / rate : 0;
}

#endif
