#include "model/memory/l2_slice.h"

#include <stdlib.h>

#include "model/result/cycle_stack.h"

bool l2_slices_init(struct l2_slices *l2, const struct gpu_spec *spec) {
  uint32_t slices = (uint32_t)spec->l2_slices;
  *l2 = (struct l2_slices){
      .slices = calloc(slices, sizeof *l2->slices),
      .count = slices,
      .mask = (slices & (slices - 1)) == 0 ? slices - 1 : 0,
      .mshrs = mshrs_limit(spec->l2_mshrs, spec->merge_misses),
      .banks = (uint32_t)spec->dram_banks,
      .lines_per_row = (uint32_t)(spec->dram_row_bytes / spec->line_bytes),
      .tag_shift = (uint32_t)__builtin_ctz((unsigned)spec->tag_lines),
      .tag_ticks = ticks_per(spec->line_bytes * spec->tag_lines, spec->l2_bytes_per_cycle / slices),
      .dram_tag_ticks = ticks_per(spec->line_bytes * spec->tag_lines, spec->dram_bytes_per_cycle / slices),
      .line_ticks = ticks_per(spec->line_bytes, spec->l2_bytes_per_cycle / slices),
      .dram_line_ticks = ticks_per(spec->line_bytes, spec->dram_bytes_per_cycle / slices),
      .row_miss_ticks = cycles_to_ticks(spec->dram_row_miss_cycles),
      .atomic_ticks = ticks_per(1, spec->l2_atomics_per_cycle),
      .round_ticks = ticks_per(1, spec->l2_atomic_rounds_per_cycle),
      .units_free = calloc((size_t)spec->l2_atomic_units + 1, sizeof *l2->units_free),
      .units = (uint32_t)spec->l2_atomic_units,
      .line_bytes = (uint32_t)spec->line_bytes,
      .unit_bytes = (uint32_t)spec->l2_atomic_unit_bytes};
  bool done = l2->slices && l2->units_free;
  for (uint32_t i = 0; i < slices && done; i++) {
    l2->slices[i].open_rows = calloc(l2->banks + 1u, sizeof *l2->slices[i].open_rows);
    done = (l2->mshrs == 0 || mshr_file_init(&l2->slices[i].mshr_file, l2->tag_shift)) && l2->slices[i].open_rows;
  }
  return done;
}

void l2_slices_clear(struct l2_slices *l2) {
  for (uint32_t i = 0; i < l2->count && l2->slices; i++) {
    mshr_file_clear(&l2->slices[i].mshr_file);
    free(l2->slices[i].open_rows);
  }
  free(l2->slices);
  free(l2->units_free);
}

bool l2_slices_lost_fetches(const struct l2_slices *l2) {
  bool lost = false;
  for (uint32_t i = 0; i < l2->count; i++)
    lost |= l2->slices[i].mshr_file.no_memory;
  return lost;
}

static struct l2_slice *slice_of(const struct l2_slices *l2, uint32_t line) {
  return &l2->slices[l2->mask || l2->count == 1 ? line & l2->mask : line % l2->count];
}

/* Returns the part of the ticks of a tag that `times` lines take, from the line on. */
static uint64_t part_of(const struct l2_slices *l2, uint64_t tag_ticks, uint32_t line, uint32_t times) {
  const uint32_t number = line & ((1u << l2->tag_shift) - 1);
  return ((number + times) * tag_ticks >> l2->tag_shift) - (number * tag_ticks >> l2->tag_shift);
}

/* Opens the DRAM row of a line; rows lie one after another over the banks of a slice. Returns the ticks that this
 * adds. */
static uint64_t open_row(const struct l2_slices *l2, struct l2_slice *slice, uint32_t line) {
  if (l2->banks == 0)
    return 0;
  uint32_t row = line / l2->count / l2->lines_per_row;
  uint32_t *open = &slice->open_rows[row % l2->banks];
  bool same = *open == row / l2->banks + 1;
  *open = row / l2->banks + 1;
  return same ? 0 : l2->row_miss_ticks;
}

