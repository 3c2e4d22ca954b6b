/* Where running work-items write their block ids and addresses: one pair of buffers for each item that can be alive.
 *
 * The buffers are reserved address space that becomes memory when it is first written: a write behind the usable part
 * faults, and the handler of SIGSEGV makes more usable. So generated code never checks for room. All buffers together
 * may take `limit` bytes, of which some MiB stay in memory and the others spill (base/spill.h).
 * Ownership: recording_create maps, recording_destroy unmaps. Threads: one thread creates and destroys all recordings
 * of the process; each is used by one thread at a time, between recording_enter and recording_leave. */
#ifndef TRACEGEN_RUN_RECORDING_H
#define TRACEGEN_RUN_RECORDING_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Why the running work-item cannot go on. */
enum recording_end {
  RECORDING_GOES_ON,
  RECORDING_FULL,   /* the limit is reached */
  RECORDING_STOPPED /* recording_stop */
};

/* Called by the signal handler, on its own stack. `end` says why, and `next` is where the id of the block that is just
 * entered would have gone; RECORDING_GOES_ON: a fault outside of the recording, at address `next`. Must not return. */
typedef void recording_fault(void *user, enum recording_end end, uint32_t item, const void *next);

struct recording {
  char *memory;
  uint64_t stride; /* bytes from one item's pair to the next */
  uint64_t block_bytes, address_bytes;
  uint64_t committed, limit;
  uint64_t spilled; /* of what is committed */
  uint32_t items;
  _Atomic(enum recording_end) end; /* the thread that stops it is another one */
  recording_fault *fault;
  void *user;
  void *handler_stack;
  stack_t stack_before;   /* the thread's, for handlers */
  struct recording *next; /* of the process */
};

int recording_create(struct recording *r, uint32_t items, uint64_t limit, recording_fault *fault, void *user,
                     struct error *error);
void recording_destroy(struct recording *r);
/* Nothing of what was recorded is needed any more: gives back what has spilled. */
void recording_trim(struct recording *r);
/* From here on, until it leaves, this thread's faults are the recording's. */
void recording_enter(struct recording *r);
void recording_leave(struct recording *r);
/* Ends the items that run, or the next that do, when they enter their next blocks, in all recordings. For handlers of
 * signals that come between recording_start and the end of the first recording. */
void recording_stop(void);
void recording_start(void);

static inline uint16_t *recording_blocks(const struct recording *r, uint32_t item) {
  return (uint16_t *)(void *)(r->memory + item * r->stride);
}
static inline uint32_t *recording_addresses(const struct recording *r, uint32_t item) {
  return (uint32_t *)(void *)(r->memory + item * r->stride + r->block_bytes);
}

#endif
