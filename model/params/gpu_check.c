/* Checks the relations between the parameters of a GPU. */
#include "model/params/gpu.h"

/* A simulated line costs tens of bytes: 2^25 lines are one or two gigabytes of the host's memory, and 2 GiB of modelled
 * cache with lines of 64 bytes. */
#define MOST_LINES (INT64_C(1) << 25)

#define REFUSE(error, key, ...) error_at(error, ERROR_INPUT, "", 0, 0, key, __VA_ARGS__)

static int check_multiple(const char *key, int64_t bytes, const char *line_key, int64_t line, struct error *error) {
  if (bytes % line == 0)
    return 0;
  return REFUSE(error, key, "%lld bytes are not a multiple of %s: %lld", (long long)bytes, line_key, (long long)line);
}

static int check_at_least_a_line(const char *key, int64_t bytes, int64_t line, struct error *error) {
  if (bytes >= line)
    return 0;
  return REFUSE(error, key, "found %lld, expected at least line_bytes: %lld", (long long)bytes, (long long)line);
}

/* The parameters of L1 or L2. */
struct level {
  const char *bytes_key, *name; /* name: "l1", "l2" */
  int64_t bytes, ways;
  int placement;
  bool hash;
};

static const char *placement_name(int placement) {
#define NAME(constant, name, meaning) #name,
  static const char *const names[] = {CACHE_PLACEMENTS(NAME)};
  return names[placement];
}

static int check_sets(const struct level *level, int64_t lines, struct error *error) {
  if (level->placement == CACHE_REUSE_DISTANCE)
    return 0;
  if (lines % level->ways != 0)
    return REFUSE(error, level->bytes_key, "%lld lines are not a multiple of %s_ways: %lld, which %s_model: %s needs",
                  (long long)lines, level->name, (long long)level->ways, level->name, placement_name(level->placement));
  const int64_t sets = lines / level->ways;
  if (level->placement == CACHE_EXACT_SETS && level->hash && (sets & (sets - 1)) != 0)
    return REFUSE(error, level->bytes_key,
                  "%lld sets are not a power of two, which %s_index_hash needs: change the size or the ways, or turn "
                  "the hash off",
                  (long long)sets, level->name);
  return 0;
}

static int check_level(const struct level *level, int64_t line, struct error *error) {
  if (level->bytes < line)
    return REFUSE(error, level->bytes_key,
                  "found %lld, expected at least line_bytes: %lld (a cache holds one line or more; %s_enabled: false "
                  "turns it off)",
                  (long long)level->bytes, (long long)line, level->name);
  if (check_multiple(level->bytes_key, level->bytes, "line_bytes", line, error))
    return -1;
  return check_sets(level, level->bytes / line, error);
}

/* Returns how many lines a cache keeps. binomial_sets keeps up to five times as many as it has
 * (model/cache/binomial_sets.c: P < 1/128). */
static int64_t kept_lines(int placement, int64_t bytes, int64_t line) {
  return bytes / line * (placement == CACHE_BINOMIAL_SETS ? 5 : 1);
}

static int check_all_lines(const struct gpu_spec *spec, struct error *error) {
  const int64_t uniform = spec->uniform_loads != UNIFORM_OFF ? spec->uniform_cache_bytes : 0;
  const int64_t line = spec->line_bytes;
  const int64_t graphics = spec->texture_cache_bytes + spec->depth_cache_bytes + spec->vertex_cache_bytes;
  const int64_t lines = spec->cores * (kept_lines(spec->l1_model, spec->l1_bytes, line) + (uniform + graphics) / line) +
                        kept_lines(spec->l2_model, spec->l2_bytes, line);
  if (lines <= MOST_LINES)
    return 0;
  return REFUSE(error, "l1_bytes",
                "found %lld cache lines in all (cores x l1_bytes + l2_bytes, by line_bytes), allowed at most %lld",
                (long long)lines, (long long)MOST_LINES);
}

/* Checks that a line is a power of two of pieces, so that the line of a piece is found by a shift. */
static int check_pieces(const struct gpu_spec *spec, struct error *error) {
  const int64_t piece = spec->access_piece_bytes, pieces = piece ? spec->line_bytes / piece : 1;
  if (piece == 0 || (piece >= 4 && spec->line_bytes % piece == 0 && (pieces & (pieces - 1)) == 0))
    return 0;
  return REFUSE(error, "access_piece_bytes",
                "found %lld, expected 0, or 4 or more that are the whole, a half, a quarter, an eighth ... of "
                "line_bytes: %lld",
                (long long)piece, (long long)spec->line_bytes);
}

