/* A sampled launch recorded so that it can be timed again on GPUs that differ in prices and latencies.
 *
 * Purpose: a tuner asks for the same launch with other prices of operations, latencies and rates of a core. The core
 *          that stands for all is replayed each time, with its L1 and every mechanism; what it was told at L2 is
 *          recorded (model/replay/recorded/l2_answers.h), and that is most of the cost.
 * Exactness: on the recorded GPU the result is the exact replay's to the bit. On another one the waiting in the queues
 * at L2
 *          and behind it is the recorded one, longer or shorter by what queues of a fluid wait now. Any change, however
 *          small, parts accesses from those that they queued with, and so makes a launch that these queues limit some
 *          percent too fast. All results but that on the recorded GPU are therefore scaled by one number: what a change
 *          of a latency by 0.4 % makes of the exact result.
 * Ownership: retime_sampled_destroy frees; the trace and the profile are borrowed. Read-only, shared by threads. */
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
  struct gpu_spec spec; /* recorded */
  struct l2_answers answers;
  double scale; /* of results on other GPUs */
};

/* Returns whether a sampled launch can be recorded on this GPU. */
bool retime_sampled_can(const struct trace *trace, const struct gpu_spec *spec);
/* Replays exactly (*result) and records. *out is NULL after an error. */
int retime_sampled_record(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                          struct retime_sampled **out, struct sim_result *result, struct error *error);
void retime_sampled_destroy(struct retime_sampled *recorded);
/* Returns whether the recording can be timed on `spec`: it differs from `recorded` in what a core does with its time
 * alone. */
bool retime_sampled_serves(const struct gpu_spec *recorded, const struct gpu_spec *spec);
/* Times the recording. False: the replay was refused, or is out of memory. */
bool retime_sampled_time(const struct retime_sampled *recorded, const struct gpu_spec *spec, struct sim_result *out);

#endif
