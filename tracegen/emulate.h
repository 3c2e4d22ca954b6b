/* Functional emulation of a workload: OpenCL C -> clang -> LLVM IR -> instrumented native code, run work-item by
 * work-item on real buffers. The only public door to LLVM.
 *
 * Errors: a kernel that does not compile gives clang's own text; a bad access gives kernel, source line, work-item,
 * buffer and offset; an endless kernel stops at timeout_s, and the error says where. Threads: one emulate_workload at a
 * time per process is enough (each runs in a child process of its own). */
#ifndef TRACEGEN_EMULATE_H
#define TRACEGEN_EMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/abi/undefined_reads.h"
#include "workload/workload.h"

#define TRACE_TO_STDOUT "-"

/* Children that have built a kernel and stay, each for launches that differ from its first one in the names of
 * buffers and what they hold, in the sizes of the launch and in numbers alone. emulate_keep: NULL when out of memory;
 * emulate_kept_end ends them all. */
struct emulate_kept;
struct emulate_kept *emulate_keep(void);
void emulate_kept_end(struct emulate_kept *kept);

struct emulate_options {
  /* Where traces go (created when missing); NULL: emulate without tracing; TRACE_TO_STDOUT: the trace of the only
   * launch goes to standard output while it is made, and gets its end only after the checks passed. */
  const char *trace_directory;
  const char *trace_name; /* of the traces, in place of the workload's name; NULL: that */
  double timeout_s;       /* per launch; 0: 600 s */
  size_t memory_bytes;    /* of the child process; 0: 8 GiB */
  enum undefined_reads undefined_reads;
  bool check; /* run the workload's checks */
  bool quiet;
  bool no_print;    /* drop what kernels print; otherwise it goes to standard error */
  bool more_follow; /* emulate_workload will be called again: its compiler starts while this one's kernels run */
  /* Children of earlier calls with the same options may serve this one, and its own later ones; NULL: none are kept. */
  struct emulate_kept *kept;
  unsigned jobs; /* threads that emulate a launch's work-groups beside each other; 0: one. Traces are the same. */
};

struct emulate_launch {
  char *
      trace_path; /* NULL without tracing; "<workload>.rtrace", or "<workload>.<launch>.rtrace" with several launches */
  char *kernel;
  uint64_t work_item_instructions;
  uint64_t trace_bytes;
  uint64_t row_groups; /* work-groups that this process ran in rows of work-items (docs/emulator.md) */
  double build_s, run_s;
  double source_at_s;  /* when clang got the kernel's source, by the monotonic clock; 0: it was built before */
  double first_item_s; /* from the kernel's source to its first work-item, filling buffers included */
  double cpu_s;        /* processor time of running it, of all threads together */
};

struct emulate_result {
  struct emulate_launch *launches;
  size_t launch_count;
  size_t checks_passed;
  void **buffers; /* final contents, by index of workload->buffers; filled when `want_buffers` */
  size_t buffer_count;
  /* By index of workload->buffers: for a buffer with `undefined`, 1 for each byte that no launch has written; else NULL
   */
  char **undefined;
  size_t undefined_count;
};

/* Runs all launches in order in a child process with limits on time and memory. When a launch fails (ERROR_WORK), the
 * traces of the launches before it stay; when a check fails or the input is wrong, none of this call does. */
int emulate_workload(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                     struct emulate_result *out, struct error *error);
void emulate_result_clear(struct emulate_result *result);
/* An emulation will follow: its compiler is started now, and loads beside whatever comes before. A process that starts
 * no emulation then leaves it behind; it ends with this process. */
void emulate_expect(void);

/* "clang 15.0.6 + LLVM 15.0.6 + PoCL built-ins kernel-…-sse2.bc", for headers and --version. */
const char *emulate_front_end(void);

#endif
