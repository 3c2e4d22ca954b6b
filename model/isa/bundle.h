/* Operations that issue side by side: a bundle (Bifrost: a tuple) has a number of slots for each pipe, a clause a
 * number of bundles.
 *
 * Operations are added to a clause in program order and may pair with any other operation of it. A clause ends when the
 * next operation finds no free slot in it, behind an operation that accesses memory or waits, before the first use of a
 * loaded value, and at the end of a block. It takes as many whole bundles as its fullest pipe needs, or all of its
 * pipes together; empty slots cost as much as full ones. A trace does not hold the dependencies between operations:
 * pairing is as good as the pipes allow.
 *
 * Unit of slots: 1/1024 (model/isa/price.h). Cost: linear in the operations.
 * Source: Mesa, src/panfrost/bifrost (bi_schedule.c): clauses of up to eight tuples, one message each, which waits for
 * earlier ones in its header. */
#ifndef MODEL_BUNDLE_H
#define MODEL_BUNDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/input/conf.h"
#include "base/error.h"
#include "model/isa/isa.h"
#include "trace/code.h"

#define BUNDLE_NO_PIPE   UINT8_MAX
#define BUNDLE_MOST_SIDE 16      /* largest number of slots of one pipe in a bundle */
#define BUNDLE_MOST      1000000 /* largest number of bundles of a clause */

/* The bundles of an ISA profile; isa_bundle returns it. */
struct bundle_rule {
  uint32_t pipe_count;
  uint32_t slots_of[ISA_PIPE_COUNT]; /* [pipe_count]: slots of each pipe in a bundle */
  uint8_t pipe_of[ISA_PIPE_COUNT];   /* by enum isa_pipe: index of the pipe; BUNDLE_NO_PIPE: none; ISA_PIPE_ANY: all */
  uint32_t most;                     /* largest number of bundles of a clause */
  uint64_t slots;                    /* price of a bundle, in 1/1024 slot */
  const char *source;                /* borrowed from the profile */
};

/* The numbers of bundles and clauses of a block. */
struct bundle_count {
  uint64_t bundles, clauses;
};

/* Reads the mapping `bundle` of a profile. */
int bundle_load(const struct conf_node *node, struct bundle_rule *rule, struct error *error);

/* Replaces the slots of operations by their shares of the price of their clauses, in proportion to the slots, so that
 * the operations' sum equals that of the clauses exactly. `slots`, `pipes` (enum isa_pipe) and `used` (first uses of
 * loaded values) are by operation; `blocks` (may be NULL) by block. */
int bundle_price(const struct bundle_rule *rule, const struct trace_code *code, const uint8_t *pipes, const bool *used,
                 uint64_t *slots, struct bundle_count *blocks, struct error *error);

#endif
