#include "model/memory/tlb.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

static struct cache *pages(int64_t entries) {
  return cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, (uint32_t)entries, (uint32_t)entries, false);
}

bool tlb_init(struct tlb *tlb, const struct gpu_spec *spec) {
  *tlb = (struct tlb){.on = spec->tlb_entries > 0,
                      .core_count = (uint32_t)spec->cores,
                      .line_bytes = (uint64_t)spec->line_bytes,
                      .page_bytes = (uint64_t)spec->page_bytes,
                      .shared_ticks = cycles_to_ticks(spec->l2_tlb_cycles),
                      .walk_ticks = cycles_to_ticks(spec->page_walk_cycles)};
  if (!tlb->on)
    return true;
  bool done = (tlb->cores = calloc(tlb->core_count, sizeof *tlb->cores));
  for (uint32_t i = 0; i < tlb->core_count && done; i++)
    done = (tlb->cores[i] = pages(spec->tlb_entries));
  return done && (spec->l2_tlb_entries == 0 || (tlb->shared = pages(spec->l2_tlb_entries)));
}

void tlb_clear(struct tlb *tlb) {
  for (uint32_t i = 0; i < tlb->core_count && tlb->cores; i++)
    cache_destroy(tlb->cores[i]);
  free(tlb->cores);
  cache_destroy(tlb->shared);
  *tlb = (struct tlb){0};
}

static uint64_t translate_page(struct tlb *tlb, uint32_t core, uint32_t page, struct sim_counters *counters) {
  counters->tlb_accesses++;
  if (cache_access(tlb->cores[core], page))
    return 0;
  counters->tlb_misses++;
  if (tlb->shared && cache_access(tlb->shared, page))
    return tlb->shared_ticks;
  counters->page_walks++;
  return tlb->shared_ticks + tlb->walk_ticks;
}

uint64_t tlb_translate(struct tlb *tlb, uint32_t core, const uint32_t *lines, uint32_t line_count,
                       struct sim_counters *counters) {
  uint64_t ticks = 0;
  for (uint32_t i = 0; i < line_count; i++)
    ticks += translate_page(tlb, core, (uint32_t)(lines[i] * tlb->line_bytes / tlb->page_bytes), counters);
  return ticks;
}
