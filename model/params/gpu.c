#include "model/params/gpu.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"

#define GPU_SCHEMA      "reassemble.gpu/1"
#define GPU_BASE_LEVELS 16 /* longest chain of `base:` files */

static const char *const dispatch_names[] = {"first_free", "round_robin", "chunked", NULL};
static const char *const scheduler_names[] = {"first_available", "oldest", "round_robin", "greedy_then_oldest", NULL};
static const char *const formation_names[] = {"linear", "per_row", NULL};
static const char *const divergence_names[] = {"ipdom", "min_pc", NULL};
static const char *const local_names[] = {"cached", "scratchpad", NULL};
static const char *const uniform_names[] = {"off", "constant", "any", NULL};
static const char *const issue_names[] = {"slots", "bundles", NULL};
static const char *const memory_names[] = {"blocking", "switch_on_access", "dependency", NULL};
static const char *const l1_write_names[] = {"write_through", "write_back", NULL};
static const char *const l2_write_names[] = {"free", "write_through", "write_back", NULL};
static const char *const cache_names[] = {"reuse_distance", "exact_sets", "binomial_sets", NULL};

/* clang-format off */
#define INT(field, unit, low, high, preset, flags, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_INT, unit, low, high, preset, NULL, flags, meaning}
#define REAL(field, unit, low, high, preset, flags, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_REAL, unit, low, high, preset, NULL, flags, meaning}
#define BOOL(field, preset, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_BOOL, "1", 0, 1, preset, NULL, PARAM_SWEEPABLE, meaning}
#define CHOICE(field, names, preset, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_CHOICE, "1", 0, sizeof(names) / sizeof(names[0]) - 2, preset, \
   names, PARAM_SWEEPABLE, meaning}
#define OPTION_CHOICE(field, names, preset, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_CHOICE, "1", 0, sizeof(names) / sizeof(names[0]) - 2, preset, \
   names, PARAM_SWEEPABLE | PARAM_OPTION, meaning}
