/* Random kernels and their executions, for tests: nested loops, divergent work-items, affine and irregular addresses,
 * barriers that all items of a work-group pass. The raw execution is what a trace of it has to give back.
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
  uint32_t max_local; /* work-items in a work-group at most; 0: 32 */
  uint32_t groups;    /* about as many work-groups; 0: 4 */
  bool extreme;       /* addresses anywhere in 32 bits, with wrap-around, instead of inside the buffer */
  bool uniform;       /* no divergence: every item of the launch runs the same path */
  bool regular;       /* affine addresses only */
};

/* One work-item's execution, as trace_writer_item takes it. */
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

/* Writes it; items of a group in random order when `shuffle`. */
int raw_execution_write(const struct raw_execution *execution, const char *path, bool shuffle, struct error *error);

/* Both in one: a trace file at `path`, and the raw execution when `out` is not NULL. */
int random_trace_write(const char *path, const struct random_trace_options *options, struct raw_execution **out,
                       struct error *error);
/* A loaded random trace; its file is gone again. */
int random_trace_load(const struct random_trace_options *options, struct raw_execution **out, struct trace **trace,
                      struct error *error);

#endif
