/* The inputs that the trace of a kernel's launch depends on, apart from the launch's sizes and its buffers' places. Two
 * launches that agree in all of it have the same blocks and addresses, whatever else their buffers hold. Private to
 * tracegen.
 *
 * Parameter k is bit k; a kernel that has more parameters than bits has `everything` set. */
#ifndef TRACEGEN_LAUNCH_INPUTS_H
#define TRACEGEN_LAUNCH_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#define LAUNCH_INPUTS_MOST 64 /* parameters */

struct launch_inputs {
  bool everything;   /* nothing is known: every launch has a trace of its own */
  uint64_t values;   /* parameters whose values decide where a branch goes or what an access touches */
  uint64_t contents; /* parameters that point to memory whose contents do */
  uint64_t stored;   /* parameters that point to memory to which the kernel may store */
};

#endif
