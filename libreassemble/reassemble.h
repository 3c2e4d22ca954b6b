/* libreassemble: traces, GPUs, predictions, tunings and sweeps for other programs.
 *
 * Purpose: open a trace that `reassemble trace` made, load a GPU description, replay the trace on it, and read the
 * prediction by name; fit a GPU to a board; predict many designs. Names are those that the program prints with --json.
 * Use: cc predict.c $(pkg-config --cflags --libs reassemble)
 * Ownership: an object that a function stores through its last pointer before `error` belongs to the caller, who frees
 * it with the *_free function of its type, which also takes NULL. Texts belong to the object that they were read from.
 * Errors: a function that can fail returns 0, or -1 with the reason in *error (which may be NULL) and stores nothing.
 * Threads: there is no hidden state. Traces and GPUs are read only while they are simulated, so any number of threads
 * may simulate the same ones; reassemble_gpu_set needs exclusive use of the GPU.
 * Bindings: opaque pointers, plain structs and callbacks with a user pointer; no macros or inline functions. */
#ifndef REASSEMBLE_H
#define REASSEMBLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum reassemble_error_kind {
  REASSEMBLE_OK = 0,
  REASSEMBLE_BAD_INPUT = 1, /* a file, name or value is wrong */
  REASSEMBLE_FAILED = 2,    /* the work failed: memory, reading, a limit */
};

struct reassemble_error {
  int32_t kind;          /* enum reassemble_error_kind */
  uint32_t line, column; /* place in `file`, from 1 on; 0: unknown */
  char file[512];        /* "" when no file is concerned */
  char key[128];         /* key of YAML or JSON, or a parameter's name; "" when there is none */
  char message[4096];    /* what was found, what was expected, what to try */
};

/* Returns the version of the library that runs, "major.minor.patch". */
const char *reassemble_version(void);

/* ---- traces: the execution of every work-item of one kernel launch, independent of hardware ---- */

struct reassemble_trace;

struct reassemble_launch {
  const char *kernel, *workload, *source_file; /* "" when unknown */
  uint64_t global_size[3];                     /* work-items */
  uint32_t local_size[3];                      /* work-items of a work-group; unused dimensions are 1 */
  uint32_t registers;                          /* 32-bit registers of a work-item, 0 when unknown */
  uint32_t local_bytes, private_bytes;         /* bytes for each work-group; bytes for each work-item */
  uint64_t work_groups;
};

/* Reads the whole trace into memory ("-": standard input). Cost: time and memory grow with the file. */
int reassemble_trace_open(const char *path, struct reassemble_trace **trace, struct reassemble_error *error);
void reassemble_trace_free(struct reassemble_trace *trace);
/* Describes the launch. Texts are valid as long as the trace is. */
void reassemble_trace_launch(const struct reassemble_trace *trace, struct reassemble_launch *launch);

/* ---- GPUs ---- */

struct reassemble_gpu;

struct reassemble_parameter {
  const char *name, *unit, *meaning; /* unit: "cycles", "bytes", "1" and so on */
  const char *source;                /* source of the value */
  const char *const *choices;        /* names of the values 0, 1 ..., ended by NULL; NULL for a number */
  double value, minimum, maximum;
};

/* Loads a shipped GPU ("mali-g71-mp8") or a YAML file, together with the ISA profile that it names. */
int reassemble_gpu_load(const char *name_or_path, struct reassemble_gpu **gpu, struct reassemble_error *error);
/* Makes a copy of a GPU, which can be changed independently, for sweeps. */
int reassemble_gpu_copy(const struct reassemble_gpu *gpu, struct reassemble_gpu **copy, struct reassemble_error *error);
void reassemble_gpu_free(struct reassemble_gpu *gpu);
const char *reassemble_gpu_name(const struct reassemble_gpu *gpu);
/* Set and get one parameter: a number unchanged, true and false as 1 and 0, a choice by its index. The parameter's
 * bounds are checked here, relations between parameters by reassemble_simulate. */
int reassemble_gpu_set(struct reassemble_gpu *gpu, const char *parameter, double value, struct reassemble_error *error);
int reassemble_gpu_get(const struct reassemble_gpu *gpu, const char *parameter, double *value,
                       struct reassemble_error *error);
/* Calls `visit` for every parameter, in the order of `reassemble params`, until it returns a number other than 0, and
 * returns that number, or 0. Texts are valid during the call. */
int reassemble_gpu_each(const struct reassemble_gpu *gpu,
                        int (*visit)(const struct reassemble_parameter *parameter, void *user), void *user);

/* ---- predictions ---- */

struct reassemble_result;

/* Replays the trace on the GPU. The same trace and GPU give the same numbers. Cost: grows with the events of warps,
 * not with cycles. */
int reassemble_simulate(const struct reassemble_trace *trace, const struct reassemble_gpu *gpu,
                        struct reassemble_result **result, struct reassemble_error *error);
void reassemble_result_free(struct reassemble_result *result);
/* Reads one number by its name in `reassemble simulate --json`: "cycles", "time_ns", "cycle_stack.dram",
 * "l1.misses"... */
int reassemble_result_get(const struct reassemble_result *result, const char *name, double *value,
                          struct reassemble_error *error);
