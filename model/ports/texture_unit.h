/* The texture unit of a core: reads of images that it delivers in a cycle.
 *
 * A read of an image loads its texels one after the other: one, or the two, four or eight of a linear filter. In the
 * code of a block they are the loads with the name of a function that reads images, up to the call of the next read,
 * which is an operation of that name and of class `math`. The unit delivers up to four texels of a work-item as one
 * sample, and `texels_per_cycle` samples a cycle, so that each load of a warp holds the load/store unit for at least
 * its share of the samples of all of the warp's work-items, however few lines they are. Work-items that are switched
 * off count, because the unit serves whole quads. Later accesses of the core wait behind it, those that read no image
 * too.
 * Units: ticks. Ownership: choose allocates, clear frees. Errors: false when out of memory. Cost: choose is linear in
 * the code, else O(1). Threads: any after choose.
 * Source: Arm, "Mali GPU Datasheet" (2021), texels a clock; Arm, "The Midgard shader core", performance expectations (a
 * bilinear sample a clock, a trilinear one every two). */
#ifndef MODEL_TEXTURE_UNIT_H
#define MODEL_TEXTURE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/params/gpu.h"
#include "trace/code.h"

struct texture_unit {
  uint32_t *item_ticks; /* by operation: ticks for each work-item, 0: it reads no image; NULL: no limit, or none does */
};

/* Turns the limit off where no operation reads an image, which changes nothing but what it costs. */
void texture_unit_leave_out(const struct trace_code *code, struct gpu_spec *spec);
bool texture_unit_choose(struct texture_unit *unit, const struct gpu_spec *spec, const struct trace_code *code);
void texture_unit_clear(struct texture_unit *unit);

static inline uint32_t texture_unit_item_ticks(const struct texture_unit *unit, uint32_t op) {
  return unit->item_ticks ? unit->item_ticks[op] : 0;
}

/* Returns for how long a load of `items` work-items holds the load/store unit beyond `held`, which its transactions
 * take. */
static inline uint64_t texture_unit_more(uint32_t item_ticks, uint32_t items, uint64_t held) {
  const uint64_t all = (uint64_t)item_ticks * items;
  return all > held ? all - held : 0;
}

#endif
