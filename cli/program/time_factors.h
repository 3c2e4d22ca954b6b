/* Factors that correct the times of the device of this machine to those of a board: one for each kind of command
 * (Ko, PhD thesis, Seoul National University, 2016, sections 5.2.1 and 5.5.5; docs/virtual-board.md).
 *
 * A time is the sum of a part that the clock of the cores bounds and one that the clock of the memory bounds. A board
 * whose clocks are faster by `core` and `memory` takes
 *
 *   factor * ((1 - memory_share) / core + memory_share / memory)
 *
 * times as long. What the host does does not depend on these clocks. Files: JSON, schema "reassemble.factors/1".
 * Ownership: values only. Errors: a missing key, a value out of range. */
#ifndef CLI_TIME_FACTORS_H
#define CLI_TIME_FACTORS_H

#include <jansson.h>

#include "base/error.h"
#include "tracegen/program/timeline/host_costs.h"

/* The parts of a program's time: the kinds of commands that run on a device, and the host's own work. */
enum time_kind {
  TIME_CALLS = COMMAND_MARKER, /* of OpenCL, without the commands themselves */
  TIME_LATENCY,                /* from a call to the start of its command, and from the end to the program's knowing */
  TIME_HOST,                   /* the program's own code */
  TIME_KINDS
};

struct time_factor {
  double factor, memory_share;
};

struct time_factors {
  struct time_factor kinds[TIME_KINDS];
};

/* Returns "kernel", "read", ..., "calls", "latency", "host". */
const char *time_kind_name(int kind);
/* Returns factors of 1: kernels are bounded by the cores, and commands that move bytes by the memory: assumed. */
struct time_factors time_factors_none(void);
/* Returns the number by which a time of this kind is multiplied. */
double time_factor_at(const struct time_factors *factors, int kind, double core, double memory);

int time_factors_load(const char *path, struct time_factors *out, struct error *error);

#endif
