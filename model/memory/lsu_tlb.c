#include "model/memory/lsu_tlb.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

bool lsu_tlbs_init(struct lsu_tlbs *tlbs, const struct gpu_spec *spec) {
  const uint32_t entries = (uint32_t)spec->lsu_tlb_entries;
  *tlbs = (struct lsu_tlbs){.core_count = (uint32_t)spec->cores,
                            .line_bytes = (uint64_t)spec->line_bytes,
                            .page_bytes = (uint64_t)spec->page_bytes,
                            .miss_ticks = cycles_to_ticks(spec->lsu_tlb_miss_cycles)};
  if (entries == 0)
    return true;
  bool done = (tlbs->cores = calloc(tlbs->core_count, sizeof *tlbs->cores));
  for (uint32_t i = 0; i < tlbs->core_count && done; i++)
    done = (tlbs->cores[i] = cache_create(CACHE_REUSE_DISTANCE, spec->lsu_tlb_replacement, entries, entries, false));
  return done;
}

void lsu_tlbs_clear(struct lsu_tlbs *tlbs) {
  for (uint32_t i = 0; i < tlbs->core_count && tlbs->cores; i++)
    cache_destroy(tlbs->cores[i]);
  free(tlbs->cores);
  *tlbs = (struct lsu_tlbs){0};
}

uint64_t lsu_tlbs_translate(struct lsu_tlbs *tlbs, uint32_t core, const uint32_t *lines, uint32_t line_count,
                            struct sim_counters *counters) {
  uint64_t misses = 0;
  for (uint32_t i = 0; i < line_count; i++)
    misses += !cache_access(tlbs->cores[core], (uint32_t)(lines[i] * tlbs->line_bytes / tlbs->page_bytes));
  counters->tlb_accesses += line_count;
  counters->tlb_misses += misses;
  return misses * tlbs->miss_ticks;
}
