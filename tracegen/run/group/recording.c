#include "tracegen/run/group/recording.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/spill.h"

#define RESERVED      (UINT64_C(1) << 37) /* address space for all items together */
#define GAP           (UINT64_C(1) << 20) /* between buffers: an overrun never reaches the next one */
#define FIRST_COMMIT  (UINT64_C(1) << 14)
#define HANDLER_STACK 65536
#define PAGE          4096u
#define PLAIN_BYTES   (UINT64_C(32) << 20) /* of a recording that stay in memory; more bytes spill */
#define LEAST_SPILLED (UINT64_C(64) << 10)
#define SPARE_SHARE   128 /* of the limit: more is not kept for the next recording */

static _Atomic(struct recording *) all; /* recordings of the process */
static struct recording spare;          /* the memory of one that has ended: its pages need no first touch */
static atomic_bool has_spare;           /* whoever sets it to false owns the spare */
static atomic_bool stopped;
static _Thread_local struct recording *active;

/* Returns the bytes of a piece that spills. The last pieces of all buffers together take about as much memory as what
 * stays there. */
static uint64_t spilled_piece(const struct recording *r) {
  const uint64_t share = PLAIN_BYTES / 2 / r->items / LEAST_SPILLED * LEAST_SPILLED;
  return share > LEAST_SPILLED ? share : LEAST_SPILLED;
}

/* Maps a part of the file there or, where that is not possible, memory. */
static int make_usable(struct recording *r, char *at, uint64_t bytes, bool in_file) {
  if (in_file && spill_map(at, bytes)) {
    r->spilled += bytes;
    return 0;
  }
  return mprotect(at, bytes, PROT_READ | PROT_WRITE);
}

/* Doubles the usable part of the buffer that `offset` lies in, or adds a piece. Returns 0 when that is not possible. */
static int grow(struct recording *r, uint64_t offset) {
  const uint64_t in_item = offset % r->stride, piece = spilled_piece(r);
  const uint64_t start = offset - in_item + (in_item < r->block_bytes ? 0 : r->block_bytes);
  const uint64_t room = (in_item < r->block_bytes ? r->block_bytes : r->address_bytes) - GAP;
  const uint64_t used = (offset - start) & ~UINT64_C(4095);
  uint64_t more = used < FIRST_COMMIT ? FIRST_COMMIT : used;
  if (used >= room)
    return 0;
  const bool in_file = more >= LEAST_SPILLED && r->committed + more > PLAIN_BYTES;
  if (in_file && more > piece)
    more = piece;
  if (more > room - used)
    more = room - used;
  if (r->committed - r->inherited + more > r->limit || make_usable(r, r->memory + start + used, more, in_file))
    return 0;
  r->committed += more;
  return 1;
}

/* Makes the buffers read-only, so that a work-item faults at its next block. Addresses become writable again where they
 * fault, so that it gets there. */
static void end_recording(struct recording *r, enum recording_end end) {
  r->end = end;
  mprotect(r->memory, r->items * r->stride, PROT_READ);
}

void recording_stop(void) {
  stopped = true;
  for (struct recording *r = all; r; r = r->next)
    if (r->end == RECORDING_GOES_ON)
      end_recording(r, RECORDING_STOPPED);
}

void recording_start(void) {
  stopped = false;
}

static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  struct recording *r = active;
  if (!r) { /* no work-item runs: the fault comes again and ends the process */
    signal(number, SIG_DFL);
    return;
  }
  char *at = info->si_addr;
  const uint64_t offset = (uint64_t)(at - r->memory);
  if (offset >= r->items * r->stride) {
    r->fault(r->user, RECORDING_GOES_ON, 0, at);
    return;
  }
  if (r->end == RECORDING_GOES_ON && grow(r, offset))
    return;
  if (r->end == RECORDING_GOES_ON)
    end_recording(r, RECORDING_FULL);
  const bool block = offset % r->stride < r->block_bytes;
  if (block || mprotect(at - (uintptr_t)at % 4096, FIRST_COMMIT, PROT_READ | PROT_WRITE))
    r->fault(r->user, r->end, (uint32_t)(offset / r->stride), block ? at : NULL);
}

