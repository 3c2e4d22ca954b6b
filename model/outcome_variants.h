/* Hits and misses of many caches in one replay: caches of other sizes that watch the accesses of a replay go by.
 *
 * Purpose: one exact replay records the outcomes of its accesses not only for its own caches but for all that a sweep
 *          wants. Those are looked up in the order of the one replay, which other caches would change a little: an
 *          approximation. The replay's own caches are variant 0; their outcomes are its own.
 * Shapes: a GPU's L1 is one of `l1_count` geometries; its L2, behind that L1, one of `l2_count`. Misses of an access:
 *         l1_count counts of lines that miss L1 (loads only), then l2_count counts that miss L2.
 * Source: one pass for many cache sizes is due to Mattson et al., "Evaluation techniques for storage hierarchies", IBM
 *         Systems Journal 9(2), 1970. Ownership: outcome_variants_clear frees. Cost: O(lines x geometries) an access.
 */
#ifndef MODEL_OUTCOME_VARIANTS_H
#define MODEL_OUTCOME_VARIANTS_H

#include "base/error.h"
#include "model/cache.h"
#include "model/gpu.h"
#include "model/lru_levels.h"
#include "trace/code.h"

struct cache_geometry {
  bool enabled, hash;
  int model;
  uint32_t lines, ways;
};

struct l2_variant {
  uint32_t l1; /* the geometry in front of it */
  struct cache_geometry geometry;
};

/* The fully associative L1s of a core, but for the replay's own. */
struct l1_sizes {
  uint32_t count;
  uint32_t *variants;         /* [count]: which, the smallest first */
  struct lru_levels **levels; /* [cores] */
};

/* The L2s behind one L1, but for the replay's own: the fully associative ones share one look-up. */
struct l2_sizes {
  struct lru_levels *levels; /* NULL: none */
  uint32_t count;
  uint32_t *variants; /* [count]: which, the smallest first */
  uint32_t *others;   /* the other L2s behind this L1, with caches of their own */
  uint32_t other_count;
  uint32_t *held_by; /* [count + 1]: lines of the access at hand by the smallest size that held them */
};

struct outcome_variants {
  uint32_t l1_count, l2_count, cores;
  struct cache_geometry *l1;
  struct l2_variant *l2;
  struct cache **l1_caches; /* [cores][l1_count]; NULL: the replay's own, disabled, or one of l1_sizes */
  struct l1_sizes l1_sizes;
  struct cache **l2_caches;  /* [l2_count]; NULL: the replay's own, disabled, or one of l2_sizes */
  struct l2_sizes *l2_sizes; /* [l1_count] */
  uint32_t *sorted;          /* [access_lines]: the lines of an access, ascending */
  uint32_t *held_by;         /* [access_lines]: smallest of l1_sizes that held a line of the access at hand */
  uint32_t *missed;          /* [access_lines]: those on their way to L2 */
};

/* What one access was for the replay's own caches. */
struct own_outcome {
  enum trace_op_class op_class;
  const uint32_t *lines; /* [transactions]; the first l1_missed missed L1, or go to L2 in any case */
  uint32_t transactions, to_l2, l2_missed;
};

/* The caches of specs[0] are the replay's own. All have the same lines. */
int outcome_variants_init(struct outcome_variants *variants, const struct gpu_spec *specs, size_t count,
                          uint32_t access_lines, struct error *error);
/* The replay is over: frees the caches; which geometries there were stays. */
void outcome_variants_stop(struct outcome_variants *variants);
void outcome_variants_clear(struct outcome_variants *variants);
/* Which geometries a GPU has; false: they were not watched. */
bool outcome_variants_find(const struct outcome_variants *variants, const struct gpu_spec *spec, uint32_t *l1,
                           uint32_t *l2);
/* misses: [l1_count + l2_count]. In the order of the replay. False: nothing misses; `misses` was not written. */
bool outcome_variants_access(struct outcome_variants *variants, uint32_t core, const struct own_outcome *own,
                             uint16_t *misses);

#endif
