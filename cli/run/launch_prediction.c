#include "cli/run/launch_prediction.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/replay/trace_budget.h"
#include "model/simulate.h"
#include "model/warp/occupancy.h"
#include "trace/write/work_limit.h"

/* Work-items from which on a launch is sampled: assumed; a launch of a few operations is emulated whole in 10 ms. */
#define SAMPLED_ITEMS ((uint64_t)1 << 17)
/* Work-item instructions from which on a launch of fewer work-items is sampled, and a whole trace is replayed in part:
 * assumed; on a GPU without warps the replay of so many takes 1 to 2 s. */
#define SAMPLED_INSTRUCTIONS ((uint64_t)1 << 26)
/* The largest error bound with which some work-groups stand for a launch of fewer work-items: assumed; 8 % is the least
 * that a sampled launch has (docs/sampling.md). */
#define SAMPLED_BOUND 0.1
#define LEAST_SHARE   (1.0 / 16) /* of a whole trace of much work that is replayed, as `simulate --sample` does */

/* Replays. */

static const struct known_trace *find_trace(const struct predictor *p, uint64_t digest) {
  for (size_t i = 0; i < p->trace_count; i++)
    if (p->traces[i].digest == digest)
      return &p->traces[i];
  return NULL;
}

static int keep_trace(struct predictor *p, uint64_t digest, struct error *error) {
  if (!array_room_for_one(&p->traces, p->trace_count, sizeof *p->traces))
    return error_no_memory(error);
  p->traces[p->trace_count++] = (struct known_trace){digest, p->count - 1};
  return 0;
}

static void forget_unfit(struct predictor *p, struct prediction *out) {
  for (size_t gpu = 0; gpu < p->gpu_count; gpu++) {
    free(out->unfit[gpu]);
    out->unfit[gpu] = NULL;
  }
}

/* Returns whether a replay that was refused would be possible with all work-groups. */
static bool needs_all_groups(const struct trace *trace, const struct gpu_spec *spec) {
  struct error ignored = ERROR_INIT;
  return trace_is_sampled(&trace->header) && occupancy_check(trace, spec, &ignored) == 0;
}

static int note_unfit(struct predictor *p, size_t gpu, struct prediction *out, const char *why, struct error *error) {
  if (!p->options->quiet && !p->told_unfit[gpu])
    fprintf(stderr, "reassemble: launch %" PRId64 " (%.100s) does not run on %s: %s\n", out->index, out->kernel,
            p->gpus[gpu]->name, why);
  p->told_unfit[gpu] = true;
  out->unfit[gpu] = strdup(why);
  return out->unfit[gpu] ? 0 : error_no_memory(error);
}

static int replay_on(struct predictor *p, size_t gpu, const struct trace *trace, const struct prediction *out,
                     struct sim_result *result, struct error *error) {
  return out->instructions < SAMPLED_INSTRUCTIONS || out->sampled
             ? simulate(trace, p->isas[gpu], &p->gpus[gpu]->spec, result, error)
             : simulate_sampled(trace, p->isas[gpu], &p->gpus[gpu]->spec, LEAST_SHARE, result, error);
}

static int replay(struct predictor *p, const struct trace *trace, struct prediction *out, struct error *error) {
  forget_unfit(p, out);
  for (size_t i = 0; i < p->gpu_count; i++) {
    struct sim_result result = {0};
    struct error refused = ERROR_INIT;
    if (replay_on(p, i, trace, out, &result, &refused)) {
      if (i == 0 || needs_all_groups(trace, &p->gpus[i]->spec))
        return error_set(error, refused.kind, "%s", refused.text);
      if (note_unfit(p, i, out, refused.text, error))
        return -1;
      continue; /* the others go on */
    }
    out->ns[i] = llround(result.time_ns) > 0 ? llround(result.time_ns) : 1;
    if (i == 0)
      out->error_bound = result.estimated ? result.error_bound : 0;
    sim_result_clear(&result);
  }
  return 0;
}

static int take_known(struct predictor *p, const struct prediction *known, struct prediction *out,
                      struct error *error) {
  memcpy(out->ns, known->ns, p->gpu_count * sizeof *out->ns);
  out->error_bound = known->error_bound;
  for (size_t i = 0; i < p->gpu_count; i++)
    if (known->unfit[i] && note_unfit(p, i, out, known->unfit[i], error))
      return -1;
  return 0;
}

static int replay_file(struct predictor *p, const char *path, struct prediction *out, struct error *error) {
  if (file_digest(path, &out->digest, error))
    return -1;
  const struct known_trace *known = find_trace(p, out->digest);
  struct options silent = *p->options; /* loads from outside of buffers are reported once for all launches */
  struct trace *trace;
  silent.quiet = true;
  if (known)
    return take_known(p, &p->predictions[known->prediction], out, error);
  if (trace_load_within(path, &silent, &trace, error))
    return -1;
  const int status = replay(p, trace, out, error);
  trace_destroy(trace);
  return status;
}

/* Emulation. */