/* Calls `visit` for every number with its unit and meaning, until it returns a number other than 0, which is
 * returned. */
int reassemble_result_each(const struct reassemble_result *result,
                           int (*visit)(const char *name, double value, const char *unit, const char *meaning,
                                        void *user),
                           void *user);
/* Calls `visit` for each source line, in ascending order, and each component of the cycle stack, with the cycles that
 * the line cost, until it returns a number other than 0, which is returned. */
int reassemble_result_each_line(const struct reassemble_result *result,
                                int (*visit)(uint32_t line, const char *component, double cycles, void *user),
                                void *user);

/* ---- tunings: parameters of a GPU fitted to measurements ---- */

struct reassemble_tuning;

/* The settings of a tuning. A member that is NULL or 0 has the default of `reassemble tune`, whose help explains the
 * forms of the texts. */
struct reassemble_tuning_request {
  const char *board;      /* a shipped name or a file; required */
  const char *gpu;        /* a shipped name or a file; NULL: the GPU that the board names */
  const char *parameters; /* "arith,l1_miss=10..200@29" */
  const char *objective;  /* "mape", "mape:0.7+spearman:0.3" */
  const char *method;     /* "gauss_newton", "linear", "binary" ... */
  uint64_t evaluations;   /* largest number of points of a search */
  uint64_t starts;        /* number of places where simplex begins */
  double tolerance;       /* relative difference up to which values count as equal */
  double penalty_percent; /* percent for each squared logarithm of a change from the start; below 0: none */
  uint64_t seed;          /* 0: 1 */
  int32_t jobs;           /* threads; 0: 1; results do not depend on it */
  /* Returns the trace of a measurement, or NULL if there is none, which is an error. The caller owns it and keeps it
   * open until reassemble_tune returns. Required. */
  const struct reassemble_trace *(*trace)(const char *workload, uint32_t launch, void *user);
  void *user;
};

/* Tunes a GPU to a board. Cost: a replay of every measured trace for each evaluation. Source: docs/tuner.md. */
int reassemble_tune(const struct reassemble_tuning_request *request, struct reassemble_tuning **tuning,
                    struct reassemble_error *error);
void reassemble_tuning_free(struct reassemble_tuning *tuning);
/* Reads a number of a tuning: "objective", "start_objective", "evaluations", "mape_percent", "pearson", "spearman",
 * "kendall", or one of the last four with the prefix "start_", for the start values. A coefficient that is not defined
 * is NaN. */
int reassemble_tuning_get(const struct reassemble_tuning *tuning, const char *name, double *value,
                          struct reassemble_error *error);
/* Calls `visit` for each parameter in the order of the request, until it returns a number other than 0, which is
 * returned. `low` and `high` are the range that was searched. */
int reassemble_tuning_each_parameter(const struct reassemble_tuning *tuning,
                                     int (*visit)(const char *name, const char *unit, double start, double tuned,
                                                  double low, double high, void *user),
                                     void *user);
/* Calls `visit` for each kernel, with times in the unit of the board, until it returns a number other than 0, which is
 * returned. */
int reassemble_tuning_each_kernel(const struct reassemble_tuning *tuning,
                                  int (*visit)(const char *name, double measured, double start, double predicted,
                                               void *user),
                                  void *user);
/* Makes the GPU with the tuned values. */
int reassemble_tuning_gpu(const struct reassemble_tuning *tuning, struct reassemble_gpu **gpu,
                          struct reassemble_error *error);

/* ---- sweeps: many designs of a GPU ---- */

struct reassemble_sweep;

struct reassemble_workload {
  const char *name;
  const struct reassemble_trace *const *traces; /* its launches, in order */
  uint64_t count;
};

struct reassemble_sweep_request {
  const char *sweep;                           /* a shipped name or a file; its workloads are replaced by those below */
  const struct reassemble_workload *workloads; /* the caller's, with the traces, until reassemble_sweep_run returns */
  uint64_t workload_count;
  int32_t jobs;  /* threads; 0: 1; results do not depend on it */
  int32_t exact; /* replay every design; 0: some are timed from a recorded replay and marked as not exact */
};

/* One design. Arrays are by workload and valid during the call. */
struct reassemble_design {
  uint64_t point;   /* 0: the base */
  const char *name; /* "base", a variant's name, or "cores=12 l2_bytes=1Mi" */
  double objective, area, energy_ratio;
  const double *cycles, *time_ns, *speedups; /* speed-ups are over the base */
  int32_t exact;                             /* whether every workload was replayed */
};

/* Runs a sweep. Cost: a replay for each design and workload, fewer if designs share a recorded one. Source:
 * docs/sweeps.md. */
int reassemble_sweep_run(const struct reassemble_sweep_request *request, struct reassemble_sweep **sweep,
                         struct reassemble_error *error);
void reassemble_sweep_free(struct reassemble_sweep *sweep);
/* Calls `visit` for every possible design once, in the order of the sweep's points, until it returns a number other
 * than 0, which is returned. */
int reassemble_sweep_each(const struct reassemble_sweep *sweep,
                          int (*visit)(const struct reassemble_design *design, void *user), void *user);

#ifdef __cplusplus
}
#endif

#endif
