/* Caches of a core for what graphics reads, beside L1: texels, depths and vertices.
 *
 * Each has a size (0: there is none, and its accesses go through L1) and ways (0: a line may be anywhere); lines are
 * those of L1, replacement is LRU. A load that misses goes on to L2 as one that misses L1, with the same latencies and
 * the core's MSHRs. A store refreshes a line that the cache holds and goes on to L2. What an access reads is said by
 * the name of its operation in the code table (docs/trace-format.md): a function that reads an image, so that images of
 * OpenCL kernels have the texture cache too; "depth"; "vertex". Such an access takes no port beside the load/store
 * unit.
 * Neighbours may share a texture cache, without a limit to its ports.
 * Ownership: init allocates, clear frees. Errors: false when out of memory. Cost: that of the cache for each line.
 * Threads: one at a time for each core, and one at all where cores share. Source: Gubran and Aamodt, "Emerald", ISCA
 * 2019, table 2 (L1T, L1Z, L1C). */
#ifndef MODEL_GRAPHICS_CACHES_H
#define MODEL_GRAPHICS_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cache/cache.h"
#include "model/params/gpu.h"
#include "trace/code.h"

#define GRAPHICS_CACHES(X) X(texture) X(depth) X(vertex)

enum graphics_cache {
  GRAPHICS_none,
#define X(kind) GRAPHICS_##kind,
  GRAPHICS_CACHES(X)
#undef X
      GRAPHICS_KINDS
};

struct graphics_caches {
  struct cache **of[GRAPHICS_KINDS]; /* [cores], of which `sharers` have the same one; NULL: there is none */
  uint32_t cores, sharers[GRAPHICS_KINDS];
  uint8_t *of_op; /* enum graphics_cache by operation of the code; NULL: no operation uses one */
};

/* Sets the sizes of the caches that no operation of a launch uses to 0, which changes nothing but what they cost. */
void graphics_caches_leave_out(const struct trace_code *code, struct gpu_spec *spec);
bool graphics_caches_init(struct graphics_caches *caches, const struct gpu_spec *spec);
/* Returns whether cores share one: then they use it in the order of (time, core), as they do L2. */
bool graphics_caches_are_shared(const struct gpu_spec *spec);
/* Finds out which operations of a launch use which cache. Returns false when out of memory. */
bool graphics_caches_choose(struct graphics_caches *caches, const struct trace_code *code);
void graphics_caches_clear(struct graphics_caches *caches);

#endif
