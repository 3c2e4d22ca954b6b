/* Records an exact replay, so that it can be timed again on GPUs that differ only in latencies and caches.
 *
 * Purpose: the events of each warp, and the lines of each access that hit, are determined once; with other latencies
 * only the times of events are computed again (model/replay/recorded/recorded_core.c). This is several times faster
 * than a replay.
 * Contents: the outcomes of accesses in the order of the recorded replay. On a GPU with other latencies that order
 * would differ a little, and the outcomes with it: results are approximate, and are marked so. On the recorded GPU
 * itself they equal the exact replay's to the bit; retime_record checks that, and gives no recording otherwise.
 * Range: retime_serves says which parameters may differ. Other caches must be named before recording
 * (cache_watch_variants.h).
 * Ownership: retime_destroy frees; a recording does not need the trace any more. Threads: a recording is read-only and
 * may be shared. Memory: one byte for each event of a warp, two if there are more than 254 different ones. */
#ifndef MODEL_RETIME_RECORD_H
#define MODEL_RETIME_RECORD_H

#include "model/retime/retime_family.h"
#include "model/isa/isa.h"
#include "model/result/result.h"
#include "trace/trace.h"

struct retime_recording;

/* A sampled launch is recorded for one GPU at a time, in another way (retime_sampled.h); its trace and profile are
 * borrowed. */

/* Replays specs[0] exactly (*result equals simulate's) and records the outcomes for the caches of all specs, which may
 * differ only as retime_serves allows. *out is NULL if no recording can represent the replay: then every result has to
 * come from simulate. */
int retime_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *specs, size_t count,
                  struct retime_recording **out, struct sim_result *result, struct error *error);
void retime_destroy(struct retime_recording *recording);
uint64_t retime_events(const struct retime_recording *recording);
uint64_t retime_bytes(const struct retime_recording *recording);

/* Predicts the result of simulate approximately: `approximate` is set, and there are no lines and no stacks of cores.
 * Returns false if the recording cannot predict it (other caches, too long a time, out of memory); the caller then
 * calls simulate. */
bool retime(const struct retime_recording *recording, const struct gpu_spec *spec, struct sim_result *out);

/* Predicts results for many GPUs, faster and less exactly than retime. GPUs on which all events cost the same are timed
 * once. Of those that differ in latencies only, some are timed and the others interpolated (retime_surface.h). Where
 * cores have their own work-groups, under `memory: blocking`, only the core that is expected to end last is
 * timed: by its engines' busy time, and their recorded idle share; waits in the other cores' stacks are distributed in
 * proportion to their work, and shared queues are those that the one core meets if the others send as much as it sends
 * (docs/retiming.md). The arrays are [count]; done[i] tells whether out[i] was found. */
void retime_all(const struct retime_recording *recorded, const struct gpu_spec *specs, size_t count,
                struct sim_result *out, bool *done);

#endif
