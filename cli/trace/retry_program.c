#include "cli/trace/retry_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/core/temporary.h"
#include "cli/trace/program_start.h"

#define WITHOUT_OPTIMISER "-cl-opt-disable"
#define WATCH_NS          2000000 /* between looks at the program */

struct retry {
  struct trace_program request; /* with the option, and the launches that matter alone */
  const struct options *options;
  const json_t *launches; /* of the first run */
  char *folder;           /* of the capture */
  struct program program;
  struct capture capture;
  size_t next; /* launches of the capture that were looked at */
};

static const char *text_of(const json_t *launch, const char *key) {
  const char *text = json_string_value(json_object_get(launch, key));
  return text ? text : "";
}

static bool differs(const json_t *launch) {
  return strcmp(text_of(launch, "result"), "differs") == 0;
}

void retry_without_our_optimiser(struct capture *capture, size_t index, json_t *launch,
                                 const struct emulate_options *options, double ulps) {
  struct emulate_options plain = *options;
  struct capture_outcome outcome;
  struct error ignored = ERROR_INIT;
  plain.trace_directory = NULL;
  plain.undefined_reads = UNDEFINED_READS_NONE;
  plain.unoptimised = true;
  plain.more_follow = false;
  if (capture_emulate(capture, index, "unoptimised", &plain, ulps, &outcome, &ignored))
    return;
  json_object_set_new(launch, "unoptimised", json_string(outcome.agreement == CAPTURE_DIFFERS ? "differs" : "equal"));
  capture_outcome_clear(&outcome);
}

/* Returns the launch of the first run that this one repeats; NULL: none that differed. */
static json_t *repeated(const struct retry *r, const json_t *again) {
  const json_int_t index = json_integer_value(json_object_get(again, "index"));
  size_t i;
  json_t *launch;
  json_array_foreach(r->launches, i, launch) {
    if (differs(launch) && json_integer_value(json_object_get(launch, "index")) == index)
      return strcmp(text_of(launch, "kernel"), text_of(again, "kernel")) == 0 ? launch : NULL;
  }
  return NULL;
}

static void compare(struct retry *r, json_t *launch) {
  const struct emulate_options options = {.front_end = r->request.front_end,
                                          .timeout_s = r->options->timeout_s,
                                          .memory_bytes = (size_t)r->options->memory_bytes,
                                          .check = true,
                                          .undefined_reads = UNDEFINED_READS_NONE,
                                          .out_of_bounds = r->request.out_of_bounds,
                                          .quiet = true,
                                          .jobs = r->options->emulation_jobs,
                                          .no_print = true};
  const json_t *allowed = json_object_get(launch, "ulps");
  const double ulps = r->request.ulps >= 0 ? r->request.ulps : allowed ? json_number_value(allowed) : EXACT_ULPS;
  struct capture_outcome outcome;
  struct error ignored = ERROR_INIT;
  if (capture_emulate(&r->capture, r->next, "retry", &options, ulps, &outcome, &ignored))
    return;
  json_object_set_new(launch, "retry",
                      json_string(outcome.agreement == CAPTURE_EQUAL || outcome.agreement == CAPTURE_CLOSE
                                      ? "opencl-optimiser"
                                  : outcome.agreement == CAPTURE_DIFFERS ? "neither"
                                                                         : "not-repeated"));
  capture_outcome_clear(&outcome);
}

/* Looks at the launches that nothing more will be heard of. */
static int take_launches(struct retry *r, struct error *error) {
  bool any;
  if (capture_advance(&r->capture, &any, error))
    return -1;
  for (; r->next < json_array_size(r->capture.launches); r->next++) {
    json_t *again = json_array_get(r->capture.launches, r->next), *launch = repeated(r, again);
    const bool skipped = json_object_get(again, "skipped") != NULL;
    if (!skipped && !r->program.child.ended && !capture_is_complete(again))
      return 0;
    if (launch && !skipped)
      compare(r, launch);
    capture_done(&r->capture, again);
  }
  return 0;
}

