/* One simulation: prices and warp programs of a trace, its replay on one GPU, and the report.
 *
 * The functions of model/simulate.h and the recorder of replays share it. Cost and determinism are those of
 * model/simulate.h. */
#ifndef MODEL_SIMULATION_H
#define MODEL_SIMULATION_H

#include "model/replay/gpu_replay.h"

int simulation_run(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                   const struct replay_options *options, struct sim_result *out, struct error *error);

/* A trace whose code is arranged, priced and compiled, to be replayed on several GPUs. */
struct simulation;

/* Prepares the trace for GPUs that differ from `spec` only in parameters with the flag PARAM_RETIMED. The trace and the
 * profile are borrowed until simulation_close, which frees. *out is NULL after an error. */
int simulation_open(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                    struct simulation **out, struct error *error);
/* Replays it as gpu_replay_run does. Nothing is counted for source lines. Threads: several may replay at a time. */
int simulation_replay(const struct simulation *simulation, const struct gpu_spec *spec,
                      const struct replay_options *options, struct replay_result *result, struct error *error);
void simulation_close(struct simulation *simulation);

#endif