static int emulate(struct predictor *p, size_t i, const char *groups, uint64_t most_instructions,
                   struct prediction *out, struct error *error) {
  const struct options *o = p->options;
  const struct emulate_options options = {.trace_directory = p->folder,
                                          .timeout_s = o->timeout_s,
                                          .memory_bytes = (size_t)o->memory_bytes,
                                          .max_instructions = most_instructions,
                                          .undefined_reads = UNDEFINED_READS_NONE,
                                          .out_of_bounds = p->out_of_bounds,
                                          .quiet = true,
                                          .more_follow = true,
                                          .check = p->compares,
                                          .jobs = o->emulation_jobs,
                                          .no_print = true};
  struct capture_outcome outcome;
  const double start_s = clock_seconds();
  p->capture.groups = groups;
  if (capture_emulate(&p->capture, i, "launch", &options, 0, &outcome, error))
    return -1;
  const struct emulate_launch *l = &outcome.emulated.launches[0];
  out->groups = l->launch_groups;
  out->sampled = l->groups < l->launch_groups;
  out->instructions = l->work_item_instructions;
  out->emulation_s = clock_seconds() - start_s;
  out->agreement = outcome.agreement;
  if (outcome.agreement == CAPTURE_DIFFERS)
    out->difference = strdup(outcome.difference);
  const int status = replay_file(p, l->trace_path, out, error);
  if (status == 0 && l->outside.count > 0) {
    p->outside_loads += l->outside.count;
    p->outside_launches++;
  }
  out->replay_s = clock_seconds() - start_s - out->emulation_s;
  unlink(l->trace_path);
  capture_outcome_clear(&outcome);
  return status;
}

static bool has_many_items(const json_t *launch) {
  uint64_t items = 1;
  for (size_t d = 0; d < 3; d++)
    items *= (uint64_t)json_integer_value(json_array_get(json_object_get(launch, "global"), d));
  return items >= SAMPLED_ITEMS;
}

static void tell_whole(struct predictor *p, const struct prediction *out, const struct error *why) {
  if (!p->options->quiet && !p->told_whole)
    fprintf(stderr,
            "reassemble: launch %" PRId64 " (%.100s) is emulated whole, which takes longer, and so is each other one "
            "that some of its work-groups do not represent: %s\n",
            out->index, out->kernel, why->text);
  p->told_whole = true;
}

static void tell_estimate(const struct predictor *p, const struct prediction *out) {
  if (!p->options->quiet)
    fprintf(stderr,
            "reassemble: the time of launch %" PRId64 " (%.100s) is up to %.0f %% off: it follows from some of its "
            "work-groups, because emulating all of them is more than the limits allow\n",
            out->index, out->kernel, 100 * out->error_bound);
}

/* Emulates a launch of few work-items whole if that is little work. *is_large: it is not, and the error says so. */
static int predict_small(struct predictor *p, size_t i, struct prediction *out, bool *is_large, struct error *error) {
  const uint64_t limit = (uint64_t)p->options->max_instructions;
  const bool limited = limit > 0 && limit <= SAMPLED_INSTRUCTIONS;
  const int status = emulate(p, i, NULL, limited ? limit : SAMPLED_INSTRUCTIONS, out, error);
  *is_large = status && !limited && work_limit_was_reached(error);
  return status;
}

/* Emulates some work-groups. Of a launch of few work-items these have to be representative enough. *estimated: they
 * gave an estimate, even if its bound is too large. */
static int predict_sampled(struct predictor *p, size_t i, double most_bound, struct prediction *out, bool *estimated,
                           struct error *error) {
  *estimated = emulate(p, i, "auto", (uint64_t)p->options->max_instructions, out, error) == 0;
  if (!*estimated || out->error_bound <= most_bound)
    return *estimated ? 0 : -1;
  return error_set(error, ERROR_WORK, "an estimate from some of its work-groups is up to %.0f %% off",
                   100 * out->error_bound);
}

/* Emulates all work-groups. Where there are too many for that, an estimate that *out has stays there. */
static int predict_whole(struct predictor *p, size_t i, bool estimated, struct prediction *out, struct error *error) {
  if (emulate(p, i, NULL, (uint64_t)p->options->max_instructions, out, error) == 0)
    return 0;
  if (!estimated || !(work_limit_was_reached(error) || emulate_ran_out_of_time(error)))
    return -1;
  *error = (struct error)ERROR_INIT;
  tell_estimate(p, out);
  return 0;
}

static int predict_new(struct predictor *p, size_t i, const json_t *launch, struct prediction *out,
                       struct error *error) {
  struct error refused = ERROR_INIT;
  bool sampled = !p->whole && has_many_items(launch), estimated = false;
  double most_bound = INFINITY;
  if (!p->whole && !sampled) {
    struct error small = ERROR_INIT;
    most_bound = SAMPLED_BOUND;
    if (predict_small(p, i, out, &sampled, &small) == 0)
      return 0;
    if (!sampled)
      return error_set(error, small.kind, "%s", small.text);
  }
  if (sampled && predict_sampled(p, i, most_bound, out, &estimated, &refused) == 0)
    return 0;
  if (predict_whole(p, i, estimated, out, error))
    return -1;
  if (sampled && !out->sampled)
    tell_whole(p, out, &refused);
  return 0;
}

int predict_launch(struct predictor *p, size_t i, const json_t *launch, struct prediction *out, struct error *error) {
  if (predict_new(p, i, launch, out, error))
    return -1;
  return find_trace(p, out->digest) ? 0 : keep_trace(p, out->digest, error);
}
