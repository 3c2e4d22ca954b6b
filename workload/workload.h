/* A workload: kernels, launches, buffers and the check of the results, from a YAML file (schema reassemble.workload/1,
 * described in docs/workloads.md). The emulator, the measuring host program and tests read it. It depends neither on
 * LLVM nor on the model.
 *
 * Ownership: workload_load allocates; workload_destroy frees everything.
 * Threads: a loaded workload is read-only and may be shared. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "workload/group_choice.h"
#include "workload/image_format.h"
#include "workload/image_kind.h"
#include "workload/scalar_type.h"

enum buffer_init {
  INIT_ZERO,
  INIT_CONSTANT, /* every element is `low` */
  INIT_UNIFORM,  /* seeded random numbers in [low, high); integers in [low, high] */
  INIT_INDEX,    /* element i is low + i */
  INIT_NONE,     /* zeros that count as undefined: a kernel that reads them before it writes makes a mistake */
  INIT_BYTES,    /* the bytes of `contents`, from a file or from a workload that is built in memory */
  INIT_GIVEN,    /* written by the caller of an emulation into its memory (struct buffer_exchange) */
};

struct workload_buffer {
  char *name;
  enum scalar_type type; /* of an image: of its channels in memory */
  size_t count;          /* number of scalars */
  /* Texels of an image: rows, and layers or slices of rows, follow each other without gaps. Width 0: a buffer. The
   * sizes are those that image_kind.h describes. */
  uint32_t width, height, depth;
  uint8_t image_kind; /* enum image_kind */
  struct image_format format;
  enum buffer_init init;
  double low, high;
  uint64_t seed;         /* computed from the workload's seed and the buffer's name */
  const void *contents;  /* INIT_BYTES: all of the buffer's bytes; borrowed, unless `owned` */
  void *owned;           /* contents that were read from a file */
  const char *undefined; /* INIT_BYTES, INIT_GIVEN: 1 for each byte that counts as undefined; NULL: none; borrowed */
  unsigned line, column; /* place in the YAML file; 0: none */
};

enum argument_kind {
  ARGUMENT_BUFFER,
  ARGUMENT_NULL, /* no buffer: the kernel gets a null pointer */
  ARGUMENT_SCALAR,
  ARGUMENT_LOCAL,
  ARGUMENT_IMAGE,
  ARGUMENT_SAMPLER
};

struct workload_argument {
  enum argument_kind kind;
  size_t buffer;             /* ARGUMENT_BUFFER, ARGUMENT_IMAGE: index */
  size_t offset, span;       /* ARGUMENT_BUFFER: a part of it, in bytes; span 0: to its end */
  enum scalar_type type;     /* ARGUMENT_SCALAR */
  unsigned char value[1024]; /* ARGUMENT_SCALAR: `elements` values of `type`, little endian; a structure's bytes */
  unsigned elements;         /* 1, 2, 3, 4, 8, 16; 0: `bytes` bytes of a type that only the kernel knows */
  size_t bytes;              /* ARGUMENT_LOCAL; ARGUMENT_SCALAR without elements */
  uint32_t sampler;          /* ARGUMENT_SAMPLER: its bits (image_format.h) */
  uint32_t shown_texels;     /* ARGUMENT_IMAGE of a buffer: that from `offset` on are shown as a 1d_buffer; else 0 */
  struct image_format shown; /* the format of these texels */
  unsigned line, column;     /* place in the YAML file */
};

struct workload_launch {
  char *kernel;
  unsigned dimensions;
  uint64_t global[3], offset[3]; /* unused dimensions: 1, 0 */
  uint32_t local[3];
  uint32_t sub_group; /* work-items of a sub-group; 0: the emulator's choice */
  struct workload_argument *arguments;
  size_t argument_count;
  struct group_choice groups; /* which work-groups are emulated; a device runs all of them */
  unsigned line, column;
};

/* A pair of buffers that have to be equal within bounds after a check's kernel has run. */
struct workload_compare {
  size_t buffer, expected;
  double ulps, absolute; /* floats: either bound suffices; integers must be equal */
};

/* A check: a serial kernel that computes the expected result. It runs on the host after the launches, as one work-item;
 * then each pair of buffers is compared. */
struct workload_check {
  char *source;                  /* resolved path */
  struct workload_launch launch; /* global = local = 1 */
  struct workload_compare *compares;
  size_t compare_count;
};

struct workload {
  char *path, *name, *about, *source /* resolved path */, *options;
  char **tags;
  size_t tag_count;
  uint64_t seed;
  struct workload_buffer *buffers;
  size_t buffer_count;
  struct workload_launch *launches;
  size_t launch_count;
  struct workload_check *checks;
  size_t check_count;
  bool in_memory; /* from workload_load_text */
};

int workload_load(const char *path, struct workload **out, struct error *error);
/* Loads a workload from memory. `name` stands for the file in messages, and relative paths start at the current
 * folder. */
int workload_load_text(const char *name, const char *text, struct workload **out, struct error *error);
void workload_destroy(struct workload *workload);
/* Gives the buffers the random contents of another seed, as if the file said `seed: SEED`. */
void workload_reseed(struct workload *workload, uint64_t seed);

#define WORKLOAD_MAX_WORK_GROUP 65536 /* work-items */
#define WORKLOAD_MAX_SUB_GROUP  128   /* work-items: the bits of a ballot, which is a uint4 */

/* Checks that the work-group's size is in bounds and divides the global size in every dimension. workload_load checks
 * it, and emulate_workload does so for launches that are built in memory. */
int workload_check_range(const struct workload_launch *launch, struct error *error);

/* Sets which work-groups of every launch are emulated ("auto", "5%", "0..15"), in place of what the file says. */
int workload_choose_groups(struct workload *workload, const char *text, struct error *error);
/* Sets *out to the work-groups that the launch chooses; it stays empty when all are chosen. The caller clears *out in
 * any case. */
int workload_chosen_groups(const struct workload_launch *launch, struct index_ranges *out, struct error *error);

/* Writes the initial contents: buffer->count elements of buffer->type. */
void workload_buffer_fill(const struct workload_buffer *buffer, void *memory);

/* Writes the paths of the single workloads that a name, file or set stands for. A set (schema
 * reassemble.workload-set/1) has a list `members:` of names relative to the set's file. The caller frees *paths with
 * data_list_free. */
int workload_expand(const char *name_or_path, char ***paths, size_t *count, struct error *error);

/* Returns the index of the first difference between two arrays within the bounds of a compare; -1 if there is none.
 * ULPs are steps in the order of representable numbers; NaN equals NaN. */
ptrdiff_t workload_first_difference(enum scalar_type type, const void *actual, const void *expected, size_t count,
                                    double ulps, double absolute);

#endif
