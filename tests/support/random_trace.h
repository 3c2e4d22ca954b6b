/* Random kernels and their executions, for tests: nested loops, divergent work-items, affine and irregular addresses,
 * barriers that all items of a work-group pass. A trace of an execution must reproduce the raw execution.
 *
 * The same options give the same execution on every machine. Ownership: raw_execution_destroy frees everything. */
#ifndef SUPPORT_RANDOM_TRACE_H
#define SUPPORT_RANDOM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

struct random_trace_options {
  uint32_t seed;
  uint32_t max_local; /* largest number of work-items in a work-group; 0: 32 */
  uint32_t groups;    /* approximate number of work-groups; 0: 4 */
  bool extreme;       /* addresses anywhere in 32 bits, with wrap-around, instead of inside the buffer */
  bool uniform;       /* no divergence: every item of the launch runs the same path */
  bool regular;       /* affine addresses only */
};

/* One work-item's execution, in the form that trace_writer_item takes. */
struct raw_item {
  uint16_t *blocks;
  size_t block_count, block_capacity;
  uint32_t *addresses;
  size_t address_count, address_capacity;
};

struct raw_execution {
  struct trace_header header;
  struct trace_code code;
  uint32_t group_count, local_size;
  struct raw_item *items; /* [group_count * local_size], group after group, by flattened local id */
};

struct raw_execution *random_execution(const struct random_trace_options *options);
void raw_execution_destroy(struct raw_execution *execution);

/* Writes the execution as a trace; with `shuffle` the items of a group are in random order. */
int raw_execution_write(const struct raw_execution *execution, const char *path, bool shuffle, struct error *error);

/* Makes a random execution and a trace file of it at `path`. *out becomes the execution unless `out` is NULL. */
int random_trace_write(const char *path, const struct random_trace_options *options, struct raw_execution **out,
                       struct error *error);
/* Makes and loads a random trace, and removes its file. */
int random_trace_load(const struct random_trace_options *options, struct raw_execution **out, struct trace **trace,
                      struct error *error);

#endif
