/* The reference replay's translation of addresses: TLBs are caches of pages. */
#ifndef SUPPORT_REFERENCE_TRANSLATION_H
#define SUPPORT_REFERENCE_TRANSLATION_H

#include "reference_gpu.h"

static inline void reference_tlbs_make(struct reference_gpu *g) {
  const struct gpu_spec *spec = g->spec;
  for (uint32_t c = 0; c < spec->cores && spec->tlb_entries; c++)
    reference_cache_make(&g->cores[c].tlb, true, CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, spec->tlb_entries, 1, 1, false);
  for (uint32_t c = 0; c < spec->cores && spec->lsu_tlb_entries; c++)
    reference_cache_make(&g->cores[c].lsu_tlb, true, CACHE_REUSE_DISTANCE, spec->lsu_tlb_replacement,
                         spec->lsu_tlb_entries, 1, 1, false);
  if (spec->tlb_entries && spec->l2_tlb_entries)
    reference_cache_make(&g->l2_tlb, true, CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, spec->l2_tlb_entries, 1, 1, false);
}

static inline void reference_tlbs_clear(struct reference_gpu *g) {
  for (uint32_t c = 0; c < g->spec->cores; c++) {
    reference_cache_clear(&g->cores[c].tlb);
    reference_cache_clear(&g->cores[c].lsu_tlb);
  }
  reference_cache_clear(&g->l2_tlb);
}

/* Returns the ticks for which the translation of a line blocks the load/store unit. */
static inline uint64_t reference_translate_in_unit(struct reference_gpu *g, struct reference_core *core,
                                                   uint64_t line) {
  if (g->spec->lsu_tlb_entries == 0)
    return 0;
  g->result->tlb_accesses++;
  if (reference_cache_use(&core->lsu_tlb, line * (uint64_t)g->spec->line_bytes / (uint64_t)g->spec->page_bytes, true))
    return 0;
  g->result->tlb_misses++;
  return reference_ticks(g->spec->lsu_tlb_miss_cycles);
}

/* Returns the ticks of the translation of a line that goes on to L2. */
static inline uint64_t reference_translate(struct reference_gpu *g, struct reference_core *core, uint64_t line) {
  const uint64_t page = line * (uint64_t)g->spec->line_bytes / (uint64_t)g->spec->page_bytes;
  uint64_t ticks = 0;
  if (g->spec->tlb_entries == 0)
    return 0;
  g->result->tlb_accesses++;
  if (!reference_cache_use(&core->tlb, page, true)) {
    g->result->tlb_misses++;
    ticks += reference_ticks(g->spec->l2_tlb_cycles);
    if (!reference_cache_use(&g->l2_tlb, page, true)) {
      g->result->page_walks++;
      ticks += reference_ticks(g->spec->page_walk_cycles);
    }
  }
  return ticks;
}

/* Returns the ticks for all lines of an access that go on to L2, then for those that it fetches into L1. */
static inline uint64_t reference_translate_all(struct reference_gpu *g, struct reference_core *core,
                                               const uint64_t *lines, const bool *behind, uint32_t n,
                                               const struct reference_carried *carried) {
  uint64_t ticks = 0;
  for (uint32_t i = 0; i < n; i++)
    ticks += behind[i] ? reference_translate(g, core, lines[i]) : 0;
  for (uint32_t i = 0; i < carried->fetched.count; i++)
    ticks += reference_translate(g, core, carried->fetched.line[i]);
  return ticks;
}

#endif
