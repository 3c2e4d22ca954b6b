/* The trace of a kernel launch in memory: what every work-item did, independent of hardware.
 *
 * Shapes, from large to small:
 * - group: one work-group. It refers to a *shape* and adds the numbers that differ between groups of that shape.
 * - shape: how the work-items of a work-group fall into *cohorts* (work-items that ran the same path), and how the
 *   addresses of each cohort and stream depend on local id and loop iteration. Equal shapes are stored once: regular
 *   kernels have one to nine.
 * - path: the sequence of basic blocks that a work-item ran, folded into nested loops. Equal paths are stored once.
 * - stream: the addresses of one memory operation at one place of a path (a *site*). Its executions are numbered, in
 *   order, by the counters of the loops around it, outermost first. Cohorts with equal streams share them.
 * So the addresses of a warp are base + item_stride . lid + loop_stride . i, and can be coalesced without reading each
 * work-item.
 *
 * Units: addresses are byte offsets of 32 bits. Those of global and constant memory lie in one arena that holds all
 * buffers, so that a trace does not depend on the host; those of local memory in the work-group's local memory; those
 * of private memory in the work-item's.
 * Ownership: struct trace owns everything; trace_destroy frees it.
 * Threads: a trace is read-only after loading, so any number of threads may share it.
 * Source: loop folding after Ketterlin and Clauss, "Prediction and trace compression of data access addresses through
 * nested loop recognition", CGO 2008. The file is specified in docs/trace-format.md. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/index_ranges.h"
#include "trace/code.h"

#define TRACE_MAX_DEPTH 8     /* loops around a site that are stored folded; deeper nests stay unrolled */
#define TRACE_MAX_LOCAL 65536 /* work-items in a work-group */

struct trace_buffer {
  char *name;
  uint32_t base; /* offset in the arena */
  uint32_t bytes;
  uint8_t space; /* enum trace_space: global or constant */
};

struct trace_header {
  char *kernel, *workload, *source_file, *source_digest, *options, *front_end; /* never NULL; "" when unknown */
  uint32_t launch;                                                             /* index of the launch in its workload */
  uint32_t dimensions;                                                         /* 1..3 */
  uint64_t global[3], offset[3];
  uint32_t local[3];          /* unused dimensions are 1; every group is whole: local divides global */
  struct index_ranges sample; /* ids of the work-groups that the trace holds; empty: the whole launch */
  uint32_t sub_group;         /* work-items of a sub-group; 0: the kernel does not ask */
  bool reads_zero;            /* loads from outside of buffers gave zeros; trace.outside_loads counts them */
  uint64_t seed;
  uint32_t local_bytes, private_bytes; /* bytes for each work-group; bytes for each work-item */
  uint32_t registers;                  /* 32-bit registers of a work-item, 0: unknown */
  uint32_t early_load_registers;       /* registers if loads of local memory are placed early; counts where larger */
  struct trace_buffer *buffers;
  uint32_t buffer_count;
  char *code_of; /* in a file: the trace beside it whose code table and listing it has; NULL: its own. NULL in memory */
  char **ir;     /* listing: a line of the front end's code for each operation of the code table */
  uint32_t ir_count; /* trace_code.op_count, or 0 when unknown */
};

/* One step of a path: one execution of `block` (body == 0), or a loop that runs the next `body` steps `repeat`
 * times. */
struct trace_step {
  uint32_t block;
  uint32_t repeat; /* 1 for a block */
  uint32_t body;
};

/* The loops around one or more steps of a path. */
struct trace_nest {
  uint64_t executions;              /* product of repeat[] */
  uint32_t depth;                   /* number of loops, at most TRACE_MAX_DEPTH */
  uint32_t repeat[TRACE_MAX_DEPTH]; /* their trip counts, outermost first */
};

/* Site k of a path is the k-th memory operation met when its steps are read once, front to back. */
struct trace_site {
  uint32_t op;   /* index into trace_code.ops */
  uint32_t nest; /* the loops around it: index into the path's nests */
};

