/* Where running work-items write their block ids and addresses: one pair of buffers for each item that can be alive.
 *
 * The buffers are reserved address space that becomes memory when it is first written: a write behind the usable part
 * faults, and the handler of SIGSEGV makes more usable. So generated code never checks for room. All buffers together
 * may take `limit` bytes.
 * Ownership: recording_create maps, recording_destroy unmaps. Threads: one recording a process (the signal handler). */
#ifndef TRACEGEN_RECORDING_H
#define TRACEGEN_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct recording {
  char *memory;
  uint64_t stride; /* bytes from one item's pair to the next */
  uint64_t block_bytes, address_bytes;
  uint64_t committed, limit;
  uint32_t items;
};

/* Called by the signal handler, on its own stack, when a write faults: `full` when the limit is reached, else for an
 * address that is none of the recording's. Must not return. */
typedef void recording_fault(int full, const void *address);

int recording_create(struct recording *r, uint32_t items, uint64_t limit, recording_fault *fault, struct error *error);
void recording_destroy(struct recording *r);

static inline uint16_t *recording_blocks(const struct recording *r, uint32_t item) {
  return (uint16_t *)(void *)(r->memory + item * r->stride);
}
static inline uint32_t *recording_addresses(const struct recording *r, uint32_t item) {
  return (uint32_t *)(void *)(r->memory + item * r->stride + r->block_bytes);
}

#endif
