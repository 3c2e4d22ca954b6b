/* One core that is replayed in place of all: that of a sampled launch (model/sampling/sampled_launch.h), with its
 * work-groups.
 *
 * The other cores are assumed to do the same at the same time, each on its own work-groups. An access that the replayed
 * core sends to L2 is served for all of them, with lines displaced by the distance between the work-groups' addresses.
 * So L2 holds the lines that all cores read, a line that several cores share is fetched once, and queues at L2 and
 * memory are as long as those of the whole GPU. The order of the cores is drawn anew every few cycles, so that no core
 * pays for all shared lines. The cores of a GPU do not run in lock step: the accesses of the others arrive at L2 and
 * memory at times that are spread over some thousand cycles.
 * Where misses merge and are not limited, cores that read the same lines keep in step: what the others fetch at the
 * same point of their work is on its way when the replayed core uses it, and it waits for it (docs/accuracy-h200.md).
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

/* Cores drift apart, because each waits in queues behind the others. Their accesses at the same point of their work
 * come within a part of the time since the launch began, and within at most this many cycles for each core. Shorter
 * spreads make bursts that the whole launch does not have, longer ones flatten those that it has (docs/sampling.md). */
#define ONE_CORE_SPREAD_CYCLES 60

struct core;
struct gpu_replay;
struct replay_result;

/* The launch that the core represents. The trace of the replay holds only work-groups of that core, in the order in
 * which it takes them. */
struct one_core_launch {
  uint32_t groups[3];        /* work-groups of the launch, by dimension */
  uint32_t core;             /* number of the replayed core */
  uint32_t stride;           /* distance between work-groups that neighbouring cores run at the same time */
  uint32_t core_groups;      /* number of work-groups of the launch that it runs, at least those of the trace */
  double bound;              /* bound of the error of its cycles, as a share of them, if all of them are replayed */
  uint64_t bound_ticks;      /* ticks to add to the bound */
  const int32_t (*step)[3];  /* [op_count]: bytes between the addresses of neighbouring work-groups, by dimension */
  struct l2_answers *record; /* L2's answers are recorded here; NULL: they are not recorded */
  uint32_t recorded_groups;  /* with `record`: number of the first work-groups whose answers are recorded */
  const struct l2_answers *answers; /* answers in place of L2 and the other cores; NULL: there are none. With answers,
                                     * the ticks of the result are those of the trace's work-groups alone */
};

/* Returns the work-groups of the launch. */
static inline uint64_t one_core_launch_groups(const struct one_core_launch *launch) {
  return (uint64_t)launch->groups[0] * launch->groups[1] * launch->groups[2];
}

/* The kinds of another core's lines: L2 holds it (LATER_HITS: several lines); it is read from memory; it is written to
 * memory. */
enum later_use { LATER_HIT, LATER_HITS, LATER_READ, LATER_WRITE };

/* The distance between a work-group of another core and the one that runs at the same time on the replayed core. */
struct apart {
  int32_t by[3]; /* number of work-groups, by dimension */
  bool there;    /* whether the launch has the other work-group */
};

struct one_core {
  const struct one_core_launch *launch; /* NULL: all cores are replayed */
  uint64_t *started;                    /* [groups of the trace]: times at which they began, in ticks */
  struct apart *apart;                  /* [places of work-groups][cores] */
  bool *after;                          /* [cores]: whether the core comes to L2 after the replayed one */
  uint32_t *lines;                      /* lines of a displaced access */
  uint64_t *comes;                      /* times of the replayed core's access, as in struct memory_service */
  uint32_t moment;                      /* moment for which the order of the cores was drawn last */
  uint64_t moment_end;
  struct calendar_queue
      later; /* lines of other cores that will be served; kind: enum later_use, id: line or number of lines */
  struct random_state delays;
  struct l2_asked asked;
  struct l2_fluid fluid;   /* used when the launch is recorded, or was */
  struct l2_answer served; /* numbers of lines of the access that was served last */
  uint64_t covered;        /* number of work-groups of all cores that the replayed ones represent */
};

bool one_core_init(struct one_core *one, const struct gpu_replay *replay, uint32_t access_lines);
void one_core_clear(struct one_core *one);
/* Notes that the core takes work-group `index` of the trace into a place, and that it begins at `ticks`. */
void one_core_starts(struct gpu_replay *replay, uint32_t group_place, uint32_t index, uint64_t ticks);
/* Serves an access of the core at L2 and behind it, and those of the other cores. */
struct memory_service one_core_serve(struct gpu_replay *replay, struct core *core, struct lsu_access *access);
/* Makes the whole launch's result from the replayed part, which ended at `ticks`. */
void one_core_finish(struct gpu_replay *replay, uint64_t ticks, struct replay_result *result);

#endif