#define OPTION_BOOL(field, preset, meaning) \
  {#field, offsetof(struct gpu_spec, field), PARAM_BOOL, "1", 0, 1, preset, NULL, PARAM_SWEEPABLE | PARAM_OPTION, meaning}
/* clang-format on */
#define SWEEP  PARAM_SWEEPABLE
#define TUNE   (PARAM_SWEEPABLE | PARAM_TUNABLE)
#define OPTION (PARAM_SWEEPABLE | PARAM_OPTION)

static const struct param_row rows[] = {
    INT(cores, "1", 1, 1024, 8, SWEEP, "shader cores"),
    INT(execution_engines, "1", 1, 64, 3, SWEEP, "execution engines of a core; each runs one warp at a time"),
    INT(warp_size, "work-items", 1, 64, 4, SWEEP, "work-items that execute in lockstep"),
    INT(clock_hz, "Hz", 1e6, 1e11, 1e9, SWEEP, "GPU clock, turns cycles into time"),
    INT(threads_per_core, "work-items", 1, 65536, 384, SWEEP, "work-items resident on a core"),
    INT(work_groups_per_core, "work-groups", 0, 4096, 0, SWEEP,
        "work-groups resident on a core at most, 0: any number"),
    INT(max_work_group, "work-items", 1, 65536, 384, 0, "largest work-group the device accepts"),
    INT(registers_per_core, "registers", 0, 1 << 30, 0, OPTION,
        "32-bit registers of a core, which limit its work-groups, 0: any number"),
    CHOICE(dispatch, dispatch_names, DISPATCH_FIRST_FREE, "which core gets the next work-group"),
    OPTION_CHOICE(scheduler, scheduler_names, SCHEDULER_FIRST_AVAILABLE, "which ready warp a free engine takes"),
    OPTION_CHOICE(warp_formation, formation_names, WARPS_LINEAR, "which work-items form a warp"),
    CHOICE(divergence, divergence_names, DIVERGENCE_IPDOM, "how a warp whose work-items branch apart is run"),
    OPTION_CHOICE(issue, issue_names, ISSUE_SLOTS, "slots of operations add up, or fill bundles (ISA profile)"),
    CHOICE(memory, memory_names, MEMORY_BLOCKING, "what an execution engine does while its warp waits for memory"),
    INT(warp_accesses_in_flight, "accesses", 1, 64, 8, OPTION,
        "memory accesses that a warp may have in flight (dependency only)"),
    INT(core_accesses_in_flight, "accesses", 0, 65536, 0, OPTION,
        "memory accesses of a core in flight, 0: any number (not for blocking)"),
    INT(instruction_cache_bytes, "bytes", 0, 1 << 26, 0, OPTION, "instruction cache of a core, 0: everything is there"),
    INT(instruction_line_bytes, "bytes", 4, 4096, 64, OPTION, "line of the instruction cache"),
    REAL(instruction_miss_cycles, "cycles", 0, 10000, 20, PARAM_OPTION | TUNE, "per line of code that is not there"),
    OPTION_CHOICE(local_memory, local_names, LOCAL_CACHED,
                  "where local memory lies: behind the caches or in each core"),
    INT(scratchpad_bytes, "bytes", 0, 1 << 28, 65536, OPTION,
        "local memory of a core, which limits its work-groups, 0: any number (scratchpad only)"),
    INT(scratchpad_banks, "1", 1, 1024, 32, OPTION, "banks that serve a word a pass each (scratchpad only)"),
    INT(scratchpad_word_bytes, "bytes", 1, 1024, 4, OPTION, "word of a bank (scratchpad only)"),
    REAL(scratchpad_cycles, "cycles", 0, 1000, 1, PARAM_OPTION | TUNE, "per access to the scratchpad"),
    REAL(scratchpad_pass_cycles, "cycles", 0, 1000, 1, PARAM_OPTION | TUNE,
         "per pass of an access through the scratchpad's banks"),
    OPTION_CHOICE(uniform_loads, uniform_names, UNIFORM_OFF, "loads that take a port of their own if lanes agree"),
    INT(uniform_cache_bytes, "bytes", 0, 1 << 28, 8192, OPTION,
        "cache of the uniform port, per core, 0: holds everything"),
    REAL(uniform_cycles, "cycles", 0, 1000, 1, PARAM_OPTION | TUNE, "per load that takes the uniform port"),
    REAL(uniform_load_cycles, "cycles", 0, 1000, 1, PARAM_OPTION | TUNE, "between loads on the uniform port"),
    BOOL(coalesce, 1, "one transaction per line that a warp touches (off: one per work-item)"),
    INT(line_bytes, "bytes", 4, 4096, 64, SWEEP, "cache line, and unit of coalescing"),
    CHOICE(l1_model, cache_names, CACHE_REUSE_DISTANCE, "how L1 decides between hit and miss"),
    CHOICE(l2_model, cache_names, CACHE_REUSE_DISTANCE, "how L2 decides between hit and miss"),
    INT(l1_bytes, "bytes", 4, 1 << 28, 16384, SWEEP, "L1 size, per core"),
    INT(l1_ways, "lines", 1, 1024, 4, SWEEP, "L1 associativity (not for reuse_distance)"),
    INT(l2_bytes, "bytes", 4, 1 << 30, 524288, SWEEP, "L2 size, shared by all cores"),
    INT(l2_ways, "lines", 1, 1024, 16, SWEEP, "L2 associativity (not for reuse_distance)"),
    OPTION_BOOL(l1_index_hash, 0, "sets of L1 by all bits of the line number (exact_sets only)"),
    OPTION_BOOL(l2_index_hash, 0, "sets of L2 by all bits of the line number (exact_sets only)"),
    BOOL(l1_enabled, 1, "off: every access to L1 misses"),
    BOOL(l2_enabled, 1, "off: every access to L2 misses"),
    OPTION_CHOICE(l1_write, l1_write_names, L1_WRITE_THROUGH,
                  "whether L1 hands stores on at once or keeps dirty lines"),
    OPTION_BOOL(l1_write_allocate, 0, "stores that miss L1 fetch the line into it (off: they go around it)"),
    OPTION_CHOICE(l2_write, l2_write_names, L2_WRITE_FREE,
                  "the same for L2; free: what is written to memory costs nothing"),
    OPTION_BOOL(l2_write_allocate, 1, "stores that miss L2 fetch the line into it (off: they go around it)"),
    REAL(lsu_transactions_per_cycle, "1/cycle", 0, 1024, 0, OPTION, "load/store unit of a core, 0: any number"),
    REAL(l1_l2_bytes_per_cycle, "bytes/cycle", 0, 1e6, 0, OPTION, "between a core and L2, 0: any number"),
    INT(l1_mshrs, "lines", 0, 1024, 0, OPTION, "misses of a core in flight, 0: any number, and none merge"),
    INT(l2_mshrs, "lines", 0, 1024, 0, OPTION, "misses of a slice of L2 in flight, 0: any number, and none merge"),
    INT(l2_slices, "1", 1, 64, 1, OPTION, "slices of L2, by line number; each queues on its own"),
    REAL(l2_bytes_per_cycle, "bytes/cycle", 0, 1e6, 0, OPTION, "all slices of L2 together, 0: any number"),
    REAL(dram_bytes_per_cycle, "bytes/cycle", 0, 1e6, 0, OPTION, "all memory behind L2 together, 0: any number"),
    INT(dram_banks, "1", 0, 1024, 0, OPTION, "banks of the memory behind a slice, 0: rows do not matter"),
    INT(dram_row_bytes, "bytes", 64, 1 << 20, 2048, OPTION, "row of a bank"),
    REAL(dram_row_miss_cycles, "cycles", 0, 10000, 0, PARAM_OPTION | TUNE,
         "more, per load from another row than the last"),
    REAL(l2_atomics_per_cycle, "1/cycle", 0, 1024, 0, OPTION,
         "atomic operations of work-items that a slice of L2 executes, 0: any number"),
    REAL(atomic_cycles, "cycles", 0, 10000, 0, PARAM_OPTION | TUNE,
         "more, per atomic operation of a warp on one and the same address"),
    REAL(arith_cycles, "cycles", 0, 64, 1, TUNE, "per issue slot"),
    REAL(store_cycles, "cycles", 0, 1000, 1, TUNE, "per store transaction"),
    REAL(l1_hit_cycles, "cycles", 0, 1000, 1, TUNE, "per load transaction, hit or miss"),
    REAL(l1_miss_cycles, "cycles", 0, 10000, 61, TUNE, "more, per load transaction that misses L1"),
    REAL(l2_miss_cycles, "cycles", 0, 10000, 123, TUNE, "more, per load transaction that misses L2 as well"),
    REAL(barrier_cycles, "cycles", 0, 10000, 0, TUNE, "execution engine time per warp and barrier"),
    REAL(launch_cycles, "cycles", 0, 1e9, 0, TUNE, "per kernel, before the first work-group"),
    REAL(work_group_cycles, "cycles", 0, 1e6, 0, TUNE, "per work-group, between its dispatch and its first warp"),
    REAL(prediction_error_ratio, "1", 0, 100, 0, 0, "spread of measured / predicted on validation data, for intervals"),
    REAL(area_per_core, "lanes", 0, 1e6, 0, 0, "area proxy: a core without its engines and L1"),
    REAL(area_per_engine, "lanes", 0, 1e6, 0, 0, "area proxy: an execution engine without its lanes"),
    REAL(area_per_lane, "lanes", 0, 1e6, 0, 0, "area proxy: one lane of a warp, with its registers; the unit"),
    REAL(area_per_l1_kib, "lanes", 0, 1e6, 0, 0, "area proxy: a KiB of L1"),
    REAL(area_per_l2_kib, "lanes", 0, 1e6, 0, 0, "area proxy: a KiB of L2"),
    REAL(energy_per_instruction_pj, "pJ", 0, 1e9, 0, 0, "energy proxy: an operation of a work-item"),
    REAL(energy_per_l1_access_pj, "pJ", 0, 1e9, 0, 0, "energy proxy: a transaction that looks L1 up"),
    REAL(energy_per_l2_access_pj, "pJ", 0, 1e9, 0, 0, "energy proxy: a transaction that looks L2 up"),
    REAL(energy_per_dram_byte_pj, "pJ", 0, 1e9, 0, 0, "energy proxy: a byte moved between L2 and memory"),
};

const struct param_table gpu_params = {"GPU parameter", rows, sizeof rows / sizeof rows[0]};

/* The files from the one asked for to the base being loaded, to refuse circles. */
struct chain {
  const struct chain *below;
  const char *path;
};

static bool chain_has(const struct chain *chain, const char *path) {
  for (; chain; chain = chain->below)
    if (strcmp(chain->path, path) == 0)
      return true;
  return false;
}

static unsigned chain_length(const struct chain *chain) {
  unsigned n = 0;
  for (; chain; chain = chain->below)
    n++;
  return n;
}

static int out_of_memory(struct error *error) {
  return error_set(error, ERROR_WORK, "out of memory");
}

static int check_schema(const struct conf_node *root, struct error *error) {
  const struct conf_node *schema = conf_need(root, "schema", error);
  const char *text;
  if (!schema || conf_string(schema, &text, error))
    return -1;
  if (strcmp(text, GPU_SCHEMA) != 0)
    return conf_error(schema, error, "found '%s', expected %s (a GPU description)", text, GPU_SCHEMA);
  return 0;
}

/* A base next to the file that names it wins, then whatever data_find knows. */
static int find_base(const char *file, const char *base, char **path, struct error *error) {
  const char *slash = strrchr(file, '/');
  int folder = slash && base[0] != '/' ? (int)(slash - file + 1) : 0;
  static const char *const endings[] = {"", ".yaml"};
  for (int i = 0; i < 2 && folder; i++) {
    char *near = text_format("%.*s%s%s", folder, file, base, endings[i]);
    if (!near)
      return out_of_memory(error);
    if (access(near, R_OK) == 0) {
      *path = near;
      return 0;
    }
    free(near);
  }
  return data_find(DATA_GPU, base, path, error);
}

static int replace_text(char **text, const struct conf_node *node, struct error *error) {
  const char *value;
  if (!node)
    return 0;
  if (conf_string(node, &value, error))
    return -1;
  char *copy = strdup(value);
  if (!copy)
    return out_of_memory(error);
  free(*text);
  *text = copy;
  return 0;
}

static int load_file(const char *path, struct gpu *gpu, const struct chain *below, struct error *error);

static int load_base(const struct conf_node *root, const char *path, struct gpu *gpu, const struct chain *here,
                     struct error *error) {
  const struct conf_node *base = conf_get(root, "base");
  const char *name;
  if (!base)
    return 0;
  if (conf_string(base, &name, error))
    return -1;
  char *base_path = NULL;
  struct error cause = ERROR_INIT;
  if (find_base(path, name, &base_path, &cause))
    return conf_error(base, error, "%s", cause.text);
  char *real = realpath(base_path, NULL);
  free(base_path);
  if (!real)
    return conf_error(base, error, "'%s' cannot be read", name);
  int status;
  if (chain_has(here, real))
    status = conf_error(base, error, "'%s' leads back to this file: inheritance must not go in a circle", name);
  else if (chain_length(here) >= GPU_BASE_LEVELS)
    status = conf_error(base, error, "more than %d files inherit from each other", GPU_BASE_LEVELS);
  else
    status = load_file(real, gpu, here, error);
  free(real);
  return status;
}

static int load_root(const struct conf_node *root, const char *path, struct gpu *gpu, const struct chain *here,
                     struct error *error) {
  static const char *const keys[] = {"schema", "name", "about", "base", "isa", "parameters", NULL};
  if (conf_expect(root, CONF_MAP, error) || check_schema(root, error) || conf_check_keys(root, keys, error))
    return -1;
  if (load_base(root, path, gpu, here, error))
    return -1;
  const struct conf_node *name = conf_need(root, "name", error);
  if (!name || replace_text(&gpu->name, name, error) || replace_text(&gpu->about, conf_get(root, "about"), error) ||
      replace_text(&gpu->isa, conf_get(root, "isa"), error))
    return -1;
  const struct conf_node *parameters = conf_get(root, "parameters");
  if (parameters && (conf_expect(parameters, CONF_MAP, error) ||
                     params_load(&gpu_params, parameters, &gpu->spec, gpu->origins, error)))
    return -1;
  if (!gpu->isa)
    return conf_error(root, error, "no 'isa': name the ISA profile that prices operations, or a 'base' that has one");
  return 0;
}

static int load_file(const char *path, struct gpu *gpu, const struct chain *below, struct error *error) {
  const struct chain here = {below, path};
  struct conf_doc *doc;
  if (conf_load_file(path, &doc, error))
    return -1;
  int status = load_root(conf_root(doc), path, gpu, &here, error);
  conf_destroy(doc);
  return status;
}

/* A device takes no work-group that its cores cannot hold. Only files are checked: a sweep may lower threads_per_core
 * alone; then the work-groups of the kernels at hand decide (model/warp/occupancy.h). */
static int check_largest_group(const struct gpu_spec *spec, struct error *error) {
  if (spec->max_work_group <= spec->threads_per_core)
    return 0;
  return error_at(error, ERROR_INPUT, "", 0, 0, "threads_per_core",
                  "found %lld, expected at least max_work_group: %lld (a core holds a work-group or more)",
                  (long long)spec->threads_per_core, (long long)spec->max_work_group);
}

static int load_found(const char *found, struct gpu *gpu, struct error *error) {
  char *real = realpath(found, NULL);
  if (!real)
    return error_at(error, ERROR_INPUT, found, 0, 0, NULL, "cannot be read");
  params_defaults(&gpu_params, &gpu->spec, gpu->origins);
  int status = load_file(real, gpu, NULL, error);
  free(real);
  struct error relation = ERROR_INIT;
  if (status == 0 && (gpu_spec_check(&gpu->spec, &relation) || check_largest_group(&gpu->spec, &relation)))
    status = error_at(error, ERROR_INPUT, found, 0, 0, relation.key, "%s", relation.text);
  return status;
}

int gpu_load(const char *name_or_path, struct gpu **out, struct error *error) {
  *out = NULL;
  char *path;
  if (data_find(DATA_GPU, name_or_path, &path, error))
    return -1;
  struct gpu *gpu = calloc(1, sizeof *gpu);
  if (!gpu || !(gpu->origins = calloc(gpu_params.count, sizeof *gpu->origins)) || !(gpu->about = strdup(""))) {
    free(path);
    gpu_destroy(gpu);
    return out_of_memory(error);
  }
  gpu->path = path;
  if (load_found(path, gpu, error)) {
    gpu_destroy(gpu);
    return -1;
  }
  *out = gpu;
  return 0;
}

int gpu_copy(const struct gpu *gpu, struct gpu **out, struct error *error) {
  struct gpu *copy = calloc(1, sizeof *copy);
  if (!copy || !(copy->origins = calloc(gpu_params.count, sizeof *copy->origins)) ||
      !(copy->name = strdup(gpu->name)) || !(copy->about = strdup(gpu->about)) || !(copy->isa = strdup(gpu->isa)) ||
      !(copy->path = strdup(gpu->path))) {
    gpu_destroy(copy);
    return out_of_memory(error);
  }
  copy->spec = gpu->spec;
  params_origins_copy(&gpu_params, copy->origins, gpu->origins);
  *out = copy;
  return 0;
}

void gpu_destroy(struct gpu *gpu) {
  if (!gpu)
    return;
  if (gpu->origins)
    params_origins_clear(&gpu_params, gpu->origins);
  free(gpu->origins);
  free(gpu->name);
  free(gpu->about);
  free(gpu->isa);
  free(gpu->path);
  free(gpu);
}

static int check_cache(const char *key, int model, int64_t bytes, int64_t ways, int64_t line, bool hash,
                       struct error *error) {
  if (bytes < line)
    return error_at(
        error, ERROR_INPUT, "", 0, 0, key,
        "found %lld, expected at least line_bytes: %lld (a cache holds one line or more; %.2s_enabled: false "
        "turns it off)",
        (long long)bytes, (long long)line, key);
  if (bytes % line != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, key, "%lld bytes are no whole number of lines of line_bytes: %lld",
                    (long long)bytes, (long long)line);
  if (model != CACHE_REUSE_DISTANCE && bytes / line % ways != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, key,
                    "%lld lines are no whole number of sets of %.2s_ways: %lld, which %.2s_model: %s needs",
                    (long long)(bytes / line), key, (long long)ways, key, cache_names[model]);
  int64_t sets = bytes / line / ways;
  if (model == CACHE_EXACT_SETS && hash && (sets & (sets - 1)) != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, key,
                    "%lld sets are no power of two, which %.2s_index_hash needs: change the size or the ways, or turn "
                    "the hash off",
                    (long long)sets, key);
  return 0;
}

/* A simulated line costs tens of bytes: 2^25 lines are a gigabyte or two, and 2 GiB of modelled cache with 64-byte
 * lines. */
/* binomial_sets keeps up to five times as many (model/cache/binomial_sets.c: P < 1/128). */
static int64_t kept_lines(int model, int64_t bytes, int64_t line) {
  return bytes / line * (model == CACHE_BINOMIAL_SETS ? 5 : 1);
}

static int check_all_lines(const struct gpu_spec *spec, struct error *error) {
  const int64_t limit = INT64_C(1) << 25;
  const int64_t uniform = spec->uniform_loads != UNIFORM_OFF ? spec->uniform_cache_bytes : 0;
  const int64_t line = spec->line_bytes;
  const int64_t lines = spec->cores * (kept_lines(spec->l1_model, spec->l1_bytes, line) + uniform / line) +
                        kept_lines(spec->l2_model, spec->l2_bytes, line);
  if (lines <= limit)
    return 0;
  return error_at(error, ERROR_INPUT, "", 0, 0, "l1_bytes",
                  "found %lld cache lines in all (cores x l1_bytes + l2_bytes, by line_bytes), allowed at most %lld",
                  (long long)lines, (long long)limit);
}

int gpu_spec_check(const struct gpu_spec *spec, struct error *error) {
  if (spec->line_bytes % 4 != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "line_bytes", "found %lld, expected a multiple of 4",
                    (long long)spec->line_bytes);
  if (check_cache("l1_bytes", spec->l1_model, spec->l1_bytes, spec->l1_ways, spec->line_bytes, spec->l1_index_hash,
                  error) ||
      check_cache("l2_bytes", spec->l2_model, spec->l2_bytes, spec->l2_ways, spec->line_bytes, spec->l2_index_hash,
                  error))
    return -1;
  if (spec->dram_banks > 0 && spec->dram_row_bytes < spec->line_bytes)
    return error_at(error, ERROR_INPUT, "", 0, 0, "dram_row_bytes", "found %lld, expected at least line_bytes: %lld",
                    (long long)spec->dram_row_bytes, (long long)spec->line_bytes);
  if (spec->uniform_loads != UNIFORM_OFF && spec->uniform_cache_bytes % spec->line_bytes != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "uniform_cache_bytes",
                    "%lld bytes are no whole number of lines of %lld bytes (line_bytes)",
                    (long long)spec->uniform_cache_bytes, (long long)spec->line_bytes);
  if (spec->instruction_cache_bytes % spec->instruction_line_bytes != 0)
    return error_at(error, ERROR_INPUT, "", 0, 0, "instruction_cache_bytes",
                    "%lld bytes are no whole number of lines of %lld bytes (instruction_line_bytes)",
                    (long long)spec->instruction_cache_bytes, (long long)spec->instruction_line_bytes);
  return check_all_lines(spec, error);
}
