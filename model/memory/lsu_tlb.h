/* The TLB of a core's load/store unit, by which an access is translated before it looks up L1.
 *
 * The lines of an access look up their pages in the order of its transactions. For each page that the TLB does not
 * hold, the unit is blocked for lsu_tlb_miss_cycles, so that misses follow one another and no later access passes them.
 * The TLB is fully associative and fetches the pages that it misses; the next level is assumed to hold every page. It
 * is separate from the TLB behind L1 (model/memory/tlb.h): a Mali-T860 counts the hits and misses of both. tlb.accesses
 * and tlb.misses count both.
 * Units: ticks. Ownership: lsu_tlbs_init allocates, lsu_tlbs_clear frees. Errors: false when out of memory. Cost: O(1)
 * expected for each line. Threads: one for each core.
 * Sources: Mesa, src/gallium/drivers/panfrost/pan_perfcnt.c, counters LS_TLB_HIT, LS_TLB_MISS and AXI_TLB_MISS of the
 * shader core of the Mali-T86x; Pichai, Hsu and Bhattacharjee, "Architectural support for address translation on GPUs",
 * ASPLOS 2014 (a TLB in front of L1 whose misses block). */
#ifndef MODEL_LSU_TLB_H
#define MODEL_LSU_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cache/cache.h"
#include "model/params/gpu.h"
#include "model/result/counters.h"

struct lsu_tlbs {
  struct cache **cores; /* [core_count], NULL: load/store units have no TLB */
  uint32_t core_count;
  uint64_t line_bytes, page_bytes, miss_ticks;
};

bool lsu_tlbs_init(struct lsu_tlbs *tlbs, const struct gpu_spec *spec);
void lsu_tlbs_clear(struct lsu_tlbs *tlbs);
/* Translates lines of a core's access in order and counts the look-ups. Returns the ticks for which the unit is
 * blocked. */
uint64_t lsu_tlbs_translate(struct lsu_tlbs *tlbs, uint32_t core, const uint32_t *lines, uint32_t line_count,
                            struct sim_counters *counters);

#endif