static int watch(struct retry *r, struct error *error) {
  static const struct timespec pause = {.tv_nsec = WATCH_NS};
  const double start = clock_seconds(), stop_s = r->request.stop_after_s;
  while (!child_has_ended(&r->program.child)) {
    if (stop_s > 0 && clock_seconds() - start >= stop_s)
      child_end(&r->program.child);
    else if (capture_is_waiting(&r->capture) && take_launches(r, error))
      return -1;
    nanosleep(&pause, NULL);
  }
  return take_launches(r, error) || capture_end(&r->capture, error) ? -1 : 0;
}

/* Returns the launches that differ as a range that --launch takes; the caller frees it. NULL: out of memory. */
static char *range_of(const json_t *launches) {
  json_int_t first = -1, last = -1;
  size_t i;
  json_t *launch;
  json_array_foreach(launches, i, launch) if (differs(launch)) {
    last = json_integer_value(json_object_get(launch, "index"));
    first = first < 0 ? last : first;
  }
  return text_format("%lld..%lld", (long long)first, (long long)last);
}

static int run_again(struct retry *r, struct error *error) {
  if (temporary_create(&r->folder, error))
    return -1;
  int status = capture_open(r->folder, &r->capture, error) ||
                       program_start(&r->program, &r->request, r->folder, error) || watch(r, error)
                   ? -1
                   : 0;
  if (status && r->program.child.process > 0)
    child_stop(&r->program.child);
  capture_close(&r->capture);
  temporary_remove(r->folder);
  return status;
}

/* A launch that OpenCL's optimiser does not explain may be explained by the emulator's. */
static void conclude(json_t *launch, struct retry_counts *counts) {
  const char *retry = text_of(launch, "retry");
  if (strcmp(retry, "opencl-optimiser") == 0)
    counts->opencl++;
  else if (strcmp(text_of(launch, "unoptimised"), "equal") == 0) {
    json_object_set_new(launch, "retry", json_string("emulator-optimiser"));
    counts->emulator++;
  } else if (strcmp(retry, "neither") == 0)
    counts->neither++;
  else {
    json_object_set_new(launch, "retry", json_string("not-repeated"));
    counts->not_repeated++;
  }
  json_object_del(launch, "unoptimised");
}

int retry_program(const struct trace_program *request, const struct options *options, json_t *launches,
                  struct retry_counts *counts, struct error *error) {
  struct retry r = {.request = *request, .options = options, .launches = launches};
  char *range = range_of(launches);
  r.program = (struct program){.options = options, .front_end = request->front_end};
  r.request.launches = range;
  r.request.opencl_options = WITHOUT_OPTIMISER;
  if (!range)
    return error_no_memory(error);
  if (!options->quiet)
    fprintf(stderr,
            "reassemble: OpenCL computed something else than the emulation: running the program once more, built "
            "with " WITHOUT_OPTIMISER " (--cl-options \"\" spares this)\n");
  const int status = run_again(&r, error);
  size_t i;
  json_t *launch;
  json_array_foreach(launches, i, launch) if (differs(launch)) conclude(launch, counts);
  free(range);
  return status;
}

void retry_describe(const struct retry_counts *c, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  if (c->opencl)
    used += (size_t)snprintf(text + used, size - used,
                             ". OpenCL's optimiser changed %zu: built with -cl-opt-disable OpenCL computes what the "
                             "emulation does (--cl-options -cl-opt-disable traces with it)",
                             c->opencl);
  if (c->emulator && used < size)
    used += (size_t)snprintf(text + used, size - used,
                             ". The emulator's optimiser changed %zu: without it the emulation computes what OpenCL "
                             "does; please report the kernel",
                             c->emulator);
  if (c->neither && used < size)
    used += (size_t)snprintf(text + used, size - used,
                             ". %zu differ without either optimiser, as kernels do whose work-items race", c->neither);
  if (c->not_repeated && used < size)
    snprintf(text + used, size - used, ". %zu did not come again when the program ran without OpenCL's optimiser",
             c->not_repeated);
}
