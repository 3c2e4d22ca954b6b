/* Walks one warp through its work-items' traces as a sequence of events: arithmetic run, memory access, first use of a
 * loaded value (only if the prices have such events), barrier, end.
 *
 * A warp whose items all run one path (uniform) is read from the path's program by loop counters; addresses come from
 * the affine streams. A warp with several paths (divergent) runs them in lockstep under a divergence policy. A run is
 * all arithmetic between two other events, over any number of blocks and loop iterations.
 *
 * Ownership: struct warp_context borrows everything; struct warp borrows its counters and strands from the caller
 * (warp_context.depth, warp_divergent_bytes), so that starting a warp allocates nothing. Errors: only memory, where a
 * function takes a struct error. Cost: O(1) for each event of a uniform warp, O(strands) of a divergent one. Threads: a
 * warp belongs to one thread. Source: docs/model.md, "Warps and divergence". */
#ifndef MODEL_WARP_H
#define MODEL_WARP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/warp/coalesce.h"
#include "model/params/gpu.h"
#include "model/warp/divergence.h"
#include "model/isa/price.h"
#include "model/warp/warp_program.h"
#include "trace/trace.h"

#define WARP_WAITING_ONE (1u << 24) /* fixed point: the sum of 10^12 executions fits, in any order */

/* Counts of the work of warps, for results: see warp_counts_init. */
struct warp_counts {
  uint64_t *path_warps;    /* [path_count]: number of uniform warps */
  uint64_t *path_items;    /* [path_count]: number of work-items */
  uint64_t *block_warps;   /* [block_count]: executions by divergent warps */
  uint64_t *block_waiting; /* [block_count]: sum of the shares of items that waited, in 1 / WARP_WAITING_ONE */
};

struct fetched;

struct warp_context {
  const struct trace *trace;
  const struct isa_profile *isa;
  const struct price_list *prices;
  const struct warp_program *programs; /* [path_count] */
  const struct divergence_policy_ops *policy;
  struct warp_counts *counts; /* NULL: nothing is counted */
  struct fetched *fetched;    /* looks up the code that divergent warps execute; NULL: no code is looked up */
  uint32_t depth;             /* deepest loop nest of all programs */
};

enum warp_event { WARP_RUN, WARP_ACCESS, WARP_USE, WARP_BARRIER, WARP_DONE };

struct strand; /* the items of a divergent warp that run one path */
struct divergent;

/* The part of the present instruction that the walk has returned as events. */
enum warp_moved { WARP_WALK, WARP_RUN_TOLD, WARP_EVENT_TOLD };

struct warp {
  /* The first members are read for every event of a uniform warp: one cache line of the host. */
  const struct instr *at; /* of its path's program: returned last, or next; NULL: the warp is divergent */
  union {
    const uint32_t *base;        /* bases of its path's streams in this work-group */
    struct divergent *divergent; /* the state of a divergent warp */
  };
  const int32_t *streams; /* the run of its streams */
  uint32_t *counters;     /* [depth]: iterations of the open loops, outermost first */
  uint64_t slots;         /* RUN: in 1/1024 slot */
  uint32_t op;            /* ACCESS, USE, BARRIER: the operation */
  uint32_t use;           /* of a divergent warp, USE, ACCESS: as in struct instr (warp_use) */
  uint8_t open_loops;
  uint8_t count;                     /* number of its work-items */
  uint8_t moved;                     /* enum warp_moved */
  bool one_segment;                  /* its items lie in one segment: they are neighbours along the first dimension */
  uint16_t place[3];                 /* local id of its first item */
  uint8_t event, under_way;          /* set by the replay, enum warp_event: returned and not begun; begun last */
  uint64_t rank;                     /* set by the replay: see core.h */
  uint32_t first_item;               /* its first item, by flattened local id */
  uint64_t local_base, private_base; /* addresses of this group's local memory and this warp's private memory */
  uint64_t private_stride;           /* distance of the private memories of neighbouring items */
  uint32_t word_stride_bytes;        /* distance of the words of interleaved private memory, 0: it is not interleaved */
  uint64_t item_slots;               /* RUN of a divergent warp: slots times the items that took part */
  const struct trace_group *group;
  const struct trace_shape *shape;
  const struct trace_path *path;
  struct pipe_uses *uses; /* of the RUN, in memory of the caller; NULL: the GPU has no pipes */
  uint32_t path_index;    /* not of a divergent warp */
  bool narrow;            /* kind of the run of its streams (trace.h) */
};

/* The alignment that makes the state of a divergent warp fill few cache lines of the host. */
enum { WARP_DIVERGENT_ALIGNMENT = 64 };
/* Returns the bytes of the state of a divergent warp, a multiple of the alignment. */
size_t warp_divergent_bytes(uint32_t warp_size, uint32_t depth);

/* Returns the number of warps of a work-group: consecutive work-items by flattened local id, or (per_row) of one
 * segment of the first dimension. */
uint32_t warp_count_in_group(const struct trace_header *header, const struct gpu_spec *spec);
/* Sets the first work-item and the number of work-items of warp number `index` of a group. */
void warp_place(struct warp *warp, const struct trace_header *header, const struct gpu_spec *spec, uint32_t index);
/* Sets walked[i], of [path_count], if all items of some warp run path i. These paths need a program. */
void warp_walked_paths(const struct trace *trace, const struct gpu_spec *spec, bool *walked);
/* Places a warp of a group at its beginning. `memory` has warp_divergent_bytes bytes, or is NULL if no shape of the
 * trace has two cohorts. first_item, count, local_base, private_* and counters have been set. */
void warp_start(struct warp *warp, const struct warp_context *context, const struct trace_group *group, void *memory);
/* Returns the next event. model/warp/warp_uniform.h has the part for uniform warps inline. */
enum warp_event warp_next(struct warp *warp, const struct warp_context *context);
/* Returns the event after `told`, which was returned last, of a uniform warp whose uses of pipes are added up. */
enum warp_event warp_after_with_uses(struct warp *warp, const struct warp_context *context, enum warp_event told);
/* Returns the number of the use (struct instr) of the use or access that warp_next returned last. */
static inline uint32_t warp_use(const struct warp *warp) {
  return warp->at ? warp->at->use : warp->use;
}
/* Writes the addresses of the access that warp_next returned last. */
void warp_addresses(const struct warp *warp, const struct warp_context *context, struct lane_addresses *out);

int warp_counts_init(struct warp_counts *counts, const struct trace *trace, struct error *error);
/* Adds `more`, the counts of the same trace. */
void warp_counts_add(struct warp_counts *counts, const struct warp_counts *more, const struct trace *trace);
void warp_counts_clear(struct warp_counts *counts);

#endif
