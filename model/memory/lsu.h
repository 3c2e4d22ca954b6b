/* The queue of a core's accesses on their way to L2, and the load/store unit that they pass. It gives the time at which
 * they arrive at L2, which all cores share.
 *
 * Without a limit on the way they arrive when they are issued. With one (`queued`) they pass in order of issue. An
 * access with n transactions leaves the unit n - 1 transaction times after it entered, and its m lines that go on to L2
 * have crossed the link m - 1 line times after the first entered it: an access that is alone waits for nothing. With
 * MSHRs a line that an earlier access is fetching is not fetched again (it merges, Kroft, "Lockup-free instruction
 * fetch/prefetch cache organization", ISCA 1981), and the unit stops while the misses of the access at its head find no
 * free MSHR; an access with more misses than there are MSHRs takes them all. Where the scratchpad shares the pipe,
 * accesses pass it when they are issued, one transaction after another, and queue behind it for the MSHRs and the link.
 * The translation of an access holds the unit longer (model/memory/lsu_tlb.h). Times are ticks.
 *
 * The queue is ordered, oldest first, and has two parts: accesses that were served at L2 and that the core has not
 * collected yet, and those that were not served. The first of the second part is always timed (its time of arrival is
 * known); with MSHRs the others are timed when the earlier ones have been served. The core pushes and collects;
 * model/replay/l2_order.h serves; an access that does not go to L2 counts as served as soon as the earlier ones are.
 * Memory: lsu_init allocates, lsu_clear frees; the queue grows. Cost: O(lines). */
#ifndef MODEL_LSU_H
#define MODEL_LSU_H

#include <string.h>

#include "model/memory/mshr.h"
#include "model/ports/pass_port.h"
#include "model/memory/memory_hierarchy.h"
#include "model/result/queues.h"

struct lsu_access {
  /* The first members are those of a store where nothing is limited: two cache lines of the host. */
  uint64_t arrives;  /* time of arrival at L2, or of leaving the unit when nothing goes to L2 */
  uint64_t earliest; /* its end is not before this time; UINT64_MAX: no warp waits for it */
  uint32_t warp, op;
  uint32_t stored;             /* number of lines that are kept */
  uint32_t line;               /* the line of an access with one; those of others are in lsu.lines */
  struct memory_access access; /* served: with the additions of merging and of queues at L2 */
  uint64_t issued;             /* time of issue by an execution engine */
  uint64_t entered;            /* time of entering the unit, behind the pipe */
  uint64_t issue;              /* ticks that issuing takes the engine */
  uint64_t merged;             /* time at which the last line comes that earlier accesses fetch, 0: none */
  uint64_t known;              /* served: time from which the core may use the result */
  uint64_t wait;               /* served: ticks in the queues at L2 and behind it */
  bool timed;                  /* whether arrives, merged and the access after merging are known */
};

struct lsu {
  bool overlapped;  /* the latency of an access is that of its longest transaction, not their sum */
  bool queued;      /* something on the way is limited; otherwise only queue and lines are used */
  bool shares_pipe; /* accesses first pass `pipe`, which the scratchpad shares; the unit then takes no time */
  struct pass_port pipe;
  uint64_t pipe_ticks; /* ticks of a transaction on the pipe */
  uint64_t transaction_ticks, link_ticks;
  uint64_t fill_ticks; /* for which a line that comes takes the port of L1 */
  uint64_t free, link_free;
  uint64_t passed;          /* time of arrival of the last access that was served */
  struct lsu_access *queue; /* oldest first, from `first` */
  uint32_t first, count, capacity;
  uint32_t served; /* number of served accesses, at the front of the queue */
  uint32_t *lines; /* lines of all queued accesses, in the same order, from `first_line` on */
  uint32_t first_line, line_count, line_capacity;
  uint32_t mshrs;             /* as mshrs_limit returns */
  struct mshr_file mshr_file; /* used with MSHRs */
  struct queue_ticks waited;  /* waits for the link and before it */
};