struct trace_path {
  struct trace_step *steps;
  uint32_t step_count;
  struct trace_site *sites;
  uint32_t site_count, nest_count;
  struct trace_nest *nests; /* the first has no loops */
  /* These are counts for each work-item; op_executions counts all classes but OP_MOVE. */
  uint64_t block_executions, access_executions, op_executions, barrier_executions;
};

enum trace_stream_kind {
  /* All address sums are modulo 2^32. */
  STREAM_AFFINE, /* address = base + item_stride . lid + loop_stride . i, lid in local coordinates, for all items */
  STREAM_ITEM,   /* address = item_base[k] + loop_stride . i, k = index of the item in its cohort */
  STREAM_RAW,    /* address = raw[k * executions + e], e = linear execution number */
};

/* A stream of a cohort. The streams of a cohort are stored as a *run* of words. For each site it has a word with the
 * kind of the stream and the place of its first loop stride, counted from the beginning of the run, and three item
 * strides. The loop strides of all sites follow. Words of 0 are an affine stream whose address never changes. A
 * *narrow* cohort has no item strides, because none of its few work-items needs them; its run leaves them out. */
struct trace_stream {
  enum trace_stream_kind kind;
  const int32_t *item_stride; /* [3] for AFFINE */
  const int32_t *loop_stride; /* [depth of the site] for AFFINE and ITEM */
};

enum { TRACE_STREAM_WORDS = 4 };

/* Returns the word of a stream whose first loop stride stands at `place` of the run. */
static inline int32_t trace_stream_word(enum trace_stream_kind kind, uint32_t place) {
  return (int32_t)(place << 2 | (uint32_t)kind);
}

/* Returns the stream of a site in a run with item strides. */
static inline __attribute__((always_inline)) struct trace_stream trace_stream_in(const int32_t *run, uint32_t site) {
  const int32_t *words = run + (size_t)TRACE_STREAM_WORDS * site;
  const uint32_t word = (uint32_t)words[0];
  return (struct trace_stream){(enum trace_stream_kind)(word & 3), words + 1, run + (word >> 2)};
}

/* Returns the stream of a site in the run of a narrow cohort. */
static inline struct trace_stream trace_stream_narrow(const int32_t *run, uint32_t site) {
  static const int32_t none[3];
  const uint32_t word = (uint32_t)run[site];
  return (struct trace_stream){(enum trace_stream_kind)(word & 3), none, run + (word >> 2)};
}

struct trace_cohort {
  uint32_t path; /* index into trace.paths */
  uint32_t item_count : 31;
  uint32_t narrow : 1;
  uint32_t first_stream; /* number of its first stream in the shape; the others follow, site by site */
  uint32_t streams;      /* its run begins at trace.streams[streams]; cohorts with equal streams may share it */
};

struct trace_shape {
  struct trace_cohort *cohorts;
  uint32_t cohort_count;
  uint16_t *cohort_of_item;  /* [local size], by flattened local id (x fastest) */
  uint16_t *index_in_cohort; /* [local size]; items of a cohort are numbered in order of local id */
  uint32_t stream_count;     /* streams of all cohorts */
};

struct trace_group {
  uint32_t id; /* linear group id, x fastest */
  uint32_t shape;
  const uint32_t *base;   /* [stream_count]: AFFINE: the base; ITEM and RAW: first index into `values` */
  const uint32_t *values; /* item bases and raw addresses */
  uint64_t value_count;
};

struct trace {
  struct trace_header header;
  struct trace_code code;
  struct trace_path **paths; /* pointers stay valid while a reader appends */
  uint32_t path_count;
  struct trace_shape **shapes;
  uint32_t shape_count;
  int32_t *streams;           /* runs of all cohorts */
  struct trace_group *groups; /* in order of id, every group once; for a sampled launch, the groups of header.sample */
  uint32_t group_count;
  uint32_t *homes; /* NULL, or by group: groups of one number run on one core, this number modulo the cores. In no file:
                      who puts a launch together sets it (graphics/tile) */
  uint32_t *fragments; /* NULL, or by group: its work-items that are fragments of triangles; in no file, as `homes` */
  uint64_t file_bytes; /* size of the file it was read from */
  uint64_t work_item_instructions; /* operations executed by all items (all classes but OP_MOVE) */
  uint64_t outside_loads;          /* executions of loads that returned zeros, with header.reads_zero */
  uint64_t block_executions;       /* blocks executed by all items; 2^64 - 1 stands for more */
  void *memory;                    /* private to the loader */
};

