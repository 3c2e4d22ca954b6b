/* The micro-kernels of `params --check`: which workload shows which rate or latency of a GPU, and in which unit.
 *
 * A rate or latency is read off two launches of one kernel that differ in their length alone: the work by which the
 * last launch exceeds the one before it, and the difference of their times. So what every launch costs does not count.
 * The time of an empty launch is that of its only launch.
 * Units: GFLOP/s and G/s are 1e9 operations a second, GB/s 1e9 bytes a second.
 * Cost: none at run time. Threads: constants.
 * Source: differences of two lengths, for example Wong et al., "Demystifying GPU microarchitecture through
 * microbenchmarking", ISPASS 2010. */
#ifndef CLI_MICRO_KERNELS_H
#define CLI_MICRO_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/result/result.h"

enum micro_form {
  MICRO_RATE,      /* `work` a nanosecond */
  MICRO_LINK_RATE, /* bytes that move between L1 and L2, a nanosecond */
  MICRO_LATENCY,   /* cycles for each of `work` */
  MICRO_TIME,      /* microseconds of the launch */
};

struct micro_kernel {
  const char *name, *workload, *unit, *meaning;
  enum micro_form form;
  double work;    /* operations, bytes or loads by which the last launch exceeds the one before it */
  uint64_t bytes; /* that it reads from L2, more than L1 may hold; 0: it suits every GPU */
};

extern const struct micro_kernel micro_kernels[];
extern const size_t micro_kernel_count;

/* Returns whether row `index` is the one of its name for a GPU whose L1 holds up to `l1_bytes`. */
bool micro_kernel_suits(size_t index, uint64_t l1_bytes);

/* Returns what the model gives, in the kernel's unit. `last` is the result of the workload's last launch, `before` that
 * of the launch before it (MICRO_TIME: not read). */
double micro_figure(const struct micro_kernel *kernel, const struct sim_result *before, const struct sim_result *last);

#endif
