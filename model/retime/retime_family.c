#include "model/retime/retime_family.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/text.h"

/* The parameters of costs and queues of events, and those that no replay reads. */
static const char *const free_parameters[] = {"arith_cycles",
                                              "store_cycles",
                                              "l1_hit_cycles",
                                              "l1_miss_cycles",
                                              "l2_miss_cycles",
                                              "barrier_cycles",
                                              "launch_cycles",
                                              "work_group_cycles",
                                              "clock_hz",
                                              "max_work_group",
                                              "prediction_error_ratio",
                                              "order_error_ratio",
                                              "lsu_transactions_per_cycle",
                                              "l1_l2_bytes_per_cycle",
                                              "l2_bytes_per_cycle",
                                              "dram_bytes_per_cycle",
                                              "l2_slices",
                                              "area_per_core",
                                              "area_per_engine",
                                              "area_per_lane",
                                              "area_per_l1_kib",
                                              "area_per_l2_kib",
                                              "energy_per_instruction_pj",
                                              "energy_per_l1_access_pj",
                                              "energy_per_l2_access_pj",
                                              "energy_per_dram_byte_pj"};
/* The parameters of caches, which are watched during the recording. */
static const char *const cache_parameters[] = {"l1_model", "l1_bytes", "l1_ways",    "l1_enabled",    "l2_model",
                                               "l2_bytes", "l2_ways",  "l2_enabled", "l1_index_hash", "l2_index_hash"};

static bool is_among(const char *key, const char *const *keys, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(key, keys[i]) == 0)
      return true;
  return false;
}

#define IS_AMONG(key, keys) is_among(key, keys, sizeof(keys) / sizeof(keys)[0])

/* Returns whether the parameter must be the same in a whole family. */
static bool is_fixed(const struct param *row) {
  return !IS_AMONG(row->key, free_parameters) && !IS_AMONG(row->key, cache_parameters);
}

void retime_fixed_rows_find(struct retime_fixed_rows *fixed) {
  assert(gpu_params.count <= MOST_GPU_PARAMETERS);
  fixed->count = 0;
  for (size_t i = 0; i < gpu_params.count; i++)
    if (is_fixed(&gpu_params.list[i]))
      fixed->rows[fixed->count++] = (uint16_t)i;
}

bool retime_serves(const struct retime_fixed_rows *fixed, const struct gpu_spec *recorded,
                   const struct gpu_spec *spec) {
  for (uint32_t i = 0; i < fixed->count; i++) {
    const struct param *row = &gpu_params.list[fixed->rows[i]];
    if (params_get_number(row, recorded) != params_get_number(row, spec))
      return false;
  }
  return true;
}

uint64_t retime_family_of(const struct gpu_spec *spec) {
  uint64_t hash = TEXT_HASH_START;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double value = params_get_number(&gpu_params.list[i], spec);
    if (is_fixed(&gpu_params.list[i]))
      hash = text_hash(hash, &value, sizeof value);
  }
  return hash;
}

double retime_distance(const struct gpu_spec *a, const struct gpu_spec *b) {
  double sum = 0;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const double x = params_get_number(&gpu_params.list[i], a), y = params_get_number(&gpu_params.list[i], b);
    if (x != y && !is_fixed(&gpu_params.list[i]))
      sum += x > 0 && y > 0 ? fabs(log(x / y)) : 1;
  }
  return sum;
}
