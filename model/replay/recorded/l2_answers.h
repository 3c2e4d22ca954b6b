/* The recorded results of L2 for one core that is replayed in place of all (one_core.h, core_alone.h): for each access
 * that went to L2, how long it waited in queues, how many of its lines came from memory, and how many lines all cores
 * sent with it. core_alone.h has a result for each line of an access.
 *
 * Purpose: a replay of the same launch with other prices and latencies accesses the same lines of L2, in nearly the
 *          same order. With these results it needs neither L2 nor the other cores, which take nine tenths of the time.
 * Shapes: the n-th access whose first line is L has the n-th result of L. A replay that accesses L more often gets the
 *         last result of L again; an access to a line without results gets the result that was given last.
 * Queues: queues are longer in a replay that sends its accesses sooner. A result therefore also holds the wait in a
 *         fluid queue (shared_queue.h) at the time of recording. The replay runs the same fluid queues on its own
 *         accesses, and adds the difference of the two waits, which is 0 on the recorded GPU.
 * Units: ticks, lines. Ownership: l2_answers_clear and l2_asked_clear free. Errors: false when out of memory. Cost: a
 * look-up of a hash an access; 32 bytes an access and about 40 a line. Threads: answers are read-only once recorded; an
 * l2_asked belongs to one replay. */
#ifndef MODEL_L2_ANSWERS_H
#define MODEL_L2_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_index.h"
#include "model/replay/recorded/shared_queue.h"
#include "model/result/counters.h"
#include "model/result/queues.h"

struct l2_answer {
  uint32_t wait;
  uint32_t fluid;               /* ticks of the wait in the fluid queues */
  uint32_t next;                /* number of the next answer of the same line; that of the last one is its own */
  uint32_t merged, executed;    /* core_alone.h: ticks after its arrival, as in struct line_served */
  uint16_t missed;              /* number of its lines that missed */
  uint16_t lines, others;       /* lines at L2: its own, and those that the other cores sent with it */
  uint16_t moved, others_moved; /* lines of these that were read from memory or written there */
};

/* The lines that an access counts at L2 and at memory. */
struct l2_counts {
  uint64_t lines, reads, moved; /* lines at L2; read from memory; read from or written to memory */
};

static inline struct l2_counts l2_counts_of(const struct sim_counters *shared) {
  return (struct l2_counts){shared->l2_accesses, shared->dram_read_bytes, /* lines, until they are reported as bytes */
                            shared->dram_read_bytes + shared->dram_written_bytes};
}

static inline struct l2_counts l2_counts_since(struct l2_counts now, struct l2_counts before) {
  return (struct l2_counts){now.lines - before.lines, now.reads - before.reads, now.moved - before.moved};
}

/* The fluid queues at L2 and at memory. */
struct l2_fluid {
  uint64_t spread;                 /* ticks over which the other cores send as much as the replayed one */
  uint64_t line_ticks, dram_ticks; /* ticks of a line; 0: there is no queue */
  struct shared_queue l2, dram;
};

/* All counts at L2, of the work-groups that a replay represents. */
struct l2_totals {
  struct sim_counters shared;
  struct queue_ticks waited;
  uint64_t covered; /* number of these work-groups, on all cores */
};

struct l2_answers {
  struct l2_answer *answers; /* [count] */
  struct l2_line {
    uint32_t line, first, last; /* numbers of its first and last answer */
  } * lines;                    /* [line_count] */
  uint32_t count, capacity, line_count, line_capacity;
  struct hash_index index; /* of lines */
  uint32_t most;           /* largest number of keys of the index */
  struct l2_totals all;
};

/* Returns an answer with the numbers of lines of an access, computed from the counts of the access and of all cores.
 * Waits and `next` are not set. */
struct l2_answer l2_answer_of(struct l2_counts own, struct l2_counts all);
/* Adds the answer to an access whose first line is `line`, and sets its `next`. Returns false when out of memory. */
bool l2_answers_add(struct l2_answers *answers, uint32_t line, struct l2_answer answer);
/* Gives back the memory that no answer uses. */
void l2_answers_fit(struct l2_answers *answers);
void l2_answers_clear(struct l2_answers *answers);
size_t l2_answers_bytes(const struct l2_answers *answers);

/* Sends an access's lines, and those of the other cores with it, into the queues at `time`. Returns the ticks of its
 * wait there. */
uint64_t l2_fluid_serve(struct l2_fluid *fluid, const struct l2_answer *answer, uint64_t time);

/* The position of a replay in the answers of each line. */
struct l2_asked {
  const struct l2_answers *answers; /* NULL: the replay has an L2 */
  uint32_t *next;                   /* [line_count]: the next answer; `count`: none is left */
  struct l2_answer told;            /* the last answer */
};

bool l2_asked_init(struct l2_asked *asked, const struct l2_answers *answers);
void l2_asked_clear(struct l2_asked *asked);
/* Returns the answer to an access whose first line is `line`. */
struct l2_answer l2_asked_next(struct l2_asked *asked, uint32_t line);

#endif
