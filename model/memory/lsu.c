#include "model/memory/lsu.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool lsu_init(struct lsu *lsu, const struct gpu_spec *spec) {
  const uint64_t ticks = ticks_per(1, spec->lsu_transactions_per_cycle);
  const bool shares = memory_pipe_is_shared(spec);
  *lsu = (struct lsu){.overlapped = spec->access_latency == ACCESS_LATENCY_LONGEST,
                      .queued = memory_is_queued(spec),
                      .shares_pipe = shares,
                      .pipe_ticks = ticks,
                      .transaction_ticks = shares ? 0 : ticks,
                      .link_ticks = ticks_per(spec->line_bytes, spec->l1_l2_bytes_per_cycle),
                      .mshrs = mshrs_limit(spec->l1_mshrs, spec->merge_misses),
                      .fill_ticks = spec->l1_mshrs > 0 ? ticks_per(spec->line_bytes, spec->l1_l2_bytes_per_cycle) : 0};
  lsu->pipe.least = memory_pipe_least(spec);
  lsu->pipe.more = memory_pipe_more(spec);
  return lsu->mshrs == 0 || mshr_file_init(&lsu->mshr_file, 0);
}

void lsu_clear(struct lsu *lsu) {
  free(lsu->queue);
  free(lsu->lines);
  mshr_file_clear(&lsu->mshr_file);
}

/* Moves `count` elements from number *first on to the front of the array. */
static void move_to_front(void *array, size_t size, uint32_t *first, uint32_t count) {
  if (*first > 0)
    memmove(array, (char *)array + *first * size, count * size);
  *first = 0;
}

static bool room_for_access(struct lsu *lsu) {
  if (lsu->first + lsu->count < lsu->capacity)
    return true;
  move_to_front(lsu->queue, sizeof *lsu->queue, &lsu->first, lsu->count);
  return array_room_u32(&lsu->queue, &lsu->capacity, 2 * ((uint64_t)lsu->count + 1), sizeof *lsu->queue);
}

static bool room_for_lines(struct lsu *lsu, uint32_t lines) {
  if (lsu->first_line + lsu->line_count + lines <= lsu->line_capacity)
    return true;
  move_to_front(lsu->lines, sizeof *lsu->lines, &lsu->first_line, lsu->line_count);
  return array_room_u32(&lsu->lines, &lsu->line_capacity, 2 * ((uint64_t)lsu->line_count + lines), sizeof *lsu->lines);
}

/* Removes the access's lines that are being fetched already; `merged` becomes the time when the last of them comes. */
static void merge_lines(struct lsu *lsu, struct lsu_access *head, uint64_t now) {
  struct memory_access *access = &head->access;
  uint32_t fetched = 0;
  mshr_file_release(&lsu->mshr_file, now);
  for (uint32_t i = 0; i < access->transactions; i++) {
    uint64_t fill = mshr_file_find(&lsu->mshr_file, access->lines[i]);
    head->merged = ticks_later(head->merged, fill);
    if (i < access->shared && fill == 0)
      access->lines[fetched++] = access->lines[i];
  }
  if (fetched == 0)
    access->l2_ticks = 0;
  else if (!lsu->overlapped)
    access->l2_ticks = access->l2_ticks / access->shared * fetched;
  access->shared = fetched;
}

/* Returns how many lines the access brings into L1: those that miss in a load, or that are fetched for a store. */
static uint32_t brought_lines(const struct memory_access *access) {
  return access->op_class == OP_LOAD ? access->shared : access->fetched;
}

/* Returns for how long the unit is blocked after the access: L1 has one port, which arriving lines occupy for as long
 * as the link. They are assumed to arrive at once. Without a limit of MSHRs none takes the port. */
static uint64_t port_ticks(const struct lsu *lsu, const struct memory_access *access) {
  return brought_lines(access) * lsu->fill_ticks;
}

/* Delays the access until enough MSHRs are free for the lines that it brings into L1. Returns when it leaves the
 * unit. */
