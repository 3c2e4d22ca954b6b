/* One core replayed in place of all: of a sampled launch (model/sampling/sampled_launch.h), with its work-groups.
 *
 * The other cores are taken to do the same at the same time, each on its own work-groups. What the replayed core sends
 * to L2 is served for all of them: with the same lines, displaced by the distance between the work-groups' addresses.
 * So L2 holds what all cores read, a line that several cores share is fetched once, and queues at L2 and memory are as
 * long as those of the whole GPU. Which core comes first is drawn anew every few cycles, so that none pays for all
 * lines that are shared. The cores of a GPU do not run in lock step: L2 and memory are busy with the accesses of the
 * others at times that are spread over some thousand cycles.
 * When the work-groups of the replay are done, counts, times and cycle stacks are extended to the whole launch.
 *
 * Ownership: one_core_init allocates, one_core_clear frees; the launch is borrowed. Errors: false when out of memory.
 * Cost: an access at L2 costs as many look-ups as there are cores. Threads: one. */
#ifndef MODEL_ONE_CORE_H
#define MODEL_ONE_CORE_H

#include "base/random.h"
#include "model/memory/lsu.h"
#include "model/policy/calendar_queue.h"
#include "model/replay/recorded/l2_answers.h"

/* Cores drift apart, because each waits in queues behind the others: what they ask of memory at the same point of their
 * work comes within a part of the time since the launch began, at most so many cycles for each core. Shorter spreads
 * make bursts that the whole launch does not have, longer ones flatten those that it has (docs/sampling.md). */
#define ONE_CORE_SPREAD_CYCLES 60

struct core;
struct gpu_replay;
struct replay_result;

/* The launch that the core stands for. The trace of the replay holds only work-groups of that core, in the order in
 * which it takes them. */
struct one_core_launch {
  uint32_t groups[3];        /* of the launch, by dimension */
  uint32_t core;             /* which core is replayed */
  uint32_t stride;           /* work-groups that neighbouring cores run at the same time are so far apart */
  uint32_t core_groups;      /* of the launch that it runs, at least as many as the trace holds */
  double bound;              /* of the error of its cycles, as a share of them, where all of them are replayed */
  uint64_t bound_ticks;      /* that the bound has besides */
  const int32_t (*step)[3];  /* [op_count]: bytes between the addresses of neighbouring work-groups, by dimension */
  struct l2_answers *record; /* what L2 answers; NULL: it is not recorded */
  const struct l2_answers *answers; /* take the place of L2 and of the other cores; NULL: none do */
};

/* The kinds of another core's lines: L2 has it (LATER_HITS: so many lines); it is read from memory; it is written to
 * memory. */
enum later_use { LATER_HIT, LATER_HITS, LATER_READ, LATER_WRITE };

/* How far a work-group of another core is apart from the one that runs beside it on the replayed core. */
struct apart {
  int32_t by[3]; /* work-groups, by dimension */
  bool there;    /* the launch has it */
};

struct one_core {
  const struct one_core_launch *launch; /* NULL: all cores are replayed */
  uint64_t *started;                    /* [groups of the trace]: ticks at which they began */
  struct apart *apart;                  /* [places for work-groups][cores] */
  bool *after;                          /* [cores]: comes to L2 after the replayed one */
  uint32_t *lines;                      /* of an access that is displaced */
  uint64_t *comes;                      /* of the replayed core's access, as in struct memory_service */
  uint32_t moment;                      /* for which the order of the cores was drawn last */
  uint64_t moment_end;
  struct calendar_queue
      later; /* lines of other cores that will be served; kind: enum later_use, id: line, or how many */
  struct random_state delays;
  struct l2_asked asked;
  struct l2_fluid fluid;   /* of a launch that is recorded, or was */
  struct l2_answer served; /* the access that was served last: its numbers of lines */
  uint64_t covered;        /* work-groups of all cores that the replayed ones stand for */
};

bool one_core_init(struct one_core *one, const struct gpu_replay *replay, uint32_t access_lines);
void one_core_clear(struct one_core *one);
/* The core takes work-group `index` of the trace into a place; it begins at `ticks`. */
void one_core_starts(struct gpu_replay *replay, uint32_t slot, uint32_t index, uint64_t ticks);
/* Serves an access of the core at L2 and behind it, and those of the other cores. */
struct memory_service one_core_serve(struct gpu_replay *replay, struct core *core, struct lsu_access *access);
/* Makes the whole launch's result of what was replayed, which ended at `ticks`. */
void one_core_finish(struct gpu_replay *replay, uint64_t ticks, struct replay_result *result);

#endif