static void fetch(struct l2_slices *l2, struct l2_slice *slice, uint32_t line, uint64_t dram_ticks, uint32_t mshrs,
                  struct l2_service *service) {
  const uint64_t arrived = service->begins;
  if (mshrs) {
    service->begins = ticks_later(service->begins, mshr_file_free_at(&slice->mshr_file, mshrs, 1));
    slice->free = ticks_later(slice->free, service->begins);
    l2->waited.l2_mshr += service->begins - arrived;
    mshr_file_release(&slice->mshr_file, service->begins);
  }
  const uint64_t free = service->begins;
  service->begins = ticks_later(service->begins, slice->dram_free);
  l2->waited.dram += service->begins - free;
  slice->dram_free = service->begins + part_of(l2, l2->dram_tag_ticks, line, 1);
  service->row = open_row(l2, slice, line);
  if (mshrs)
    mshr_file_add(&slice->mshr_file, line, service->begins + dram_ticks + service->row);
}

static struct l2_service serve(struct l2_slices *l2, uint32_t line, uint32_t times, uint64_t time, uint64_t dram_ticks,
                               uint32_t mshrs, bool *hit) {
  struct l2_slice *slice = slice_of(l2, line);
  struct l2_service service = {.begins = ticks_later(time, slice->free)};
  if (mshrs) {
    mshr_file_release(&slice->mshr_file, service.begins);
    service.merged = mshr_file_find(&slice->mshr_file, line);
  }
  slice->free = service.begins;
  l2->waited.l2 += service.begins - time;
  *hit |= service.merged > 0;
  if (!*hit)
    fetch(l2, slice, line, dram_ticks, mshrs, &service);
  slice->free += part_of(l2, l2->tag_ticks, line, times);
  return service;
}

struct l2_service l2_serve(struct l2_slices *l2, uint32_t line, uint32_t times, uint64_t time, uint64_t dram_ticks,
                           bool *hit) {
  return serve(l2, line, times, time, dram_ticks, l2->mshrs, hit);
}

void l2_take_rates(struct l2_slices *l2, uint32_t line, uint64_t time, uint64_t dram_ticks, bool hit) {
  serve(l2, line, 1, time, dram_ticks, l2_limits_misses(l2) ? l2->mshrs : 0, &hit);
}

void l2_take_rates_of_hits(struct l2_slices *l2, uint32_t lines, uint64_t time) {
  struct l2_slice *slice = &l2->slices[0];
  const uint64_t begins = ticks_later(time, slice->free), ticks = part_of(l2, l2->tag_ticks, 0, 1), many = lines;
  l2->waited.l2 += many * (begins - time) + ticks * (many * (many - 1) / 2);
  slice->free = begins + many * ticks;
}

void l2_note_fetches(struct l2_slices *l2, uint32_t tag, uint32_t lines, uint64_t comes) {
  if (l2->count == 1) {
    mshr_file_add_lines(&l2->slices[0].mshr_file, tag, lines, comes);
    return;
  }
  for (uint32_t i = 0; lines >> i; i++)
    if (lines >> i & 1)
      mshr_file_add(&slice_of(l2, (tag << l2->tag_shift) + i)->mshr_file, (tag << l2->tag_shift) + i, comes);
}

uint64_t l2_write_to_memory(struct l2_slices *l2, uint32_t line, uint64_t time) {
  struct l2_slice *slice = slice_of(l2, line);
  uint64_t begins = ticks_later(time, slice->dram_free);
  slice->dram_free = begins + part_of(l2, l2->dram_tag_ticks, line, 1);
  open_row(l2, slice, line);
  return begins;
}

/* Returns the time at which the slice or unit that executes a line's atomics is free. */
static uint64_t *atomics_free(const struct l2_slices *l2, uint32_t line) {
  if (l2->units == 0)
    return &slice_of(l2, line)->atomics_free;
  const uint64_t piece = (uint64_t)line * l2->line_bytes / l2->unit_bytes;
  return &l2->units_free[(piece * UINT64_C(0x9e3779b97f4a7c15) >> 32) % l2->units];
}

uint64_t l2_execute(struct l2_slices *l2, uint32_t line, uint32_t operations, uint32_t rounds, uint64_t time) {
  uint64_t *const is_free = atomics_free(l2, line);
  if (operations == 0)
    return time;
  uint64_t begins = ticks_later(time, *is_free);
  *is_free = begins + ticks_later(operations * l2->atomic_ticks, rounds * l2->round_ticks);
  return begins + ticks_later((operations - 1) * l2->atomic_ticks, (rounds - 1) * l2->round_ticks);
}