bool lsu_init(struct lsu *lsu, const struct gpu_spec *spec);
void lsu_clear(struct lsu *lsu);
/* Adds an entry for an access with `lines` lines at the end of the queue. Returns NULL when out of memory. */
struct lsu_access *lsu_place(struct lsu *lsu, uint32_t lines);
/* Returns the time at which an access that is issued at `now` enters the unit. */
static inline uint64_t lsu_enter(struct lsu *lsu, uint64_t now, uint32_t transactions) {
  return lsu->shares_pipe ? pass_port_take(&lsu->pipe, now, transactions, lsu->pipe_ticks) : now;
}

/* Times the access that was pushed last, by the limits on its way. */
void lsu_time(struct lsu *lsu, struct lsu_access *pushed);

/* Adds an entry to the queue for an access with `lines` lines, and sets all members except `access`, `earliest` and the
 * lines. Returns NULL when out of memory. */
static inline __attribute__((always_inline)) struct lsu_access *
lsu_take_place(struct lsu *lsu, bool queued, uint32_t warp, uint64_t now, uint64_t issue, uint32_t op, uint32_t lines) {
  const bool room = lsu->first + lsu->count < lsu->capacity && lines <= 1;
  struct lsu_access *pushed = room ? &lsu->queue[lsu->first + lsu->count] : lsu_place(lsu, lines);
  if (!pushed)
    return NULL;
  pushed->issued = pushed->arrives = now;
  pushed->issue = issue;
  pushed->warp = warp;
  pushed->op = op;
  pushed->stored = lines;
  pushed->timed = !queued;
  pushed->wait = 0;
  lsu->count++;
  return pushed;
}

/* Queues a copy of the access with its lines; `queued` is lsu->queued. Returns the copy, of which the caller sets
 * `earliest`, or NULL when out of memory. */
static inline __attribute__((always_inline)) struct lsu_access *lsu_push(struct lsu *lsu, bool queued, uint32_t warp,
                                                                         uint64_t now, uint64_t issue, uint32_t op,
                                                                         const struct memory_access *access) {
  const uint32_t lines =
      (queued && lsu->mshrs) || access->words ? access->transactions + access->words : access->shared;
  struct lsu_access *pushed = lsu_take_place(lsu, queued, warp, now, issue, op, lines);
  if (!pushed)
    return NULL;
  pushed->access = *access;
  if (lines == 1)
    pushed->line = access->lines[0];
  else if (lines > 1)
    memcpy(lsu->lines + lsu->first_line + lsu->line_count - lines, access->lines, lines * sizeof *lsu->lines);
  if (queued) {
    pushed->entered = lsu_enter(lsu, now, access->passes);
    lsu_time(lsu, pushed);
  }
  return pushed;
}

/* Pushes a store of one line like lsu_push, where nothing on the way to L2 is limited. No warp waits for it, and
 * only its warp and the members that L2 and the order of accesses use are set. */
static inline __attribute__((always_inline)) struct lsu_access *
lsu_push_store(struct lsu *lsu, uint32_t warp, uint64_t now, uint32_t op, uint32_t core, uint32_t line) {
  const bool room = lsu->first + lsu->count < lsu->capacity;
  struct lsu_access *pushed = room ? &lsu->queue[lsu->first + lsu->count] : lsu_place(lsu, 1);
  if (!pushed)
    return NULL;
  lsu->count++;
  pushed->arrives = now;
  pushed->earliest = UINT64_MAX;
  pushed->warp = warp;
  pushed->op = op;
  pushed->stored = 1;
  pushed->line = line;
  pushed->access.transactions = pushed->access.shared = 1;
  pushed->access.words = pushed->access.fetched = pushed->access.evicted = 0;
  pushed->access.op_class = OP_STORE;
  pushed->access.core = core;
  return pushed;
}

/* Returns whether an access that is issued now and stays in the core passes the unit at once, and this is known at
 * `now`: no access is before it, and no miss blocks the unit. */
static inline bool lsu_is_clear(const struct lsu *lsu, uint64_t now) {
  return lsu->count == 0 && lsu->passed <= now && lsu->mshr_file.count <= lsu->mshrs;
}

/* Lets the lines of an access that leaves the unit cross the link: first its own, then those that it carries along.
 * Returns the time at which the last of its own arrives at L2. */
