/* Records a sampled launch, so that it can be timed again on GPUs that differ in prices and latencies.
 *
 * Purpose: a tuner asks for the same launch with other prices of operations, latencies and rates of a core. The core
 * that is replayed in place of all is replayed each time, with its L1 and every mechanism; the answers of L2 are
 * recorded (model/replay/recorded/l2_answers.h), which saves most of the cost.
 * Exactness: on the recorded GPU the result is the exact replay's to the bit. On another one the wait in the queues at
 * L2 and behind it is the recorded one, plus the difference of the waits in fluid queues, and only the first
 * work-groups of the core are replayed: its places are filled two to three times. Any change, however small, separates
 * accesses from those that they queued with, and so makes a launch that these queues limit some percent too fast. The
 * cycles on another GPU are therefore the exact ones of the recorded GPU times a ratio: the cycles of those work-groups
 * on the other GPU, divided by their cycles on the recorded one after a change of a latency by 0.4 %.
 * Ownership: retime_sampled_destroy frees; the trace and the profile are borrowed. Threads: a recording is read-only
 * and may be shared. */
#ifndef MODEL_RETIME_SAMPLED_H
#define MODEL_RETIME_SAMPLED_H

#include "model/isa/isa.h"
#include "model/params/gpu.h"
#include "model/replay/recorded/l2_answers.h"
#include "model/result/result.h"
#include "trace/trace.h"

struct retime_sampled {
  const struct trace *trace;
  const struct isa_profile *isa;
  struct gpu_spec spec; /* the recorded GPU */
  struct l2_answers answers;
  struct sim_result result; /* of the recorded GPU; without lines and stacks of cores */
  double scale;             /* exact cycles by those of the work-groups that are replayed again */
};

/* Returns whether a sampled launch can be recorded on this GPU. */
bool retime_sampled_can(const struct trace *trace, const struct gpu_spec *spec);
/* Replays exactly (*result) and records. *out is NULL after an error. */
int retime_sampled_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct retime_sampled **out, struct sim_result *result, struct error *error);
void retime_sampled_destroy(struct retime_sampled *recorded);
/* Returns whether the recording can be timed on `spec`, that is, whether it differs from `recorded` only in parameters
 * of a core's own time. */
bool retime_sampled_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec);
/* Times the recording. Returns false if the replay was refused, or is out of memory. */
bool retime_sampled_time(const struct retime_sampled *recorded, const struct gpu_spec *spec, struct sim_result *out);

#endif
