#include "model/retime/watch/cache_watch_variants.h"

#include <stdlib.h>

static struct cache_geometry l1_of(const struct gpu_spec *spec) {
  return (struct cache_geometry){spec->l1_enabled, spec->l1_index_hash, spec->l1_model,
                                 (uint32_t)(spec->l1_bytes / spec->line_bytes), (uint32_t)spec->l1_ways};
}

static struct cache_geometry l2_of(const struct gpu_spec *spec) {
  return (struct cache_geometry){spec->l2_enabled, spec->l2_index_hash, spec->l2_model,
                                 (uint32_t)(spec->l2_bytes / spec->line_bytes), (uint32_t)spec->l2_ways};
}

/* Returns whether two caches hit alike. Only sets have ways and a hash, and a disabled cache has neither. */
static bool same_geometry(const struct cache_geometry *a, const struct cache_geometry *b) {
  if (!a->enabled || !b->enabled)
    return a->enabled == b->enabled;
  if (a->model != b->model || a->lines != b->lines)
    return false;
  return a->model == CACHE_REUSE_DISTANCE || (a->ways == b->ways && a->hash == b->hash);
}

static uint32_t find_l1(const struct cache_watch_variants *v, const struct cache_geometry *geometry) {
  uint32_t i = 0;
  while (i < v->l1_count && !same_geometry(&v->l1[i], geometry))
    i++;
  return i;
}

static uint32_t find_l2(const struct cache_watch_variants *v, uint32_t l1, const struct cache_geometry *geometry) {
  uint32_t i = 0;
  while (i < v->l2_count && (v->l2[i].l1 != l1 || !same_geometry(&v->l2[i].geometry, geometry)))
    i++;
  return i;
}

bool cache_watch_variants_find(const struct cache_watch_variants *v, const struct gpu_spec *spec, uint32_t *l1,
                               uint32_t *l2) {
  const struct cache_geometry first = l1_of(spec), second = l2_of(spec);
  *l1 = find_l1(v, &first);
  *l2 = *l1 < v->l1_count ? find_l2(v, *l1, &second) : v->l2_count;
  return *l2 < v->l2_count;
}

static void add(struct cache_watch_variants *v, const struct gpu_spec *spec) {
  const struct cache_geometry first = l1_of(spec), second = l2_of(spec);
  const uint32_t l1 = find_l1(v, &first);
  if (l1 == v->l1_count)
    v->l1[v->l1_count++] = first;
  if (find_l2(v, l1, &second) == v->l2_count)
    v->l2[v->l2_count++] = (struct l2_variant){l1, second};
}

bool cache_geometry_create(const struct cache_geometry *g, struct cache **out) {
  *out = g->enabled ? cache_create((enum cache_placement)g->model, REPLACEMENT_LRU, g->lines, g->ways, g->hash) : NULL;
  return !g->enabled || *out;
}

int cache_watch_variants_init(struct cache_watch_variants *v, const struct gpu_spec *specs, size_t count,
                              struct error *error) {
  *v = (struct cache_watch_variants){.l1 = calloc(count, sizeof *v->l1), .l2 = calloc(count, sizeof *v->l2)};
  if (!v->l1 || !v->l2) {
    cache_watch_variants_clear(v);
    return error_set(error, ERROR_WORK, "out of memory for the caches that watch a replay");
  }
  for (size_t i = 0; i < count; i++)
    add(v, &specs[i]);
  return 0;
}

void cache_watch_variants_clear(struct cache_watch_variants *v) {
  free(v->l1);
  free(v->l2);
  *v = (struct cache_watch_variants){0};
}
