/* Functional emulation of a workload: each launch's kernel is translated by a front end and run work-item by work-item
 * on real buffers, and what the work-items do becomes a trace.
 *
 * Errors: a kernel that does not compile gives the translator's own text; a bad access gives kernel, source line,
 * work-item, buffer and offset; a kernel that does not end is stopped at timeout_s, and the error says where it was.
 * Ownership: emulate_workload fills *out, emulate_result_clear frees it. Cost: the translation (about 30 ms for a small
 * kernel) and the kernel's run (docs/emulation-speed.md). Threads: one; the emulation runs in a forked process, so the
 * caller should have no other threads. */
#ifndef TRACEGEN_PROCESS_EMULATION_H
#define TRACEGEN_PROCESS_EMULATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/abi/out_of_bounds.h"
#include "tracegen/abi/launch_inputs.h"
#include "tracegen/abi/undefined_reads.h"
#include "tracegen/front/front_end.h"
#include "workload/workload.h"

#define TRACE_TO_STDOUT "-"

struct worker_pool;

/* The interface by which a caller fills buffers and takes results out without copies of its own (INIT_GIVEN).
 *
 * Shapes: held[i] is the caller's name for what chunk i of the buffer holds: `zeros` before the first fill, 0 where it
 * is not known; each buffer has chunk_count(bytes) of them. A worker that emulates several launches keeps both memory
 * and names between them, so that a caller writes only what is new. Ownership: memory and names are the emulation's. */
struct buffer_exchange {
  void *user;
  uint64_t zeros; /* the name of a chunk of zeros; 0: it has none */
  uint64_t (*chunk_count)(uint64_t bytes);
  /* Makes `memory` hold the contents of buffer number `buffer` before the launches. */
  int (*fill)(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error);
  /* Looks at what the launches left in it, and may change it. */
  int (*take)(void *user, size_t buffer, char *memory, uint64_t *held, struct error *error);
};

struct emulate_options {
  const struct front_end *front_end; /* NULL: the first of front_ends */
  const char *gpu_id;                /* for front ends of machine code: which GPU; NULL: the front end's default */
  /* The folder for traces, made when it is missing. NULL: no traces. TRACE_TO_STDOUT: the trace of the only launch goes
   * to standard output while it is made, and gets its end only after the checks passed. */
  const char *trace_directory;
  bool small_traces;         /* trace_writer_open_packed */
  const char *trace_name;    /* of the traces; NULL: the workload's name */
  double timeout_s;          /* per launch; 0: 600 s */
  size_t memory_bytes;       /* limit of the emulating process; 0: 8 GiB */
  uint64_t max_instructions; /* of all work-items of a traced launch, for which it fails; 0: no limit */
  enum undefined_reads undefined_reads;
  enum out_of_bounds out_of_bounds;
  uint8_t local_fill; /* every byte of local memory holds it at the start, with one job; a test of what reads it */
  bool unoptimised;   /* kernels run as they were written: for comparison, because traces are of optimised ones */
  bool check;         /* run the workload's checks */
  bool quiet;         /* nothing to standard error but errors and what kernels print */
  bool record_jobs;   /* for front ends of machine code: keep each submission to the GPU beside the traces */
  bool no_print;      /* drop what kernels print; otherwise it goes to standard error */
  bool more_follow;   /* emulate_workload will be called again: its translator starts while these kernels run */
  struct worker_pool *pool; /* workers of earlier calls with the same options that may serve this one; NULL: none */
  uint32_t sub_group;       /* work-items of a sub-group where neither kernel nor launch says it; 0: a default */
  const struct buffer_exchange *exchange; /* for buffers of INIT_GIVEN; NULL: there are none */
  unsigned jobs; /* threads that run a launch's work-groups; 0: one. The traces do not depend on it. */
};

struct emulate_launch {
  char *trace_path; /* "<workload>.rtrace", with several launches "<workload>.<launch>.rtrace"; NULL without tracing */
  char *kernel;
  uint64_t groups, launch_groups;  /* work-groups that ran, and all that the launch has */
  uint64_t work_item_instructions; /* of those that ran */
  uint64_t trace_bytes;
  uint64_t simd_groups;         /* work-groups whose work-items ran in SIMD (docs/emulator.md) */
  struct outside_loads outside; /* with OUT_OF_BOUNDS_READ_ZERO */
  double build_s, run_s;
  double source_at_s;  /* when the translator got the source, by clock_seconds; 0: the kernel was built before */
  double first_item_s; /* from the kernel's source to its first work-item, filling of buffers included */
  double cpu_s;        /* processor time of running it, of all threads together */
  struct launch_inputs inputs; /* what the trace depends on */
};

struct emulate_result {
  struct emulate_launch *launches;
  size_t launch_count;
  size_t checks_passed;
  void **buffers; /* final contents, by index of workload->buffers; only with `want_buffers` */
  size_t buffer_count;
  char *
      *undefined; /* by index of workload->buffers: a byte for each of the buffer's, 1 where no launch has written; NULL
                       for a buffer that has no `undefined` */
  size_t undefined_count;
};

/* Runs all launches in order, or of each the work-groups that it chooses (workload/group_choice.h), in a process with
 * limits on time and memory. When a launch fails (ERROR_WORK), the traces of the launches before it stay; when a check
 * fails or the input is wrong, no trace of this call does. Where a launch does not run whole, no check runs and reads
 * of undefined bytes are not looked for. */
int emulate_workload(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                     struct emulate_result *out, struct error *error);
void emulate_result_clear(struct emulate_result *result);
/* Says that an emulation with this front end (NULL: the first) will follow, so that its translator may start to load. A
 * translator that no emulation uses ends with this process. */
void emulate_expect(const struct front_end *front_end);
/* Returns what this system keeps the process from in which kernels run, in words: "kernels run confined: ...". */
void emulate_confinement(char *text, size_t size);
/* Returns whether a launch failed because its emulation took longer than timeout_s. */
bool emulate_ran_out_of_time(const struct error *error);
/* Returns whether a launch failed because it read local memory that nothing had written. */
bool emulate_failed_by_local_read(const struct error *error);

#endif
