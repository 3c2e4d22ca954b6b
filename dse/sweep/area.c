#include "dse/sweep/area.h"

static const double bytes_per_kib = 1024;

double area_proxy(const struct gpu_spec *spec) {
  const double engine = spec->area_per_engine + (double)spec->warp_size * spec->area_per_lane;
  const double l1 = (double)spec->l1_bytes / bytes_per_kib * spec->area_per_l1_kib;
  const double core = spec->area_per_core + (double)spec->execution_engines * engine + l1;
  return (double)spec->cores * core + (double)spec->l2_bytes / bytes_per_kib * spec->area_per_l2_kib;
}

double energy_proxy_pj(const struct gpu_spec *spec, const struct sim_result *result) {
  return (double)result->work_item_instructions * spec->energy_per_instruction_pj +
         (double)result->counters.l1_accesses * spec->energy_per_l1_access_pj +
         (double)result->counters.l2_accesses * spec->energy_per_l2_access_pj +
         (double)result->counters.dram_bytes * spec->energy_per_dram_byte_pj;
}