static inline uint64_t lsu_cross(struct lsu *lsu, uint64_t leaves, uint32_t own, uint32_t carried) {
  const uint64_t enters = leaves > lsu->link_free ? leaves : lsu->link_free;
  const uint64_t arrives = enters + (own ? own - 1 : 0) * lsu->link_ticks;
  lsu->link_free = enters + (own + carried) * lsu->link_ticks;
  lsu->waited.link += arrives - leaves;
  return arrives;
}

/* Lets an access pass the unit behind those that were issued before. The access is issued at `time`, stays in the core
 * and shares no pipe, and there are no MSHRs. Returns the ticks that it waits. */
static inline __attribute__((always_inline)) uint64_t lsu_pass(struct lsu *lsu, uint32_t transactions, uint64_t time) {
  const uint64_t leaves = (time > lsu->free ? time : lsu->free) + (transactions - 1) * lsu->transaction_ticks;
  lsu->waited.lsu += leaves - time;
  lsu->free = leaves + lsu->transaction_ticks;
  return leaves - time;
}

/* Ticks that an access of one line which stays in the core waits: for the unit, and, for a load, for a line that is
 * still being fetched. */
struct lsu_waits {
  uint64_t unit, line;
};

/* Lets an access of one line that stays in the core pass a clear unit, as lsu_push, lsu_time and lsu_collect do.
 * Returns its waits. */
static inline __attribute__((always_inline)) struct lsu_waits lsu_pass_one(struct lsu *lsu, bool load, uint32_t line,
                                                                           uint64_t now) {
  const uint64_t entered = lsu_enter(lsu, now, 1), leaves = entered > lsu->free ? entered : lsu->free;
  lsu->waited.lsu += leaves - now;
  lsu->free = leaves + lsu->transaction_ticks;
  if (!load)
    return (struct lsu_waits){.unit = leaves - now};
  if (lsu->mshrs)
    mshr_file_release(&lsu->mshr_file, leaves);
  const uint64_t comes = lsu->mshr_file.count > 0 ? mshr_file_find(&lsu->mshr_file, line) : 0;
  return (struct lsu_waits){leaves - now, comes ? comes - leaves : 0};
}

/* Returns the lines of the first access that was not served. */
static inline uint32_t *lsu_lines(struct lsu *lsu, struct lsu_access *access) {
  if (access->stored <= 1) /* `lines` may be NULL for an access without lines */
    return &access->line;
  return lsu->lines + lsu->first_line;
}

static inline void lsu_forget_lines(struct lsu *lsu, const struct lsu_access *access) {
  if (access->stored > 1) {
    lsu->line_count -= access->stored;
    lsu->first_line = lsu->line_count ? lsu->first_line + access->stored : 0;
  }
}

/* Returns the oldest access that was not served, or NULL. lsu_lines returns its lines. */
static inline struct lsu_access *lsu_next(struct lsu *lsu) {
  return lsu->served < lsu->count ? &lsu->queue[lsu->first + lsu->served] : NULL;
}

/* Marks the access of lsu_next as served, with these waits. Something on the way must be limited. */
void lsu_serve_queued(struct lsu *lsu, const struct memory_service *service);

static inline void lsu_serve(struct lsu *lsu, const struct memory_service *service) {
  if (lsu->queued) {
    lsu_serve_queued(lsu, service);
    return;
  }
  lsu_forget_lines(lsu, &lsu->queue[lsu->first + lsu->served]);
  lsu->served++;
}

/* Returns the oldest access that was served, or NULL; lsu_collect removes it. */
static inline struct lsu_access *lsu_oldest_served(struct lsu *lsu) {
  return lsu->served > 0 ? &lsu->queue[lsu->first] : NULL;
}

static inline void lsu_collect(struct lsu *lsu) {
  lsu->served--;
  lsu->first = --lsu->count ? lsu->first + 1 : 0;
}

/* Returns the time at which the first access that was not served arrives, or UINT64_MAX if there is none. */
static inline uint64_t lsu_next_arrival(struct lsu *lsu) {
  const struct lsu_access *next = lsu_next(lsu);
  return next ? next->arrives : UINT64_MAX;
}

/* Returns the earliest time at which the first access that was not served can be over, which is not before it arrives,
 * or UINT64_MAX if there is none. */
uint64_t lsu_earliest(struct lsu *lsu);

#endif
