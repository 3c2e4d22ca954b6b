/* Operations that issue side by side: a bundle (Bifrost: a tuple) has so many slots of each pipe, a clause so many
 * bundles.
 *
 * Operations are taken into a clause in program order and may pair with any other of it. A clause ends when the next
 * operation finds no slot in it, behind an operation that accesses memory or waits, before the first use of a loaded
 * value, and at the end of a block. It takes as many whole bundles as its fullest pipe needs, or all of its pipes
 * together; slots that stay empty are paid. Dependencies between operations are not known to a trace: pairing is as
 * good as the pipes allow.
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
#define BUNDLE_MOST_SIDE 16      /* slots of one pipe in a bundle */
#define BUNDLE_MOST      1000000 /* bundles of a clause */

/* Part of an ISA profile; isa_bundle gives it. */
struct bundle_rule {
  uint32_t pipe_count;
  uint32_t slots_of[ISA_PIPE_COUNT]; /* [pipe_count]: of that pipe in a bundle */
  uint8_t pipe_of[ISA_PIPE_COUNT];   /* by enum isa_pipe: where it issues; BUNDLE_NO_PIPE: nowhere, ISA_PIPE_ANY: all */
  uint32_t most;                     /* bundles of a clause */
  uint64_t slots;                    /* that a bundle is paid for, in 1/1024 */
  const char *source;                /* borrowed from the profile */
};

/* The bundles and clauses of a block. */
struct bundle_count {
  uint64_t bundles, clauses;
};

/* Reads the mapping `bundle` of a profile. */
int bundle_load(const struct conf_node *node, struct bundle_rule *rule, struct error *error);

/* Turns the slots of operations into what their clauses are paid for, dealt out by slots, so that operations sum up to
 * clauses exactly. `slots`, `pipes` (enum isa_pipe) and `used` (first uses of loaded values) are by operation; `blocks`
 * (may be NULL) by block. */
int bundle_price(const struct bundle_rule *rule, const struct trace_code *code, const uint8_t *pipes, const bool *used,
                 uint64_t *slots, struct bundle_count *blocks, struct error *error);

#endif
