/* Translation of addresses: a TLB in each core and, behind them, one that all cores share and a walk of the page table.
 *
 * L1 is addressed virtually, so that only lines that go on to L2 are translated, including those of stores; dirty lines
 * that L1 evicts keep the address by which they were fetched. Each line looks up its page in the core's TLB; a miss
 * costs l2_tlb_cycles, and page_walk_cycles more if the shared TLB misses as well. An access waits for its translations
 * one after another, and a store does not wait. Both TLBs are fully associative with LRU replacement and fetch the
 * pages that they miss. Translations take no place in the queues on the way to L2.
 * Units: times are ticks. Ownership: tlb_init allocates, tlb_clear frees. Errors: false when out of memory. Cost: O(1)
 * expected for each line. Threads: one at a time, in the order in which accesses reach L2.
 * Source: Power, Hill and Wood, "Supporting x86-64 address translation for 100s of GPU lanes", HPCA 2014 (a TLB per
 * core, a shared one, walks); Yoon, Lowe-Power and Sohi, "Filtering translation bandwidth with virtual caching", ASPLOS
 * 2018 (L1 in front of translation). */
#ifndef MODEL_TLB_H
#define MODEL_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cache/cache.h"
#include "model/params/gpu.h"
#include "model/result/counters.h"

struct tlb {
  bool on;
  struct cache **cores; /* [core_count] */
  uint32_t core_count;
  struct cache *shared; /* NULL: the GPU has no shared TLB */
  uint64_t line_bytes, page_bytes;
  uint64_t shared_ticks, walk_ticks;
};

bool tlb_init(struct tlb *tlb, const struct gpu_spec *spec);
void tlb_clear(struct tlb *tlb);
/* Translates lines of a core's access in order and counts the look-ups. Returns the ticks that this takes. */
uint64_t tlb_translate(struct tlb *tlb, uint32_t core, const uint32_t *lines, uint32_t line_count,
                       struct sim_counters *counters);

#endif
