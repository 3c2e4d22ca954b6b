#include "model/outcome_variants.h"

#include <stdlib.h>
#include <string.h>

static struct cache_geometry l1_of(const struct gpu_spec *spec) {
  return (struct cache_geometry){spec->l1_enabled, spec->l1_index_hash, spec->l1_model,
                                 (uint32_t)(spec->l1_bytes / spec->line_bytes), (uint32_t)spec->l1_ways};
}

static struct cache_geometry l2_of(const struct gpu_spec *spec) {
  return (struct cache_geometry){spec->l2_enabled, spec->l2_index_hash, spec->l2_model,
                                 (uint32_t)(spec->l2_bytes / spec->line_bytes), (uint32_t)spec->l2_ways};
}

/* Do they hit alike? Ways and hash are of sets only, and a cache that is off has neither. */
static bool same_geometry(const struct cache_geometry *a, const struct cache_geometry *b) {
  if (!a->enabled || !b->enabled)
    return a->enabled == b->enabled;
  if (a->model != b->model || a->lines != b->lines)
    return false;
  return a->model == CACHE_REUSE_DISTANCE || (a->ways == b->ways && a->hash == b->hash);
}

static uint32_t find_l1(const struct outcome_variants *v, const struct cache_geometry *geometry) {
  uint32_t i = 0;
  while (i < v->l1_count && !same_geometry(&v->l1[i], geometry))
    i++;
  return i;
}

static uint32_t find_l2(const struct outcome_variants *v, uint32_t l1, const struct cache_geometry *geometry) {
  uint32_t i = 0;
  while (i < v->l2_count && (v->l2[i].l1 != l1 || !same_geometry(&v->l2[i].geometry, geometry)))
    i++;
  return i;
}

bool outcome_variants_find(const struct outcome_variants *v, const struct gpu_spec *spec, uint32_t *l1, uint32_t *l2) {
  const struct cache_geometry first = l1_of(spec), second = l2_of(spec);
  *l1 = find_l1(v, &first);
  *l2 = *l1 < v->l1_count ? find_l2(v, *l1, &second) : v->l2_count;
  return *l2 < v->l2_count;
}

static void add(struct outcome_variants *v, const struct gpu_spec *spec) {
  const struct cache_geometry first = l1_of(spec), second = l2_of(spec);
  const uint32_t l1 = find_l1(v, &first);
  if (l1 == v->l1_count)
    v->l1[v->l1_count++] = first;
  if (find_l2(v, l1, &second) == v->l2_count)
    v->l2[v->l2_count++] = (struct l2_variant){l1, second};
}

static bool make_cache(const struct cache_geometry *g, struct cache **out) {
  if (g->enabled)
    *out = cache_create((enum cache_model)g->model, g->lines, g->ways, g->hash);
  return !g->enabled || *out;
}

static bool is_sized(const struct outcome_variants *v, uint32_t l2, uint32_t l1) {
  const struct l2_variant *variant = &v->l2[l2];
  return l2 > 0 && variant->l1 == l1 && variant->geometry.enabled && variant->geometry.model == CACHE_REUSE_DISTANCE;
}

static void insert_by_size(const struct outcome_variants *v, struct l2_sizes *sizes, uint32_t l2) {
  uint32_t at = sizes->count++;
  for (; at > 0 && v->l2[sizes->variants[at - 1]].geometry.lines > v->l2[l2].geometry.lines; at--)
    sizes->variants[at] = sizes->variants[at - 1];
  sizes->variants[at] = l2;
}

static bool make_sizes(struct outcome_variants *v, uint32_t l1) {
  struct l2_sizes *sizes = &v->l2_sizes[l1];
  sizes->variants = calloc(v->l2_count + 1u, sizeof *sizes->variants);
  sizes->held_by = calloc(v->l2_count + 1u, sizeof *sizes->held_by);
  uint32_t *lines = calloc(v->l2_count + 1u, sizeof *lines);
  const bool room = sizes->variants && sizes->held_by && lines;
  for (uint32_t i = 1; i < v->l2_count && room; i++)
    if (is_sized(v, i, l1))
      insert_by_size(v, sizes, i);
  for (uint32_t i = 0; i < sizes->count; i++)
    lines[i] = v->l2[sizes->variants[i]].geometry.lines;
  if (room && sizes->count > 0)
    sizes->levels = lru_levels_create(lines, sizes->count);
  free(lines);
  return room && (sizes->count == 0 || sizes->levels);
}

static bool make_caches(struct outcome_variants *v) {
  bool done = true;
  for (uint32_t core = 0; core < v->cores; core++)
    for (uint32_t i = 1; i < v->l1_count && done; i++)
      done = make_cache(&v->l1[i], &v->l1_caches[core * v->l1_count + i]);
  for (uint32_t i = 0; i < v->l1_count && done; i++)
    done = make_sizes(v, i);
  for (uint32_t i = 1; i < v->l2_count && done; i++)
    if (!is_sized(v, i, v->l2[i].l1))
      done = make_cache(&v->l2[i].geometry, &v->l2_caches[i]);
  return done;
}

