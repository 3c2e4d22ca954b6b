/* Local memory as a scratchpad beside the caches: banks, conflicts, broadcast.
 *
 * Word w lies in bank w modulo `banks`, counted from the beginning of the work-group's local memory. A warp's access
 * takes as many passes as the largest number of different words that its lanes need of one bank; lanes that need the
 * same word share it. Atomics share nothing: each lane's word counts, unless they merge (model/memory/atomics.h). A
 * wide access takes the passes of each of its parts (model/warp/access_parts.h), one after another. Two neighbouring
 * parts of a load count as one where each of their lanes reads the same as its neighbour (lane i and i xor 1), or as
 * the next but one (i xor 2). The port serves accesses in order of issue, a pass each pass_ticks; an access is over
 * latency_ticks after its last pass began. Cost: O(lanes x words of a lane). Memory: scratchpad_init allocates,
 * scratchpad_clear frees. Errors: false when out of memory. Threads: one for each core. Sources: NVIDIA, CUDA C++
 * Programming Guide, "Shared Memory" of compute capability 5.x to 9.x (32 banks of 32 bits); NVIDIA, "cuTENSOR", GTC
 * 2019, S9593 (128-bit loads in phases of eight lanes); S. Gray, maxas, wiki page "SGEMM" and issue 8 (two
 * transactions at least where lanes agree). */
#ifndef MODEL_SCRATCHPAD_H
#define MODEL_SCRATCHPAD_H

#include <stdbool.h>
#include <stdint.h>

#include "model/ports/known_passes.h"
#include "model/ports/pass_port.h"
#include "model/params/gpu.h"
#include "model/warp/access_parts.h"
#include "trace/code.h"

struct scratchpad {
  bool on;
  uint32_t banks;
  struct line_size word;
  struct access_parts parts;
  uint64_t latency_ticks, pass_ticks;
  struct pass_port port;
  struct known_passes known;
  uint32_t *words;   /* words of one access */
  uint32_t *in_bank; /* [banks]: number of words of one access */
};

/* Prepares the scratchpad. `most_bytes` is the largest access of one work-item. Returns false when out of memory. */
bool scratchpad_init(struct scratchpad *pad, const struct gpu_spec *spec, uint32_t most_bytes);
void scratchpad_clear(struct scratchpad *pad);

/* Returns the passes of a warp's access, whose addresses count from the beginning of the local memory. `share` says
 * whether lanes that need the same word share it. It may change the order of `lanes`. */
uint32_t scratchpad_passes(struct scratchpad *pad, struct lane_addresses *lanes, enum trace_op_class op_class,
                           bool share);
/* Queues an access of `passes` passes at `now` at a port, the scratchpad's own or another. Returns the ticks until it
 * is over. */
uint64_t scratchpad_serve(const struct scratchpad *pad, struct pass_port *port, uint64_t now, uint32_t passes);

#endif
