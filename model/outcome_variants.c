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
  sizes->others = calloc(v->l2_count + 1u, sizeof *sizes->others);
  const bool room = sizes->variants && sizes->others && sizes->held_by && lines;
  for (uint32_t i = 1; i < v->l2_count && room; i++)
    if (is_sized(v, i, l1))
      insert_by_size(v, sizes, i);
    else if (v->l2[i].l1 == l1)
      sizes->others[sizes->other_count++] = i;
  for (uint32_t i = 0; i < sizes->count; i++)
    lines[i] = v->l2[sizes->variants[i]].geometry.lines;
  if (room && sizes->count > 0)
    sizes->levels = lru_levels_create(lines, sizes->count);
  free(lines);
  return room && (sizes->count == 0 || sizes->levels);
}

static bool is_sized_l1(const struct outcome_variants *v, uint32_t l1) {
  return l1 > 0 && v->l1[l1].enabled && v->l1[l1].model == CACHE_REUSE_DISTANCE;
}

static bool make_l1_sizes(struct outcome_variants *v) {
  struct l1_sizes *sizes = &v->l1_sizes;
  uint32_t *lines = calloc(v->l1_count + 1u, sizeof *lines);
  sizes->variants = calloc(v->l1_count + 1u, sizeof *sizes->variants);
  sizes->levels = calloc(v->cores, sizeof(struct lru_levels *));
  bool done = lines && sizes->variants && sizes->levels;
  for (uint32_t i = 1; i < v->l1_count && done; i++)
    if (is_sized_l1(v, i)) {
      uint32_t at = sizes->count++;
      for (; at > 0 && lines[at - 1] > v->l1[i].lines; at--) {
        lines[at] = lines[at - 1];
        sizes->variants[at] = sizes->variants[at - 1];
      }
      lines[at] = v->l1[i].lines;
      sizes->variants[at] = i;
    }
  for (uint32_t core = 0; core < v->cores && done && sizes->count > 0; core++)
    done = (sizes->levels[core] = lru_levels_create(lines, sizes->count));
  free(lines);
  return done;
}

static bool make_caches(struct outcome_variants *v) {
  bool done = make_l1_sizes(v);
  for (uint32_t core = 0; core < v->cores; core++)
    for (uint32_t i = 1; i < v->l1_count && done; i++)
      done = is_sized_l1(v, i) || make_cache(&v->l1[i], &v->l1_caches[core * v->l1_count + i]);
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
  v->held_by = calloc(access_lines, sizeof *v->held_by);
  if (done && v->l1_caches && v->l2_caches && v->l2_sizes && v->sorted && v->missed && v->held_by && make_caches(v))
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
    free(v->l2_sizes[i].others);
    free(v->l2_sizes[i].held_by);
  }
  for (uint32_t core = 0; core < v->cores && v->l1_sizes.levels; core++)
    lru_levels_destroy(v->l1_sizes.levels[core]);
  free(v->l1_sizes.levels);
  free(v->l1_sizes.variants);
  free(v->held_by);
  free(v->l1_caches);
  free(v->l2_caches);
  free(v->l2_sizes);
  free(v->sorted);
  free(v->missed);
  v->l1_caches = v->l2_caches = NULL;
  v->l2_sizes = NULL;
  v->l1_sizes = (struct l1_sizes){0};
  v->held_by = NULL;
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
  struct l2_sizes *sizes = &v->l2_sizes[l1];
  if (sizes->levels)
    pass_sizes(sizes, lines, count, misses);
  for (uint32_t i = 0; i < sizes->other_count; i++)
    misses[sizes->others[i]] = (uint16_t)pass_l2(v->l2_caches[sizes->others[i]], lines, count);
}

/* One L1's misses, and what follows from them. Returns whether there are any. */
static bool note_misses(struct outcome_variants *v, uint32_t l1, const struct own_outcome *own, const uint32_t *lines,
                        uint32_t count, bool any, uint16_t *misses) {
  if (count == 0)
    return any;
  if (!any)
    memset(misses, 0, (v->l1_count + v->l2_count) * sizeof *misses);
  misses[l1] = own->op_class == OP_LOAD ? (uint16_t)count : 0;
  pass_l2s(v, l1, lines, count, misses + v->l1_count);
  return true;
}

/* The smallest of l1_sizes that holds each line; returns the largest of these. */
static uint32_t pass_l1_sizes(struct outcome_variants *v, uint32_t core, const struct own_outcome *own) {
  struct lru_levels *levels = v->l1_sizes.levels[core];
  uint32_t most = 0;
  for (uint32_t k = 0; k < own->transactions; k++) {
    uint32_t size = v->l1_sizes.count;
    if (own->op_class == OP_LOAD)
      size = lru_levels_access(levels, v->sorted[k]);
    else if (own->op_class == OP_STORE)
      lru_levels_touch(levels, v->sorted[k]);
    v->held_by[k] = size;
    most = size > most ? size : most;
  }
  return most;
}

static bool pass_all_l1_sizes(struct outcome_variants *v, uint32_t core, const struct own_outcome *own, bool any,
                              uint16_t *misses) {
  const uint32_t missing = pass_l1_sizes(v, core, own); /* so many of the sizes lack a line */
  for (uint32_t s = 0; s < missing; s++) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < own->transactions; k++)
      if (v->held_by[k] > s)
        v->missed[count++] = v->sorted[k];
    any = note_misses(v, v->l1_sizes.variants[s], own, v->missed, count, any, misses);
  }
  return any;
}

bool outcome_variants_access(struct outcome_variants *v, uint32_t core, const struct own_outcome *own,
                             uint16_t *misses) {
  bool any = note_misses(v, 0, own, own->lines, own->to_l2, false, misses);
  if (v->l1_count > 1)
    sort_lines(v, own);
  if (v->l1_sizes.count > 0)
    any = pass_all_l1_sizes(v, core, own, any, misses);
  for (uint32_t i = 1; i < v->l1_count && v->l1_sizes.count + 1 < v->l1_count; i++)
    if (!is_sized_l1(v, i))
      any = note_misses(v, i, own, v->missed, pass_l1(v, core, i, own), any, misses);
  if (any)
    misses[v->l1_count] = (uint16_t)own->l2_missed;
  return any;
}
