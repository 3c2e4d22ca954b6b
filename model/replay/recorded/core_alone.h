/* Cores of a whole launch, recorded while all cores are replayed, of which one is later replayed alone.
 *
 * Purpose: on GPUs that differ in the latencies and rates of a core, a core with the same work-groups asks L2 for the
 * same lines in nearly the same order. It is replayed with every mechanism that it has (L1, MSHRs, pipes, scoreboard,
 * scheduler, translation); only the services of L2 are recorded. This costs one core's share of a replay, and no L2.
 * Shapes: a recording holds the work-groups that the core took, in order, and a service for each line that it sent to
 * L2 or fetched from there; the n-th time that it asks for a line gives the n-th service of that line (l2_answers.h).
 * On the recorded GPU the core's times are those of the recorded replay to the bit. On another one a line waits as it
 * did, longer or shorter by what two fluid queues wait now; the other cores send what they sent beside the access.
 * Units: ticks. Ownership: core_records_clear frees records, core_alone_clear the position in one; a replay borrows the
 * record. Errors: out of memory sets `incomplete`. Cost: 32 bytes for each line of the core at L2. Threads: one. */
#ifndef MODEL_CORE_ALONE_H
#define MODEL_CORE_ALONE_H

#include "model/memory/memory_hierarchy.h"
#include "model/policy/dispatch.h"
#include "model/replay/recorded/l2_answers.h"

/* The record of one core. */
struct core_record {
  uint32_t core;
  uint32_t *groups; /* [group_count]: its work-groups, by index in the trace */
  uint32_t group_count, group_capacity;
  struct l2_answers answers;
  uint64_t ticks;      /* time at which its last event ended */
  uint64_t dram_ticks; /* latency of memory on the recorded GPU */
  struct l2_fluid fluid;
  struct l2_counts before; /* the counts of all cores when its last access had been served */
  uint32_t most_lines;     /* limit of the recorded services */
  bool incomplete;         /* memory or a limit was exceeded: the record cannot be used */
};

enum { CORE_RECORDS_MOST = 8 };
#define CORE_RECORDS_MOST_LINES (1u << 23) /* of all cores together: 256 MiB */

/* The records of some cores of a replay. */
struct core_records {
  struct core_record list[CORE_RECORDS_MOST];
  uint32_t count;
  uint64_t *ends; /* [cores], of the caller: times at which the cores' last events ended; NULL: not wanted */
};

/* The core that is replayed alone. */
struct core_alone {
  const struct core_record *record; /* NULL: all cores are replayed */
  struct l2_asked asked;
  struct l2_fluid fluid;
  bool l2_off; /* every line is read from memory */
};

/* Frees what the records hold. */
void core_records_clear(struct core_records *records);
/* Begins to record on this memory system. */
void core_records_begin(struct core_records *records, const struct memory_system *memory);
/* Returns the record of the core, or NULL. */
struct core_record *core_records_of(struct core_records *records, uint32_t core);
/* Notes that the core takes a work-group. */
void core_record_group(struct core_record *record, uint32_t group);
/* Records the services of an access that arrived at L2 at `time`. `before` are the counts before it was served. */
void core_record_access(struct core_record *record, const struct memory_system *memory,
                        const struct memory_access *access, uint64_t time, struct l2_counts before);

/* Prepares a replay of the recorded core; `l2_on` says whether the GPU has an L2. Returns false when out of memory. */
bool core_alone_init(struct core_alone *alone, const struct core_record *record, const struct memory_system *memory,
                     bool l2_on);
void core_alone_clear(struct core_alone *alone);
static inline struct dispatch_range core_alone_range(const struct core_alone *alone) {
  return (struct dispatch_range){0, alone->record->group_count, 1, alone->record->groups};
}
/* Serves an access in place of memory_serve (`queued`) or memory_finish. */
struct memory_service core_alone_serve(struct core_alone *alone, const struct memory_system *memory, bool queued,
                                       struct memory_access *access, uint64_t time);

#endif
