/* simulate, with a recorder that listens. Private to the model: recorded.h is for others. */
#ifndef MODEL_SIMULATE_RECORDED_H
#define MODEL_SIMULATE_RECORDED_H

#include "model/event_recorder.h"
#include "model/simulate.h"

int simulate_recorded(const struct trace *trace, const struct isa_profile *isa, const struct gpu_spec *spec,
                      struct event_recorder *recorder, struct sim_result *out, struct error *error);

#endif