/* Returns the number of work-items in a work-group. */
static inline uint32_t trace_local_size(const struct trace_header *h) {
  return h->local[0] * h->local[1] * h->local[2];
}

/* Returns the number of work-groups of the launch; a sampled trace holds only some of them. */
uint32_t trace_launch_groups(const struct trace_header *header);
/* Returns whether the trace holds only some work-groups of the launch. */
static inline bool trace_is_sampled(const struct trace_header *header) {
  return header->sample.count > 0;
}

/* Returns the nest of loops around a site. */
static inline const struct trace_nest *trace_nest_of(const struct trace_path *path, uint32_t site) {
  return &path->nests[path->sites[site].nest];
}

/* Returns the stream of a cohort's site, without copying its strides. */
static inline struct trace_stream trace_stream_of(const struct trace *trace, const struct trace_cohort *cohort,
                                                  uint32_t site) {
  const int32_t *run = trace->streams + cohort->streams;
  return cohort->narrow ? trace_stream_narrow(run, site) : trace_stream_in(run, site);
}

/* Frees the texts and buffers of a header. */
void trace_header_clear(struct trace_header *header);

/* Loads and checks a whole trace; "-" is standard input. A damaged trace gives an ERROR_INPUT that names the damage;
 * the message of a truncated file names the last whole work-group. */
int trace_load(const char *path, struct trace **out, struct error *error);
void trace_destroy(struct trace *trace);
/* Loads a trace as trace_load does, but keeps at most `memory_bytes` of the groups' numbers in memory, as many of the
 * paths, shapes and streams, and as many of the list of groups. The others lie in files without a name in $TMPDIR, or
 * in memory where there is no room for the files. trace_load uses 32 MiB. */
int trace_load_spilling(const char *path, size_t memory_bytes, struct trace **out, struct error *error);
/* Announce that a group, a shape with its paths and streams, or a path will be read. After each 32 MiB of them the
 * pages that lie in files leave the process; they are read again when they are needed. Threads: any. */
void trace_path_read(const struct trace *trace, uint32_t path);
void trace_shape_read(const struct trace *trace, uint32_t shape);
void trace_group_read(const struct trace *trace, const struct trace_group *group);

/* Returns the address that the work-item with flattened local id `item` accessed at a site, in the execution with
 * these counters of the loops around it. Cost: linear in the number of loops. */
uint32_t trace_address(const struct trace *trace, const struct trace_group *group, uint32_t item, uint32_t site,
                       const uint32_t *counters);

/* Walks through one work-item's execution block by block. This is the slow and simple way to read a trace. */
struct trace_cursor {
  const struct trace *trace;
  const struct trace_group *group;
  const struct trace_path *path;
  /* For each step of the path, 0, or for a loop that is skipped the number of sites in it plus 1. NULL: nothing is
   * skipped. */
  const uint32_t *passed;
  uint32_t item;
  uint32_t step; /* next step */
  uint32_t depth;
  uint32_t loop_step[64], counter[64]; /* open loops, outermost first */
  uint32_t site;                       /* next site */
  uint32_t loop_site[64];              /* first site inside each open loop */
};

void trace_cursor_init(struct trace_cursor *cursor, const struct trace *trace, const struct trace_group *group,
                       uint32_t item);
/* Writes the next executed block and the addresses of its memory operations; `addresses` has room for
 * blocks[*block].mem_count of them. Returns false at the end. */
bool trace_cursor_next(struct trace_cursor *cursor, uint32_t *block, uint32_t *addresses);

#endif
