/* A GPU description: every parameter of the model, from a YAML file in configs/gpus (schema reassemble.gpu/1).
 * The table of rows is the one place that names a parameter. Latencies are weights in GPU cycles and may be fractional.
 */
#ifndef MODEL_GPU_H
#define MODEL_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/param.h"

enum divergence_policy { DIVERGENCE_IPDOM, DIVERGENCE_MIN_PC };
enum memory_policy { MEMORY_BLOCKING, MEMORY_SWITCH_ON_ACCESS, MEMORY_DEPENDENCY };
enum cache_model { CACHE_REUSE_DISTANCE, CACHE_EXACT_SETS, CACHE_BINOMIAL_SETS };
enum l1_write { L1_WRITE_THROUGH, L1_WRITE_BACK };
enum l2_write { L2_WRITE_FREE, L2_WRITE_THROUGH, L2_WRITE_BACK };
enum dispatch_order { DISPATCH_FIRST_FREE, DISPATCH_ROUND_ROBIN, DISPATCH_CHUNKED };
enum scheduler { SCHEDULER_FIRST_AVAILABLE, SCHEDULER_OLDEST, SCHEDULER_ROUND_ROBIN, SCHEDULER_GREEDY_THEN_OLDEST };
enum local_memory { LOCAL_CACHED, LOCAL_SCRATCHPAD };
enum uniform_loads { UNIFORM_OFF, UNIFORM_CONSTANT, UNIFORM_ANY };
enum issue_rule { ISSUE_SLOTS, ISSUE_BUNDLES };
enum warp_formation { WARPS_LINEAR, WARPS_PER_ROW };

struct gpu_spec {
  int64_t cores, execution_engines, warp_size;
  int64_t clock_hz;
  int64_t threads_per_core, work_groups_per_core, max_work_group; /* work_groups_per_core 0: any number */
  int64_t registers_per_core;                                     /* 0: any number */
  int dispatch, scheduler, warp_formation, divergence, issue, memory;
  int64_t warp_accesses_in_flight, core_accesses_in_flight; /* the core's: 0 without limit */
  int local_memory, uniform_loads;
  int64_t scratchpad_bytes, scratchpad_banks, scratchpad_word_bytes; /* bytes of a core: 0 any number */
  int64_t instruction_cache_bytes, instruction_line_bytes;           /* of a core; cache 0: everything is there */
  double instruction_miss_cycles;
  double scratchpad_cycles, scratchpad_pass_cycles;
  int64_t uniform_cache_bytes; /* of a core: 0 holds everything */
  double uniform_cycles, uniform_load_cycles;
  bool coalesce;
  int64_t line_bytes;
  int l1_model, l2_model;
  int64_t l1_bytes, l1_ways, l2_bytes, l2_ways;
  bool l1_index_hash, l2_index_hash;
  bool l1_enabled, l2_enabled;
  int l1_write, l2_write; /* see model/memory/write_policy.h */
  bool l1_write_allocate, l2_write_allocate;
  double lsu_transactions_per_cycle, l1_l2_bytes_per_cycle; /* per core; all rates: 0 without limit */
  int64_t l1_mshrs, l2_mshrs;                               /* per core, per slice; 0: any number, nothing merges */
  int64_t l2_slices;
  double l2_bytes_per_cycle, dram_bytes_per_cycle; /* all slices together */
  int64_t dram_banks, dram_row_bytes;              /* banks of a slice's memory, 0: rows do not matter */
  double dram_row_miss_cycles;
  double l2_atomics_per_cycle, atomic_cycles; /* of a slice, 0 without limit; per round, see model/memory/atomics.h */
  double arith_cycles, store_cycles, l1_hit_cycles, l1_miss_cycles, l2_miss_cycles; /* the deltas */
  double barrier_cycles;                                                            /* EE time per warp and barrier */
  double launch_cycles, work_group_cycles;                                          /* per kernel, per work-group */
  double prediction_error_ratio; /* spread of measured / predicted on validation data, for intervals */
  /* Proxies for comparing designs (dse/sweep/area.h); a replay does not read them. */
  double area_per_core, area_per_engine, area_per_lane, area_per_l1_kib, area_per_l2_kib;
  double energy_per_instruction_pj, energy_per_l1_access_pj, energy_per_l2_access_pj, energy_per_dram_byte_pj;
};

struct gpu {
  char *name, *about, *isa, *path; /* isa: name of the ISA profile */
  struct gpu_spec spec;
  struct param_origin *origins; /* by row of gpu_params */
};

extern const struct param_table gpu_params;

int gpu_load(const char *name_or_path, struct gpu **out, struct error *error);
/* A GPU of its own with the same values and origins. */
int gpu_copy(const struct gpu *gpu, struct gpu **out, struct error *error);
void gpu_destroy(struct gpu *gpu);
/* Relations between parameters that no single row can check (sets are whole, line divides cache …). */
int gpu_spec_check(const struct gpu_spec *spec, struct error *error);

#endif
