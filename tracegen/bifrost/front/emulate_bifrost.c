#include "tracegen/bifrost/front/emulate_bifrost.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "tracegen/bifrost/front/check_buffers.h"
#include "tracegen/bifrost/front/emulate_program.h"
#include "tracegen/bifrost/front/keep_recordings.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/live/run_program.h"
#include "tracegen/bifrost/live/write_plan.h"
#include "tracegen/bifrost/trace/trace_dispatch.h"
#include "tracegen/process/trace_files.h"

#define TIMEOUT_S         600.0 /* of a launch */
#define MOST_SOURCE_BYTES ((size_t)64 << 20)

struct live_workload {
  const struct workload *workload;
  const struct emulate_options *options;
  const struct bifrost_product *gpu;
  struct trace_files files;
  char digest[32]; /* of the source */
  struct emulate_result *result;
  struct index_ranges *samples; /* by launch: the work-groups that run; empty: all */
  struct recordings recordings; /* where they are wanted */
  size_t next_launch;
  double submitted_s; /* when the launch before ended; the driver compiles from then on */
};

static int check_grid(const struct workload_launch *l, const struct bifrost_dispatch *d, struct error *error) {
  for (int i = 0; i < 3; i++)
    if (l->local[i] != d->local[i] || l->global[i] != (uint64_t)d->local[i] * d->groups[i])
      return error_set(error, ERROR_WORK,
                       "the driver made a job of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " work-groups of %" PRIu32
                       " x %" PRIu32 " x %" PRIu32 " work-items of kernel %s, which is not what was launched",
                       d->groups[0], d->groups[1], d->groups[2], d->local[0], d->local[1], d->local[2], l->kernel);
  return 0;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void note_launch(struct live_workload *w, size_t i, const struct bifrost_outcome *outcome, double started_s) {
  struct emulate_launch *launch = &w->result->launches[i];
  launch->groups = outcome->groups;
  launch->launch_groups = outcome->launch_groups;
  launch->work_item_instructions = outcome->work_item_instructions;
  launch->trace_bytes = outcome->trace_bytes;
  launch->build_s = started_s - w->submitted_s;
  launch->run_s = outcome->run_s;
  launch->cpu_s = outcome->cpu_s;
  w->submitted_s = clock_seconds();
}

static int run_dispatch(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct live_workload *w = context;
  const size_t i = w->next_launch++;
  const struct workload *workload = w->workload;
  const double started_s = clock_seconds();
  struct bifrost_outcome outcome = {0};
  if (i >= workload->launch_count)
    return error_set(error, ERROR_WORK, "the driver made more jobs than the workload has launches");
  const struct workload_launch *l = &workload->launches[i];
  const struct bifrost_launch launch = {.kernel = l->kernel,
                                        .workload = workload->name ? workload->name : "",
                                        .source_file = file_name(workload->source),
                                        .source_digest = w->digest,
                                        .options = workload->options ? workload->options : "",
                                        .index = (uint32_t)i,
                                        .dimensions = l->dimensions,
                                        .offset = {l->offset[0], l->offset[1], l->offset[2]},
                                        .seed = workload->seed,
                                        .sample = w->samples[i],
                                        .jobs = w->options->jobs,
                                        .timeout_s = w->options->timeout_s > 0 ? w->options->timeout_s : TIMEOUT_S,
                                        .max_instructions = w->options->max_instructions};
  if (check_grid(l, dispatch, error) != 0 ||
      bifrost_trace_dispatch(dispatch, &launch, w->files.staged ? w->files.staged[i] : NULL, &outcome, error) != 0)
    return -1;
  note_launch(w, i, &outcome, started_s);
  return 0;
}

static int run_submission(void *context, const struct bifrost_submission *submission, struct error *error) {
  struct live_workload *w = context;
  const struct bifrost_job_handler handler = {.dispatch = run_dispatch, .context = w};
  if (w->options->record_jobs && recordings_begin(&w->recordings, w->gpu->id, submission, error) != 0)
    return -1;
  const size_t launches_before = w->next_launch;
  if (bifrost_job_chain_run(&submission->memory, w->gpu->id, submission->job_chain, &handler, error) != 0)
    return -1;
  *submission->computed += (uint32_t)(w->next_launch - launches_before);
  return w->options->record_jobs ? recordings_end(&w->recordings, submission, error) : 0;
}

/* A file without a name, which the host program opens by that of its descriptor. */
static FILE *open_shared(char path[32], struct error *error) {
  const int file = memfd_create("bifrost-plan", 0);
  FILE *stream = file >= 0 ? fdopen(file, "w+b") : NULL;
  snprintf(path, 32, "/proc/self/fd/%d", file);
  if (!stream)
    error_set(error, ERROR_WORK, "cannot make a file in memory: %s", strerror(errno));
  return stream;
}

static int run_host(struct live_workload *w, const char *plan, const char *data, struct error *error) {
  const struct bifrost_handler handler = {run_submission, w};
  struct bifrost_driver driver;
  int status;
  if (bifrost_driver_find(&driver, error) != 0)
    return -1;
  const char *const words[] = {driver.host, plan, data, NULL};
  const struct bifrost_program program = {
      .words = words, .driver = &driver, .gpu = w->gpu, .listing = w->recordings.listing};
  w->submitted_s = clock_seconds();
  status = bifrost_run_program(&program, &handler, error);
  bifrost_driver_clear(&driver);
  if (status == 0 && w->next_launch < w->workload->launch_count)
    return error_set(error, ERROR_WORK, "the driver made %zu jobs of %zu launches", w->next_launch,
                     w->workload->launch_count);
  return status == 0 && w->options->record_jobs ? recordings_write(&w->recordings, error) : status;
}

/* Reads the buffers as the launches left them. */
static int read_buffers(struct live_workload *w, FILE *data, struct error *error) {
  const struct workload *workload = w->workload;
  w->result->buffers = calloc(workload->buffer_count + 1, sizeof *w->result->buffers);
  if (!w->result->buffers)
    return error_no_memory(error);
  for (size_t i = 0; i < workload->buffer_count; i++) {
    const size_t bytes = bifrost_buffer_bytes(&workload->buffers[i]);
    w->result->buffers[i] = malloc(bytes + 1);
    w->result->buffer_count = i + 1;
    if (!w->result->buffers[i] || fseek(data, (long)bifrost_data_offset(workload, i), SEEK_SET) != 0 ||
        fread(w->result->buffers[i], 1, bytes, data) != bytes)
      return error_set(error, ERROR_WORK, "cannot read buffer %s after the launches", workload->buffers[i].name);
  }
  return 0;
}

static int run_plan(struct live_workload *w, struct error *error) {
  char plan_path[32], data_path[32];
  FILE *plan = open_shared(plan_path, error), *data = open_shared(data_path, error);
  int status = plan && data ? 0 : -1;
  if (status == 0 &&
      (bifrost_plan_write(w->workload, plan, error) != 0 || bifrost_data_write(w->workload, data, error) != 0 ||
       run_host(w, plan_path, data_path, error) != 0 || read_buffers(w, data, error) != 0))
    status = -1;
  if (plan)
    fclose(plan);
  if (data)
    fclose(data);
  return status;
}

static int describe_launches(struct live_workload *w, struct error *error) {
  struct emulate_result *result = w->result;
  result->launches = calloc(w->workload->launch_count + 1, sizeof *result->launches);
  if (!result->launches)
    return error_no_memory(error);
  for (size_t i = 0; i < w->workload->launch_count; i++) {
    result->launch_count = i + 1;
    result->launches[i].kernel = strdup(w->workload->launches[i].kernel);
    if (w->files.paths)
      result->launches[i].trace_path = strdup(w->files.paths[i]);
  }
  return 0;
}

static int digest_source(struct live_workload *w, struct error *error) {
  char *text;
  size_t length;
  if (file_read(w->workload->source, MOST_SOURCE_BYTES, &text, &length, error) != 0)
    return -1;
  snprintf(w->digest, sizeof w->digest, "fnv1a:%016" PRIx64, text_hash(TEXT_HASH_START, text, length));
  free(text);
  return 0;
}

/* Recordings lie beside the traces. */
static int open_recordings(struct live_workload *w, struct error *error) {
  const char *folder = w->options->trace_directory, *name = w->options->trace_name;
  if (!w->options->record_jobs)
    return 0;
  if (!folder || strcmp(folder, TRACE_TO_STDOUT) == 0)
    return error_set(error, ERROR_INPUT, "--record-jobs needs a folder for traces (-o DIR)");
  return recordings_open(&w->recordings, folder, name ? name : w->workload->name, error);
}

static int check_choices(struct live_workload *w, struct error *error) {
  if (bifrost_find_gpu(w->options->gpu_id, &w->gpu, error) != 0)
    return -1;
  w->samples = calloc(w->workload->launch_count + 1, sizeof *w->samples);
  if (!w->samples)
    return error_no_memory(error);
  for (size_t i = 0; i < w->workload->launch_count; i++)
    if (workload_check_range(&w->workload->launches[i], error) != 0 ||
        workload_chosen_groups(&w->workload->launches[i], &w->samples[i], error) != 0)
      return -1;
  return 0;
}

/* Results of a run of some work-groups are incomplete and not checked. */
static bool is_sampled(const struct live_workload *w) {
  bool some = false;
  for (size_t i = 0; i < w->workload->launch_count; i++)
    some |= w->samples[i].count > 0;
  return some;
}

static void clear_samples(struct live_workload *w) {
  for (size_t i = 0; w->samples && i < w->workload->launch_count; i++)
    index_ranges_clear(&w->samples[i]);
  free(w->samples);
}

static int run_and_check(struct live_workload *w, struct error *error) {
  if (check_choices(w, error) != 0 || digest_source(w, error) != 0 ||
      trace_files_name(&w->files, w->workload, w->options, error) != 0 || describe_launches(w, error) != 0 ||
      open_recordings(w, error) != 0 || run_plan(w, error) != 0)
    return -1;
  if (w->options->check && !is_sampled(w) && bifrost_check_buffers(w->workload, w->options, w->result, error) != 0)
    return -1;
  return trace_files_publish(&w->files, w->workload->launch_count, error);
}

int emulate_bifrost(const struct workload *workload, const struct emulate_options *options, bool want_buffers,
                    struct emulate_result *out, struct error *error) {
  struct live_workload w = {.workload = workload, .options = options, .result = out};
  *out = (struct emulate_result){0};
  const int status = run_and_check(&w, error);
  trace_files_clear(&w.files);
  recordings_close(&w.recordings);
  clear_samples(&w);
  for (size_t i = 0; !want_buffers && i < out->buffer_count; i++)
    free(out->buffers[i]);
  if (!want_buffers) {
    free(out->buffers);
    out->buffers = NULL;
    out->buffer_count = 0;
  }
  if (status != 0)
    emulate_result_clear(out);
  return status;
}
