/* The workloads of a sweep: names, sets, tags and traces -> loaded traces, a list of launches per workload.
 *
 * Workloads that are named several times (by a set and by a tag) are taken once.
 * Ownership: sweep_inputs_load fills `replay` with the traces and `out` with what refers to them; sweep_inputs_clear
 *            frees `out`, replay_clear the rest. */
#ifndef CLI_SWEEP_INPUTS_H
#define CLI_SWEEP_INPUTS_H

#include "cli/replay/replay.h"
#include "dse/evaluate/evaluate.h"
#include "dse/sweep/sweep.h"

int sweep_inputs_load(const struct sweep *sweep, const struct options *options, struct replay *replay,
                      struct evaluation *out, struct error *error);
void sweep_inputs_clear(struct evaluation *evaluation);

#endif