static int check_levels(const struct gpu_spec *spec, struct error *error) {
  const struct level levels[] = {
      {"l1_bytes", "l1", spec->l1_bytes, spec->l1_ways, spec->l1_model, spec->l1_index_hash},
      {"l2_bytes", "l2", spec->l2_bytes, spec->l2_ways, spec->l2_model, spec->l2_index_hash}};
  const int64_t tag = spec->line_bytes * spec->tag_lines;
  return check_level(&levels[0], tag, error) || check_level(&levels[1], tag, error) ? -1 : 0;
}

/* Checks lines that share a tag or are written in part. */
static int check_tags(const struct gpu_spec *spec, struct error *error) {
  if ((spec->tag_lines & (spec->tag_lines - 1)) != 0)
    return REFUSE(error, "tag_lines", "found %lld, expected a power of two", (long long)spec->tag_lines);
  if (spec->partial_writes && spec->line_bytes > 32)
    return REFUSE(error, "line_bytes", "found %lld, expected at most 32 with partial_writes: use tag_lines",
                  (long long)spec->line_bytes);
  return 0;
}

/* Checks that caches beside L1 hold whole sets. */
static int check_graphics_caches(const struct gpu_spec *spec, struct error *error) {
  const struct {
    const char *key;
    int64_t bytes, ways;
  } caches[] = {{"texture_cache_bytes", spec->texture_cache_bytes, spec->texture_cache_ways},
                {"depth_cache_bytes", spec->depth_cache_bytes, spec->depth_cache_ways},
                {"vertex_cache_bytes", spec->vertex_cache_bytes, spec->vertex_cache_ways}};
  for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
    const int64_t set = spec->line_bytes * (caches[i].ways ? caches[i].ways : 1);
    if (caches[i].bytes % set != 0)
      return REFUSE(error, caches[i].key, "found %lld, expected a multiple of line_bytes and the ways: %lld",
                    (long long)caches[i].bytes, (long long)set);
  }
  return 0;
}

/* Checks an L1 that shares a memory with the scratchpad, so that its size depends on the kernel. */
static int check_unified(const struct gpu_spec *spec, struct error *error) {
  const int64_t all = spec->scratchpad_l1_bytes, ways = spec->l1_model == CACHE_REUSE_DISTANCE ? 1 : spec->l1_ways;
  const int64_t least = spec->scratchpad_bytes + ways * spec->line_bytes * spec->tag_lines;
  if (all == 0 || spec->local_memory != LOCAL_SCRATCHPAD)
    return 0;
  if (spec->scratchpad_bytes == 0 || all < least)
    return REFUSE(error, "scratchpad_l1_bytes",
                  "found %lld, expected at least scratchpad_bytes (not 0) and a line for each way of L1: %lld",
                  (long long)all, (long long)least);
  if (spec->scratchpad_least_bytes > spec->scratchpad_bytes)
    return REFUSE(error, "scratchpad_least_bytes", "found %lld, expected at most scratchpad_bytes: %lld",
                  (long long)spec->scratchpad_least_bytes, (long long)spec->scratchpad_bytes);
  return 0;
}

int gpu_spec_check(const struct gpu_spec *spec, struct error *error) {
  if (spec->line_bytes % 4 != 0)
    return REFUSE(error, "line_bytes", "found %lld, expected a multiple of 4", (long long)spec->line_bytes);
  if (check_tags(spec, error) || check_levels(spec, error) || check_pieces(spec, error) || check_unified(spec, error) ||
      check_graphics_caches(spec, error) ||
      (spec->dram_banks > 0 &&
       check_at_least_a_line("dram_row_bytes", spec->dram_row_bytes, spec->line_bytes, error)) ||
      (spec->uniform_loads != UNIFORM_OFF &&
       check_multiple("uniform_cache_bytes", spec->uniform_cache_bytes, "line_bytes", spec->line_bytes, error)) ||
      check_multiple("instruction_cache_bytes", spec->instruction_cache_bytes, "instruction_line_bytes",
                     spec->instruction_line_bytes, error))
    return -1;
  return check_all_lines(spec, error);
}

/* This is checked only for files: a sweep may lower threads_per_core alone, and the work-groups of its kernels then
 * decide (model/warp/occupancy.h). */
int gpu_device_check(const struct gpu_spec *spec, struct error *error) {
  if (spec->max_work_group <= spec->threads_per_core)
    return 0;
  return REFUSE(error, "threads_per_core",
                "found %lld, expected at least max_work_group: %lld (a core holds a work-group or more)",
                (long long)spec->threads_per_core, (long long)spec->max_work_group);
}