static uint64_t take_mshrs(struct lsu *lsu, struct lsu_access *head, uint64_t leaves) {
  struct memory_access *access = &head->access;
  if (access->op_class == OP_LOAD)
    merge_lines(lsu, head, leaves);
  else
    mshr_file_release(&lsu->mshr_file, leaves);
  const uint64_t free = ticks_later(leaves, mshr_file_free_at(&lsu->mshr_file, lsu->mshrs, brought_lines(access)));
  lsu->waited.l1_mshr += free - leaves;
  mshr_file_release(&lsu->mshr_file, free); /* no later access leaves before this one */
  return free;
}

/* Finds the times when the access leaves the unit and arrives at L2. All earlier accesses have been timed and, with
 * MSHRs, served. */
static void time_access(struct lsu *lsu, struct lsu_access *head) {
  struct memory_access *access = &head->access;
  uint64_t leaves = ticks_later(head->entered, lsu->free) + access->still_ticks;
  leaves += (access->passes - 1) * lsu->transaction_ticks;
  lsu->waited.lsu += leaves - head->issued;
  if (lsu->mshrs && (access->op_class == OP_LOAD || access->fetched > 0))
    leaves = take_mshrs(lsu, head, leaves);
  head->arrives = leaves;
  if (memory_goes_on(access))
    head->arrives = lsu_cross(lsu, leaves, access->shared, access->fetched + access->evicted);
  lsu->free = ticks_later(leaves + lsu->transaction_ticks, head->arrives) + port_ticks(lsu, access);
  head->timed = true;
}

/* Marks the access as served; the core may collect it from time `known` on. */
static void finish(struct lsu *lsu, struct lsu_access *access, const struct memory_service *service, uint64_t known) {
  uint64_t served = access->arrives + service->wait;
  if (service->merged > served)
    access->access.dram_ticks += service->merged - served;
  if (access->merged > served && access->merged > service->merged)
    access->access.l2_ticks += access->merged - ticks_later(service->merged, served);
  access->wait = service->wait;
  access->known = known;
  lsu_forget_lines(lsu, access);
  lsu->served++;
}

/* Times the first access that was not served, and serves accesses that do not go to L2. */
static void settle(struct lsu *lsu) {
  struct lsu_access *next;
  while ((next = lsu_next(lsu))) {
    next->access.lines = lsu_lines(lsu, next);
    if (!next->timed)
      time_access(lsu, next);
    if (memory_goes_on(&next->access))
      return;
    finish(lsu, next, &(struct memory_service){0}, ticks_later(next->issued, lsu->passed));
  }
}

struct lsu_access *lsu_place(struct lsu *lsu, uint32_t lines) {
  if (!room_for_access(lsu) || (lines > 1 && !room_for_lines(lsu, lines)))
    return NULL;
  lsu->line_count += lines > 1 ? lines : 0;
  return &lsu->queue[lsu->first + lsu->count];
}

void lsu_time(struct lsu *lsu, struct lsu_access *pushed) {
  pushed->merged = 0;
  if (lsu->mshrs == 0)
    time_access(lsu, pushed);
  settle(lsu);
}

void lsu_serve_queued(struct lsu *lsu, const struct memory_service *service) {
  struct lsu_access *head = lsu_next(lsu);
  const struct memory_access *access = &head->access;
  const uint32_t *brought = access->lines + (access->op_class == OP_LOAD ? 0 : access->transactions);
  for (uint32_t i = 0; i < brought_lines(access) && lsu->mshrs > 0; i++)
    mshr_file_add(&lsu->mshr_file, brought[i], service->comes[i]);
  lsu->passed = head->arrives;
  finish(lsu, head, service, head->arrives);
  settle(lsu);
}

uint64_t lsu_earliest(struct lsu *lsu) {
  uint64_t earliest = UINT64_MAX;
  for (uint32_t i = lsu->served; i < lsu->count; i++)
    if (lsu->queue[lsu->first + i].earliest < earliest)
      earliest = lsu->queue[lsu->first + i].earliest;
  return ticks_later(earliest, lsu->served < lsu->count ? lsu_next_arrival(lsu) : 0);
}
