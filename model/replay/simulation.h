/* One simulation: prices and warp programs of a trace, its replay on one GPU, and the report.
 *
 * The functions of model/simulate.h and the recorder of replays share it. Cost and determinism are those of
 * model/simulate.h. */
#ifndef MODEL_SIMULATION_H
#define MODEL_SIMULATION_H

#include "model/replay/gpu_replay.h"

int simulation_run(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                   const struct replay_options *options, struct sim_result *out, struct error *error);

#endif
