/* The buffers into which running work-items write block ids and addresses: one pair for each slot (group_run.h).
 *
 * A buffer is reserved address space that becomes memory when it is first written: a write after the usable part
 * faults, and the handler of SIGSEGV makes more usable. So generated code never checks for room. All buffers together
 * may take `limit` bytes, of which some MiB stay in memory and the others spill (base/spill.h). What an earlier
 * recording left, at most 1/128 of the limit, does not count.
 * Ownership: recording_create maps; recording_destroy unmaps, or keeps what is little for the next recording of the
 * same form. Threads: several may create at the same time; one destroys, while none creates; each recording is used by
 * one thread at a time, between recording_enter and recording_leave. */
#ifndef TRACEGEN_RUN_GROUP_RECORDING_H
#define TRACEGEN_RUN_GROUP_RECORDING_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Why a work-item that runs cannot go on. */
enum recording_end {
  RECORDING_GOES_ON,
  RECORDING_FULL,   /* the limit is reached */
  RECORDING_STOPPED /* recording_stop */
};

/* Called by the signal handler, on a stack of its own; must not return. `next` is where the id of the block that is
 * entered would have gone. With RECORDING_GOES_ON the fault is outside of the recording, at address `next`. */
typedef void recording_fault(void *user, enum recording_end end, uint32_t item, const void *next);

struct recording {
  char *memory;
  uint64_t stride; /* bytes from one item's pair to the next */
  uint64_t block_bytes, address_bytes;
  uint64_t committed, limit;
  uint64_t spilled;   /* of what is committed */
  uint64_t inherited; /* of what is committed: from an earlier recording. The limit does not count it */
  uint32_t items;
  _Atomic(enum recording_end) end; /* another thread may stop it */
  recording_fault *fault;
  void *user;
  void *handler_stack;
  stack_t stack_before;   /* the thread's stack for handlers before recording_enter */
  struct recording *next; /* in the process' list */
};

int recording_create(struct recording *r, uint32_t items, uint64_t limit, recording_fault *fault, void *user,
                     struct error *error);
void recording_destroy(struct recording *r);
/* Frees what has spilled, when nothing that was recorded is needed. */
void recording_trim(struct recording *r);
/* Until recording_leave, page faults of this thread are the recording's. */
void recording_enter(struct recording *r);
void recording_leave(struct recording *r);
/* Stops the work-items that run, or the next ones that do, in all recordings, when they enter their next blocks. For
 * signal handlers, between recording_start and the end of the first recording. */
void recording_stop(void);
void recording_start(void);

#define PAGE_COLOURS 64 /* lines of 64 bytes in a page of 4 KiB */
/* Returns the offset in bytes at which a work-item's recording begins in its first page. With equal offsets the
 * recordings of all work-items, whose memory starts on pages, would compete for one set of the processor's L1. */
static inline uint32_t page_colour(uint32_t item) {
  return item % PAGE_COLOURS * 64;
}

static inline uint16_t *recording_blocks(const struct recording *r, uint32_t item) {
  return (uint16_t *)(void *)(r->memory + item * r->stride + page_colour(item));
}
static inline uint32_t *recording_addresses(const struct recording *r, uint32_t item) {
  return (uint32_t *)(void *)(r->memory + item * r->stride + r->block_bytes + page_colour(item + PAGE_COLOURS / 2));
}

#endif
