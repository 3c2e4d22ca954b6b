/* Records a whole launch by some of its cores, for GPUs whose mechanisms no list of events can represent
 * (retime_record.h): warps that wait by `dependency`, MSHRs, a pipe that local and global accesses share, schedulers.
 *
 * Purpose: on a GPU with other latencies and rates of a core, the core that is expected to end last (alone_cores.h) is
 * replayed alone, with every mechanism and the recorded services of L2 (model/replay/recorded/core_alone.h). This costs
 * one core's share of a replay. The launch ends when that core does.
 * Exactness: a recording is used only if each recorded core, replayed alone on the recorded GPU, gives its ticks and
 * its cycle stack back to the bit. On another GPU the result is approximate: hits and misses in L2, and the work-groups
 * of the core, are those of the recorded replay; waits at L2 differ by what two fluid queues wait.
 * Range: parameters with PARAM_RETIMED. Those without PARAM_RETIMED_SAMPLED (L2, and rates behind the core) need a
 * recording of their own, which retime_alone_all makes where enough GPUs share them. L1 may have another size: the core
 * has an L1 in each replay, and asks L2 more or less often.
 * Ownership: retime_alone_destroy frees; the trace and the profile are borrowed. Threads: read-only once made. */
#ifndef MODEL_RETIME_ALONE_H
#define MODEL_RETIME_ALONE_H

#include "model/isa/isa.h"
#include "model/params/gpu.h"
#include "model/retime/alone_cores.h"
#include "model/replay/simulation.h"
#include "model/result/result.h"
#include "trace/trace.h"

/* The core's times on one GPU. */
struct alone_times {
  uint64_t ticks; /* time at which its last event ended; 0: not known */
  uint64_t stack[SIM_STACK_COUNT];
  struct queue_ticks queues;
  struct sim_counters counters; /* of the core, without L2 */
};

/* A recorded replay. The arrays are those of the recorded cores. */
struct alone_recording {
  struct gpu_spec spec;
  struct core_records records;
  struct sim_result whole;                    /* of all cores, exact; no arrays */
  struct sim_stack stacks[CORE_RECORDS_MOST]; /* of the recorded cores among all, exact */
  struct alone_times own[CORE_RECORDS_MOST];  /* of a core alone, on the recorded GPU, if it is known */
  uint64_t end;                               /* the latest end of a recorded core */
};

struct retime_alone {
  const struct trace *trace;
  const struct isa_profile *isa;
  struct simulation *simulation;
  struct alone_cores cores; /* the cores that are recorded */
  struct alone_recording first;
};

/* Returns whether the launch can be recorded on this GPU. */
bool retime_alone_can(const struct trace *trace, const struct gpu_spec *spec);
/* Replays exactly (*result) and records. *out is NULL after an error, and if no core can be recorded, or if timing it
 * would not be faster than replaying all. */
int retime_alone_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                        struct retime_alone **out, struct sim_result *result, struct error *error);
void retime_alone_destroy(struct retime_alone *alone);

/* Returns the GPU as the launch sees it: with the L1 that the scratchpad leaves to it. */
struct gpu_spec retime_alone_spec(const struct trace *trace, const struct gpu_spec *spec);
/* Returns whether a recording serves a GPU of the same family, as the launch sees it. */
bool alone_recording_serves(const struct alone_recording *recording, const struct gpu_spec *spec);
/* Records the cores on another GPU of the family. Returns false if that is not possible. The caller clears it. */
bool alone_recording_make(const struct retime_alone *alone, const struct gpu_spec *spec,
                          struct alone_recording *recording);
void alone_recording_clear(struct alone_recording *recording);
/* Replays a recorded core alone. Returns false if the replay is refused or out of memory. */
bool retime_alone_core(const struct retime_alone *alone, const struct core_record *record, const struct gpu_spec *spec,
                       struct alone_times *out);
/* Times the core that stands for all on `spec` on the recorded GPU. Returns whether it is the core that was recorded:
 * whether the recording may be timed on `spec`. */
bool alone_recording_know(const struct retime_alone *alone, const struct gpu_spec *spec,
                          struct alone_recording *recording);
/* Times a recording that serves the GPU, and of which that is known. Returns false if the replay was refused, or is out
 * of memory. */
bool alone_recording_time(const struct retime_alone *alone, const struct alone_recording *recording,
                          const struct gpu_spec *spec, struct sim_result *out);

/* Replays all cores exactly. Returns the cycles, or 0 if the replay is refused or out of memory. */
double retime_alone_exactly(const struct retime_alone *alone, const struct gpu_spec *spec);
/* Changes the cycles of a result; the components of its stack change in proportion. */
void retime_alone_stretch(const struct gpu_spec *spec, double cycles, struct sim_result *result);

/* Times the first recording, as retime does. */
bool retime_alone_one(const struct retime_alone *alone, const struct gpu_spec *spec, struct sim_result *out);
/* Times many GPUs, as retime_all does (retime_alone_many.c). */
void retime_alone_all(const struct retime_alone *alone, const struct gpu_spec *specs, size_t count,
                      struct sim_result *out, bool *done);

#endif