static int install_handler(struct error *error) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, NULL) || sigaction(SIGBUS, &action, NULL))
    return error_set(error, ERROR_WORK, "cannot handle page faults: %s", strerror(errno));
  return 0;
}

static void add(struct recording *r) {
  struct recording *first = all;
  do
    r->next = first;
  while (!atomic_compare_exchange_weak(&all, &first, r));
  if (stopped) /* before it was in the list */
    end_recording(r, RECORDING_STOPPED);
}

static void take_away(const struct recording *r) {
  struct recording *before = all;
  if (before == r) {
    all = r->next;
    return;
  }
  while (before && before->next != r)
    before = before->next;
  if (before)
    before->next = r->next;
}

void recording_trim(struct recording *r) {
  if (r->spilled == 0)
    return;
  spill_unmap(r->memory, r->items * r->stride);
  r->committed -= r->spilled;
  r->spilled = 0;
}

/* Takes over the memory of a recording that has ended, where it has the same form. Returns whether it does. */
static bool take_spare(struct recording *r) {
  if (!atomic_exchange(&has_spare, false))
    return false;
  const struct recording kept = spare;
  const bool fits = kept.items == r->items && kept.stride == r->stride && kept.limit == r->limit;
  if (fits) {
    r->memory = kept.memory;
    r->committed = r->inherited = kept.committed;
  } else {
    munmap(kept.memory, kept.items * kept.stride);
  }
  return fits;
}

/* Keeps the memory for the next recording, where it may be written to and is little: the limit of a process's memory
 * counts it. Returns whether it is kept. */
static bool keep_as_spare(const struct recording *r) {
  if (has_spare || r->end != RECORDING_GOES_ON || r->committed > PLAIN_BYTES || r->committed > r->limit / SPARE_SHARE)
    return false;
  spare.memory = r->memory;
  spare.items = r->items;
  spare.stride = r->stride;
  spare.limit = r->limit;
  spare.committed = r->committed;
  has_spare = true;
  return true;
}

int recording_create(struct recording *r, uint32_t items, uint64_t limit, recording_fault *fault, void *user,
                     struct error *error) {
  uint64_t unit = RESERVED / items / 3;
  const uint64_t most = limit > (UINT64_C(1) << 32) ? limit : UINT64_C(1) << 32;
  if (unit > most)
    unit = most;
  unit = unit / GAP * GAP + GAP;
  *r = (struct recording){.block_bytes = unit,
                          .address_bytes = 2 * unit,
                          .stride = 3 * unit + PAGE,
                          .limit = limit,
                          .items = items,
                          .fault = fault,
                          .user = user,
                          .handler_stack = malloc(HANDLER_STACK)};
  if (!take_spare(r))
    r->memory = mmap(NULL, items * r->stride, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (r->memory == MAP_FAILED)
    r->memory = NULL;
  if (!r->memory || !r->handler_stack)
    return error_set(error, ERROR_WORK,
                     "cannot reserve address space for recording: %s; does a limit (ulimit -v) forbid it?",
                     strerror(errno));
  add(r);
  return install_handler(error);
}

void recording_destroy(struct recording *r) {
  take_away(r);
  recording_trim(r);
  if (r->memory && !keep_as_spare(r))
    munmap(r->memory, r->items * r->stride);
  free(r->handler_stack);
  r->memory = NULL;
  r->handler_stack = NULL;
}

void recording_enter(struct recording *r) {
  const stack_t stack = {.ss_sp = r->handler_stack, .ss_size = HANDLER_STACK};
  active = r;
  sigaltstack(&stack, &r->stack_before); /* cannot fail: HANDLER_STACK is more than the least size of any system */
}

void recording_leave(struct recording *r) {
  sigaltstack(&r->stack_before, NULL);
  active = NULL;
}
