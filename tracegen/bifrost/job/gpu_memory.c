#include "tracegen/bifrost/bifrost_dispatch.h"

/* Returns how many regions begin at `address` or below it. */
static size_t regions_below(const struct bifrost_memory *memory, uint64_t address) {
  size_t low = 0, high = memory->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (memory->regions[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const struct bifrost_region *bifrost_memory_region(const struct bifrost_memory *memory, uint64_t address,
                                                   uint64_t bytes) {
  const size_t below = regions_below(memory, address);
  const struct bifrost_region *region;
  if (!below)
    return NULL;
  region = &memory->regions[below - 1];
  return bytes <= region->bytes && address - region->address <= region->bytes - bytes ? region : NULL;
}

uint8_t *bifrost_memory_at(const struct bifrost_memory *memory, uint64_t address, uint64_t bytes) {
  const struct bifrost_region *region = bifrost_memory_region(memory, address, bytes);
  return region ? region->data + (address - region->address) : NULL;
}
