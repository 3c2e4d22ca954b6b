#include "model/retime/retime_queues.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

bool timing_lsu_init(struct timing_lsu *lsu, const struct gpu_spec *spec, uint32_t accesses) {
  uint32_t ring = 1;
  while (ring < accesses)
    ring *= 2;
  *lsu = (struct timing_lsu){.transaction_ticks = ticks_per(1, spec->lsu_transactions_per_cycle),
                             .link_ticks = ticks_per(spec->line_bytes, spec->l1_l2_bytes_per_cycle),
                             .ring = calloc(ring, sizeof *lsu->ring),
                             .mask = ring - 1};
  return lsu->ring;
}

void timing_lsu_clear(struct timing_lsu *lsu) {
  free(lsu->ring);
  *lsu = (struct timing_lsu){0};
}

void timing_lsu_push(struct timing_lsu *lsu, uint32_t age, uint16_t event, uint64_t now) {
  lsu->ring[(lsu->head + lsu->count++) & lsu->mask] = (struct queued_access){.age = age, .event = event, .issued = now};
}

static void time_head(struct timing_lsu *lsu, struct queued_access *head, uint32_t transactions, uint32_t to_l2) {
  const uint64_t leaves = later(head->issued, lsu->free) + (transactions - 1) * lsu->transaction_ticks;
  head->arrives = leaves;
  if (to_l2 > 0) {
    head->arrives = later(leaves, lsu->link_free) + (to_l2 - 1) * lsu->link_ticks;
    lsu->link_free = head->arrives + lsu->link_ticks;
  }
  lsu->free = later(leaves + lsu->transaction_ticks, head->arrives);
  head->timed = true;
}

struct queued_access *timing_lsu_head(struct timing_lsu *lsu, const uint32_t *transactions, const uint32_t *to_l2) {
  struct queued_access *head = &lsu->ring[lsu->head & lsu->mask];
  if (lsu->count == 0)
    return NULL;
  if (!head->timed)
    time_head(lsu, head, transactions[head->event], to_l2[head->event]);
  return head;
}

void timing_lsu_pop(struct timing_lsu *lsu) {
  lsu->head++;
  lsu->count--;
}

bool timing_slices_init(struct timing_slices *l2, const struct gpu_spec *spec) {
  const uint32_t count = (uint32_t)spec->l2_slices;
  *l2 = (struct timing_slices){.slices = calloc(count, sizeof *l2->slices),
                               .count = count,
                               .line_ticks = ticks_per(spec->line_bytes, spec->l2_bytes_per_cycle / count),
                               .dram_line_ticks = ticks_per(spec->line_bytes, spec->dram_bytes_per_cycle / count)};
  return l2->slices;
}

void timing_slices_clear(struct timing_slices *l2) {
  free(l2->slices);
  *l2 = (struct timing_slices){0};
}

uint64_t timing_slices_serve(struct timing_slices *l2, uint32_t lines, uint32_t missed, uint64_t time) {
  uint64_t wait = 0;
  for (uint32_t i = 0; i < lines; i++) {
    struct timing_slice *slice = &l2->slices[l2->next];
    uint64_t begins = later(time, slice->free);
    l2->next = l2->next + 1 < l2->count ? l2->next + 1 : 0;
    slice->free = begins + l2->line_ticks;
    if (i < missed) {
      begins = later(begins, slice->dram_free);
      slice->dram_free = begins + l2->dram_line_ticks;
    }
    wait = later(wait, begins - time);
  }
  return wait;
}
