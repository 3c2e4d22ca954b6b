/* Translation of addresses: a TLB per core and, behind them, one that all cores share and a walk of the page table.
 *
 * L1 is addressed virtually, so that only lines that go on to L2 are translated, those of stores included; dirty lines
 * that L1 pushes out keep the address that they were fetched by. Each line looks its page up in the core's TLB; a page
 * that is not there costs l2_tlb_cycles, and page_walk_cycles more where the shared TLB does not have it either. An
 * access waits for its translations one after another, and a store does not wait. Both TLBs are fully associative with
 * LRU replacement and fetch what they miss. Translations take no place in the queues on the way to L2.
 * Units: times are ticks. Ownership: tlb_init allocates, tlb_clear frees. Errors: false when out of memory.
 * Cost: O(1) expected per line. Threads: one at a time, in the order in which accesses reach L2.
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
  struct cache *shared; /* NULL: there is none */
  uint64_t line_bytes, page_bytes;
  uint64_t shared_ticks, walk_ticks;
};

bool tlb_init(struct tlb *tlb, const struct gpu_spec *spec);
void tlb_clear(struct tlb *tlb);
/* Translates lines of a core's access in order and counts what they look up. Returns the ticks that this takes. */
uint64_t tlb_translate(struct tlb *tlb, uint32_t core, const uint32_t *lines, uint32_t line_count,
                       struct sim_counters *counters);

#endif