int outcome_variants_init(struct outcome_variants *v, const struct gpu_spec *specs, size_t count, uint32_t access_lines,
                          struct error *error) {
  *v = (struct outcome_variants){.cores = (uint32_t)specs[0].cores};
  v->l1 = calloc(count, sizeof *v->l1);
  v->l2 = calloc(count, sizeof *v->l2);
  bool done = v->l1 && v->l2;
  for (size_t i = 0; i < count && done; i++)
    add(v, &specs[i]);
  v->l1_caches = calloc((size_t)v->cores * v->l1_count + 1, sizeof(struct cache *));
  v->l2_caches = calloc(v->l2_count + 1u, sizeof(struct cache *));
  v->l2_sizes = calloc(v->l1_count + 1u, sizeof *v->l2_sizes);
  v->sorted = calloc(access_lines, sizeof *v->sorted);
  v->missed = calloc(access_lines, sizeof *v->missed);
  if (done && v->l1_caches && v->l2_caches && v->l2_sizes && v->sorted && v->missed && make_caches(v))
    return 0;
  outcome_variants_clear(v);
  return error_set(error, ERROR_WORK, "out of memory for the caches that watch a replay");
}

void outcome_variants_stop(struct outcome_variants *v) {
  for (uint32_t i = 0; i < v->cores * v->l1_count && v->l1_caches; i++)
    cache_destroy(v->l1_caches[i]);
  for (uint32_t i = 0; i < v->l2_count && v->l2_caches; i++)
    cache_destroy(v->l2_caches[i]);
  for (uint32_t i = 0; i < v->l1_count && v->l2_sizes; i++) {
    lru_levels_destroy(v->l2_sizes[i].levels);
    free(v->l2_sizes[i].variants);
    free(v->l2_sizes[i].held_by);
  }
  free(v->l1_caches);
  free(v->l2_caches);
  free(v->l2_sizes);
  free(v->sorted);
  free(v->missed);
  v->l1_caches = v->l2_caches = NULL;
  v->l2_sizes = NULL;
  v->sorted = v->missed = NULL;
}

void outcome_variants_clear(struct outcome_variants *v) {
  outcome_variants_stop(v);
  free(v->l1);
  free(v->l2);
  *v = (struct outcome_variants){0};
}

/* Looks up L1 `i` of a core; the lines that go on to L2 are then in v->missed. Returns their number. */
static uint32_t pass_l1(struct outcome_variants *v, uint32_t core, uint32_t i, const struct own_outcome *own) {
  struct cache *l1 = v->l1_caches[core * v->l1_count + i];
  uint32_t missed = 0;
  for (uint32_t k = 0; k < own->transactions; k++) {
    const uint32_t line = v->sorted[k];
    bool hit = false;
    if (own->op_class == OP_LOAD)
      hit = l1 && cache_access(l1, line);
    else if (own->op_class == OP_STORE && l1)
      cache_touch(l1, line);
    if (!hit)
      v->missed[missed++] = line;
  }
  return missed;
}

static uint32_t pass_l2(struct cache *l2, const uint32_t *lines, uint32_t count) {
  uint32_t missed = 0;
  for (uint32_t k = 0; k < count; k++)
    missed += !l2 || !cache_access(l2, lines[k]);
  return missed;
}

/* misses: by L2 variant. */
static void pass_sizes(struct l2_sizes *sizes, const uint32_t *lines, uint32_t count, uint16_t *misses) {
  uint32_t missed = count;
  for (uint32_t i = 0; i <= sizes->count; i++)
    sizes->held_by[i] = 0;
  for (uint32_t k = 0; k < count; k++)
    sizes->held_by[lru_levels_access(sizes->levels, lines[k])]++;
  for (uint32_t i = 0; i < sizes->count; i++) {
    missed -= sizes->held_by[i];
    misses[sizes->variants[i]] = (uint16_t)missed;
  }
}

/* As they were looked up, before those that missed were brought to the front. */
static void sort_lines(struct outcome_variants *v, const struct own_outcome *own) {
  for (uint32_t k = 0; k < own->transactions; k++) {
    uint32_t at = k;
    for (; at > 0 && v->sorted[at - 1] > own->lines[k]; at--)
      v->sorted[at] = v->sorted[at - 1];
    v->sorted[at] = own->lines[k];
  }
}

/* Lines that go on to L2 behind L1 `l1`. */
static void pass_l2s(struct outcome_variants *v, uint32_t l1, const uint32_t *lines, uint32_t count, uint16_t *misses) {
  if (v->l2_sizes[l1].levels && count > 0)
    pass_sizes(&v->l2_sizes[l1], lines, count, misses);
  for (uint32_t i = 1; i < v->l2_count; i++)
    if (v->l2[i].l1 == l1 && (count == 0 || !is_sized(v, i, l1)))
      misses[i] = (uint16_t)pass_l2(v->l2_caches[i], lines, count);
}

void outcome_variants_access(struct outcome_variants *v, uint32_t core, const struct own_outcome *own,
                             uint16_t *misses) {
  if (v->l1_count > 1)
    sort_lines(v, own);
  for (uint32_t i = 0; i < v->l1_count; i++) {
    const uint32_t *lines = i == 0 ? own->lines : v->missed;
    const uint32_t count = i == 0 ? own->to_l2 : pass_l1(v, core, i, own);
    misses[i] = own->op_class == OP_LOAD ? (uint16_t)count : 0;
    pass_l2s(v, i, lines, count, misses + v->l1_count);
  }
  misses[v->l1_count] = (uint16_t)own->l2_missed;
}
