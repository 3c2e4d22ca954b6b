/* Compares what the launches of variants left in the buffers: whether all variants computed the same.
 *
 * The first variant is the one that the others are held to. A buffer is compared with the buffer of the same name, type
 * and size, integers exactly, and floating-point numbers within a thousandth of their value and a hundred-thousandth of
 * the buffer's largest (assumed: sums in another order agree to that, and another result does not). The first
 * variant's buffers are kept, and nothing is compared where they would take more than a gigabyte.
 *
 * Cost: a pass over the buffers of a variant. Ownership: variant_results_clear frees. Threads: one. */
#ifndef CLI_VARIANT_RESULTS_H
#define CLI_VARIANT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

struct variant_buffer {
  char *name;
  enum scalar_type type;
  size_t count; /* scalars */
  void *contents;
};

struct variant_results {
  char *variant; /* the first; NULL: there is none yet */
  struct variant_buffer *buffers;
  size_t count;
};

/* The first difference of a variant: element `element` of `buffer`. */
struct variant_difference {
  char *buffer; /* NULL: there is none */
  size_t element;
  char *reference; /* the first variant's name */
  char found[40], expected[40];
};

/* Returns whether the buffers are small enough to be compared: then the launch has to be asked for them. */
bool variant_results_wanted(const struct workload *workload);
/* Takes the buffers of the first variant out of `result`, and compares those of a later one, named workload->name. */
int variant_results_compare(struct variant_results *results, const struct workload *workload,
                            struct emulate_result *result, struct variant_difference *difference, struct error *error);
void variant_difference_clear(struct variant_difference *difference);
void variant_results_clear(struct variant_results *results);

#endif
