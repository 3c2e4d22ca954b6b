/* Chooses the cores of a launch that are recorded to be replayed alone (retime_alone.h), and the one for a GPU.
 *
 * The core that ends last decides the time of a launch, and with other latencies it may be another one. The end of a
 * core on a GPU is estimated from its end and its cycle stack on the recorded GPU: each component takes longer or
 * shorter as the latencies do that it waits for. The cores that end last by this estimate on the recorded GPU and on
 * GPUs with one kind of latency much longer or shorter are recorded; of these, the one that ends last on a GPU is
 * replayed. Units: ticks. Errors: none. Cost: O(cores). Threads: any. */
#ifndef MODEL_ALONE_CORES_H
#define MODEL_ALONE_CORES_H

#include "model/params/gpu.h"
#include "model/replay/recorded/core_alone.h"
#include "model/result/result.h"

struct alone_core {
  uint32_t core;
  uint64_t end;                  /* time at which its last event ended */
  double parts[SIM_STACK_COUNT]; /* its cycle stack, in cycles */
};

struct alone_cores {
  struct gpu_spec spec; /* the GPU on which all of them were replayed */
  struct alone_core list[CORE_RECORDS_MOST];
  uint32_t count;
};

/* Chooses cores. `ends` is [cores]; `whole` has the cores' stacks. */
void alone_cores_choose(struct alone_cores *cores, const struct gpu_spec *spec, const uint64_t *ends,
                        const struct sim_result *whole);
/* Returns the number in the list of the core that is expected to end last on the GPU. */
uint32_t alone_cores_last(const struct alone_cores *cores, const struct gpu_spec *spec);

#endif
