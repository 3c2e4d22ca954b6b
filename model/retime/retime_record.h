/* An exact replay written down, so that it can be timed again on GPUs that differ in latencies and caches only.
 *
 * Purpose: which events a warp has, and how many lines of an access hit, are decided once; what follows from other
 *          latencies is when events come (model/replay/recorded/recorded_core.c). That is several times faster than a
 *          replay.
 * What is kept: outcomes, as they were in the recorded replay's order. On a GPU with other latencies that order
 *          would be a little different, and the outcomes with it: results are approximate, and say so. On the recorded
 *          GPU itself they are the exact replay's to the bit; retime_record checks that, and keeps nothing if not.
 * What may differ: retime_serves. Other caches must have been named when recording (cache_watch_variants.h).
 * Ownership: retime_destroy frees; a recording does not need the trace any more. Read-only, shared by threads.
 * Memory: one byte an event of a warp, two where there are more than 254 different ones. */
#ifndef MODEL_RETIME_RECORD_H
#define MODEL_RETIME_RECORD_H

#include "model/retime/retime_family.h"
#include "model/isa/isa.h"
#include "model/result/result.h"
#include "trace/trace.h"

struct retime_recording;

/* A sampled launch is recorded for one GPU at a time, in another way (retime_sampled.h); its trace and profile are
 * borrowed. */

/* Replays specs[0] exactly (*result, as simulate's) and records the outcomes for the caches of all specs, which differ
 * in what retime_serves allows only. *out is NULL where no recording can stand for the replay: then every result
 * has to come from simulate. */
int retime_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *specs, size_t count,
                  struct retime_recording **out, struct sim_result *result, struct error *error);
void retime_destroy(struct retime_recording *recording);
uint64_t retime_events(const struct retime_recording *recording);
uint64_t retime_bytes(const struct retime_recording *recording);

/* What simulate would say, approximately: `approximate` is set, there are no lines and no stacks by core. False: this
 * recording cannot say it (other caches, too long a time, out of memory); ask simulate. */
bool retime(const struct retime_recording *recording, const struct gpu_spec *spec, struct sim_result *out);

/* The same for many GPUs, faster and less exact. Those on which all events cost the same are timed once. Where cores
 * have work-groups of their own, under `memory: blocking`, only the one that should end last is timed: by its engines'
 * busy time, and their idle share when recorded; waiting in the other cores' stacks is spread by their work, and queues
 * that all share are those that the one core finds if the others send what it sends (docs/retiming.md). Arrays of
 * `count`; done[i]: out[i] was found. */
void retime_all(const struct retime_recording *recorded, const struct gpu_spec *specs, size_t count,
                struct sim_result *out, bool *done);

#endif
