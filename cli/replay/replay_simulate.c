/* The replays of loaded kernels, on several threads; results that are kept elsewhere are taken from there. */
#include "cli/replay/replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "cli/replay/replay_threads.h"
#include "cli/replay/trace_budget.h"
#include "model/isa/isa.h"

#ifdef _OPENMP
#include <omp.h>
#endif

struct trace *replay_trace_begin(const struct replay *replay, size_t kernel, struct error *error) {
  const struct replay_kernel *k = &replay->kernels[kernel];
  struct trace *trace = k->trace;
  return !k->path || trace_load_within(k->path, replay->options, &trace, error) == 0 ? trace : NULL;
}

void replay_trace_end(const struct replay *replay, size_t kernel, struct trace *trace) {
  if (replay->kernels[kernel].path)
    trace_destroy(trace);
}

int replay_recall(const struct replay *replay, size_t kernel, size_t variant, struct sim_result *result,
                  struct error *error) {
  const struct replay_keeper *keeper = replay->keeper;
  return keeper ? keeper->recall(keeper->context, kernel, variant, result, error) : 0;
}

int replay_keep(const struct replay *replay, size_t kernel, size_t variant, const struct sim_result *result,
                struct error *error) {
  const struct replay_keeper *keeper = replay->keeper;
  int status = 0;
  if (!keeper)
    return 0;
#pragma omp critical(replay_keep)
  status = keeper->keep(keeper->context, kernel, variant, result, error);
  return status;
}

static int simulate_trace(const struct replay *replay, struct replay_kernel *kernel, const struct trace *trace,
                          const struct isa_profile *isa, uint32_t threads, struct error *error) {
  const struct gpu_spec *spec = &replay->gpu->spec;
  if (replay->spans > 0)
    kernel->observer.span_limit = replay->spans / (replay->count * (size_t)spec->cores) + 1;
  if (replay->sample > 0)
    return simulate_sampled(trace, isa, spec, replay->sample, &kernel->result, error);
  if (replay->observe) {
    const int status = simulate_observed(trace, isa, spec, &kernel->observer, &kernel->result, error);
    return status == 0 && kernel->observer.out_of_memory ? error_no_memory(error) : status;
  }
  return simulate_with_threads(trace, isa, spec, threads, &kernel->result, error);
}

/* Notes where a trace that is not kept comes from. A file that cannot be read any more is no mistake of the kernel. */
static struct trace *begin_kernel(struct replay *replay, size_t kernel, struct error *error) {
  struct replay_kernel *k = &replay->kernels[kernel];
  struct trace *trace = replay_trace_begin(replay, kernel, error);
  if (!trace) {
    error->kind = ERROR_WORK;
    return NULL;
  }
  if (!k->path || (k->origin = trace_origin_make(trace)))
    return trace;
  replay_trace_end(replay, kernel, trace);
  error_no_memory(error);
  return NULL;
}

static void simulate_kernel(struct replay *replay, size_t kernel, const struct isa_profile *isa, uint32_t threads,
                            struct error *error) {
  struct replay_kernel *k = &replay->kernels[kernel];
  struct trace *trace = begin_kernel(replay, kernel, error);
  if (!trace)
    return;
  if (replay_recall(replay, kernel, 0, &k->result, error) == 0 &&
      simulate_trace(replay, k, trace, isa, threads, error) == 0)
    replay_keep(replay, kernel, 0, &k->result, error);
  replay_trace_end(replay, kernel, trace);
}

struct replay_work {
  struct replay *replay;
  const struct isa_profile *isa;
  struct error *errors; /* [replay.count] */
  struct progress progress;
};

/* At most so many side by side, each by so many threads. */
static void simulate_some(struct replay_work *work, const size_t *kernels, size_t count, int side_by_side,
                          uint32_t threads) {
  (void)side_by_side; /* without OpenMP there is one thread */
#pragma omp parallel for schedule(dynamic, 1) num_threads(side_by_side)
  for (size_t i = 0; i < count; i++) {
    if (!work->replay->kernels[kernels[i]].refusal)
      simulate_kernel(work->replay, kernels[i], work->isa, threads, &work->errors[kernels[i]]);
    progress_add(&work->progress, 1);
  }
}

static int simulate_all(struct replay_work *work, int jobs, bool quiet, struct error *error) {
  struct replay_threads plan;
  const size_t count = work->replay->count;
  if (replay_threads_plan(work->replay, jobs, &plan, error) != 0)
    return -1;
  const size_t first = plan.long_count;
#ifdef _OPENMP
  omp_set_max_active_levels(2);
#endif
  progress_start(&work->progress, "replaying", "kernels", count, quiet);
  if (first > 0)
    simulate_some(work, plan.kernels, first, (int)first, plan.threads);
  simulate_some(work, plan.kernels + first, count - first, jobs, 1);
  progress_end(&work->progress);
  replay_threads_clear(&plan);
  return 0;
}

/* Turns an error of kernel i into a refusal, where the replay is tolerant, or into the error of the command. */
static int judge(struct replay *replay, size_t i, const struct error *found, struct error *error) {
  struct replay_kernel *kernel = &replay->kernels[i];
  if (found->kind == ERROR_NONE)
    return 0;
  if (found->file[0] != '\0') /* a trace or a journal that cannot be read: no matter of the kernel */
    return error_at(error, found->kind, found->file, found->line, found->column, found->key, "%s: %s", kernel->name,
                    found->text);
  if (!replay->tolerant || found->kind != ERROR_INPUT)
    return error_set(error, found->kind, "%s: %s", kernel->name, found->text);
  kernel->refusal = strdup(found->text);
  return kernel->refusal ? 0 : error_no_memory(error);
}

int replay_simulate(struct replay *replay, int jobs, bool quiet, struct error *error) {
  struct isa_profile *isa;
  if (isa_load(replay->gpu->isa, &isa, error) != 0)
    return -1;
  struct error *errors = calloc(replay->count > 0 ? replay->count : 1, sizeof *errors);
  if (!errors) {
    isa_destroy(isa);
    return error_no_memory(error);
  }
  struct replay_work work = {.replay = replay, .isa = isa, .errors = errors};
  int status = simulate_all(&work, jobs, quiet, error);
  for (size_t i = 0; i < replay->count && status == 0; i++)
    status = judge(replay, i, &errors[i], error);
  free(errors);
  isa_destroy(isa);
  return status;
}
