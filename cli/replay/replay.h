/* Shared by several commands: turns trace files and workloads into loaded traces, and replays them on a GPU.
 *
 * Inputs: a trace file (*.rtrace or "-"), or the name or file of a workload or set of workloads, or a kernel file
 *         (*.cl, with the options of cli/launch/kernel_file.h), which is then emulated into a temporary folder that is
 *         removed again; or the manifest of a traced program, or its folder.
 *
 * Ownership: replay_load fills the list; replay_clear frees it.
 * Threads:   cli/replay/replay_threads.h. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/launch/kernel_file.h"
#include "cli/launch/variant_results.h"
#include "cli/core/option_rows.h"
#include "cli/core/provenance.h"
#include "model/params/gpu.h"
#include "model/timeline/observer.h"
#include "model/simulate.h"
#include "trace/trace.h"

struct replay_kernel {
  char *name;          /* the workload's, with ".<launch>" when it has several; the file's for a trace */
  char *workload;      /* path of the workload's file; NULL for a trace */
  char *source;        /* path of the kernel's source file; NULL for a trace, which names the file without its folder */
  struct trace *trace; /* NULL: its emulation failed, and it has a `refusal`, or the trace stays in the file `path` */
  char *path;          /* file of a trace that is read for each replay alone; NULL: of none */
  struct trace_origin *origin; /* of that trace, once it has been read; else NULL */
  uint64_t digest;             /* of the trace file's bytes; 0 unless asked for, and for "-" */
  struct sim_result result;
  struct observer observer;             /* empty unless the replay observes */
  char *refusal;                        /* why it has no result; NULL: it has one */
  struct variant_difference difference; /* of what a kernel of a file computed, where the replay compares */
  size_t program;                       /* number of its program, from 1 on; 0: none */
};

/* A whole program (cli/replay/program_traces.h). */
struct replay_program {
  char *name;
  size_t launches; /* with those that have no trace */
  double host_ns;  /* of the program between its launches, as measured when it was traced */
};

/* Results that are kept elsewhere, of a kernel on a variant of the GPU: 0 is the GPU, the others are an ablation's. */
struct replay_keeper {
  void *context;
  /* Returns 1 and the result's cycles, time and issue slots; 0 where it is not known; -1 with an error. Threads: any.
   */
  int (*recall)(void *context, size_t kernel, size_t variant, struct sim_result *result, struct error *error);
  /* Takes the result of a replay. Threads: one at a time. */
  int (*keep)(void *context, size_t kernel, size_t variant, const struct sim_result *result, struct error *error);
};

struct replay {
  struct gpu *gpu;
  struct replay_kernel *kernels;
  size_t count;
  struct replay_program *programs;
  size_t program_count;
  size_t refused_count; /* kernels behind those, set aside by refused_set_aside */
  bool digests;         /* fill `digest` when loading */
  bool observe;         /* fill `observer` */
  bool tolerant;        /* a kernel that cannot be emulated or run gets a `refusal`, and the others their results */
  double sample; /* replay so much of the work at least and estimate the rest (simulate_sampled); 0: replay all */
  size_t spans;  /* observed: so many at most for a timeline, and one more a core; 0: none */
  const struct kernel_file *kernel_file; /* launches of kernel files; NULL: they are no inputs */
  bool compares;                         /* what the kernels of files computed */
  struct variant_results results;        /* of the first kernel, where the replay compares */
  bool sweep_local;                      /* of kernel files: in all work-group sizes that the GPU takes */
  const struct options *options;         /* of traces that are read for each replay */
  const struct replay_keeper *keeper;    /* NULL: none */
};

/* Loads the inputs (the command's arguments) and simulates them on replay->gpu, which has been loaded. */
int replay_run_inputs(struct replay *replay, const struct options *options, struct error *error);

/* The steps of a replay, for commands whose inputs come from elsewhere. */
int replay_load_gpu(struct replay *replay, const char *name, struct error *error);
/* Appends the kernels of one input; of the options --quiet, --seed and the limits count. */
int replay_load(struct replay *replay, const char *input, const struct options *options, struct error *error);
/* Appends the trace in the file `path` as a kernel of that name and workload (NULL: none), both copied. */
int replay_add_trace(struct replay *replay, const char *path, const char *name, const char *workload,
                     const struct options *options, struct error *error);
/* The same for a trace that is read for each replay and given back behind it, so that memory has as many of them as
 * there are jobs. The file and the options have to stay. */
int replay_add_file(struct replay *replay, const char *path, const char *name, const char *workload,
                    const struct options *options, struct error *error);
/* Returns the kernel's trace, read from its file where it stays there; NULL with an error. A trace that was read is
 * given back by replay_trace_end. Threads: any. */
struct trace *replay_trace_begin(const struct replay *replay, size_t kernel, struct error *error);
void replay_trace_end(const struct replay *replay, size_t kernel, struct trace *trace);
/* Asks the keeper for a result, and gives it one: as the keeper's functions do. Threads: any. */
int replay_recall(const struct replay *replay, size_t kernel, size_t variant, struct sim_result *result,
                  struct error *error);
int replay_keep(const struct replay *replay, size_t kernel, size_t variant, const struct sim_result *result,
                struct error *error);
/* Replays every kernel; results do not depend on `jobs`. */
int replay_simulate(struct replay *replay, int jobs, bool quiet, struct error *error);

void replay_clear(struct replay *replay);

#endif
