#include "cli/replay/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/replay/program_traces.h"
#include "cli/launch/gpu_front_end.h"
#include "cli/launch/kernel_choice.h"
#include "cli/launch/race_view.h"
#include "cli/replay/trace_budget.h"
#include "cli/core/temporary.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

/* Returns whether the first bytes are those of a trace. Only regular files are read, because bytes that are read from a
 * pipe are lost to the reader of the trace. */
static bool starts_like_a_trace(const char *path) {
  static const char magic[7] = "\x89RTRACE"; /* docs/trace-format.md */
  struct stat status;
  char start[sizeof magic];
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  const bool whole = fread(start, sizeof start, 1, file) == 1;
  fclose(file);
  return whole && memcmp(start, magic, sizeof start) == 0;
}

static bool is_trace_file(const char *input) {
  const size_t length = strlen(input);
  return strcmp(input, "-") == 0 || (length > 7 && strcmp(input + length - 7, ".rtrace") == 0) ||
         starts_like_a_trace(input);
}

/* 0 for standard input, and for a file that is not there: loading the trace then reports why. */
static int find_digest(const char *path, uint64_t *digest, struct error *error) {
  struct error cause = ERROR_INIT;
  *digest = 0;
  if (strcmp(path, "-") == 0 || file_digest(path, digest, &cause) == 0)
    return 0;
  *digest = 0;
  return cause.kind == ERROR_INPUT ? 0 : error_at(error, cause.kind, path, 0, 0, NULL, "%s", cause.text);
}

/* Takes over `name` and `trace`, which was loaded from `path`. `workload` is copied; NULL: none. */
static int append(struct replay *replay, char *name, const char *workload, struct trace *trace, const char *path,
                  struct error *error) {
  struct replay_kernel *grown = realloc(replay->kernels, (replay->count + 1) * sizeof *grown);
  char *copy = workload ? strdup(workload) : NULL;
  uint64_t digest = 0;
  int status = grown && name && (!workload || copy) ? 0 : error_no_memory(error);
  if (grown)
    replay->kernels = grown;
  if (status == 0 && replay->digests)
    status = find_digest(path, &digest, error);
  if (status != 0) {
    free(name);
    free(copy);
    trace_destroy(trace);
    return -1;
  }
  replay->kernels[replay->count++] =
      (struct replay_kernel){.name = name, .workload = copy, .trace = trace, .digest = digest};
  return 0;
}

int replay_add_trace(struct replay *replay, const char *path, const char *name, const char *workload,
                     const struct options *options, struct error *error) {
  struct trace *trace;
  if (trace_load_within(path, options, &trace, error) != 0)
    return -1;
  return append(replay, strdup(name), workload, trace, path, error);
}

int replay_add_file(struct replay *replay, const char *path, const char *name, const char *workload,
                    const struct options *options, struct error *error) {
  if (append(replay, strdup(name), workload, NULL, path, error) != 0)
    return -1;
  struct replay_kernel *added = &replay->kernels[replay->count - 1];
  replay->options = options;
  added->path = strdup(path);
  return added->path ? 0 : error_no_memory(error);
}

static int load_emulated(struct replay *replay, const struct workload *workload, const struct emulate_result *result,
                         const struct options *options, struct error *error) {
  int status = 0;
  for (size_t i = 0; i < result->launch_count && status == 0; i++) {
    char *name = result->launch_count == 1 ? strdup(workload->name) : text_format("%s.%zu", workload->name, i);
    status = name ? replay_add_trace(replay, result->launches[i].trace_path, name, workload->path, options, error)
                  : error_no_memory(error);
    if (status == 0 && !(replay->kernels[replay->count - 1].source = strdup(workload->source)))
      status = error_no_memory(error);
    free(name);
  }
  return status;
}

/* Keeps the error as a refusal of the workload, where the replay is tolerant. `made` is the text of a workload that was
 * made of options; NULL: none. */
static int refuse(struct replay *replay, const char *name, const char *made, struct error *error) {
  if (!replay->tolerant || error->kind == ERROR_NONE)
    return -1;
  kernel_file_blame_option(made, error);
  const bool has_place = error->line > 0, has_option = error->key[0] == '-';
  char *text = has_place    ? text_format("%s:%u: %s", error->file, error->line, error->text)
               : has_option ? text_format("%s: %s", error->key, error->text)
                            : strdup(error->text);
  *error = (struct error)ERROR_INIT;
  if (!text)
    return error_no_memory(error);
  if (append(replay, strdup(name), NULL, NULL, "-", error) != 0)
    free(text);
  else
    replay->kernels[replay->count - 1].refusal = text;
  return error->kind == ERROR_NONE ? 0 : -1;
}

static int load_trace(struct replay *replay, const char *path, const struct options *options, struct error *error) {
  const bool may_be_left_out = options->argument_count > 1 && (strcmp(path, "-") == 0 || access(path, R_OK) == 0);
  struct trace *trace;
  if (trace_load_within(path, options, &trace, error) != 0)
    return may_be_left_out ? refuse(replay, path, NULL, error) : -1;
  char *name =
      strcmp(path, "-") == 0 && trace->header.workload[0] != '\0' ? strdup(trace->header.workload) : text_stem(path);
  return append(replay, name, NULL, trace, path, error);
}

/* The settings with which a workload is emulated. */
struct making {
  const char *folder;
  struct worker_pool *pool; /* workers that built the same kernel for another launch may serve this one; NULL: none */
  bool compares;            /* with what the first variant left */
  const char *text;         /* of a workload that was made of options; NULL: it has a file */
};

static int emulate_and_load(struct replay *replay, const struct workload *workload, bool more_follow,
                            const struct making *making, const struct options *given, struct error *error) {
  const bool compared = making->compares && variant_results_wanted(workload);
  char gpu_id[FRONT_END_WORD_BYTES];
  struct emulate_options options = {.trace_directory = making->folder,
                                    .timeout_s = given->timeout_s,
                                    .memory_bytes = (size_t)given->memory_bytes,
                                    .max_instructions = (uint64_t)given->max_instructions,
                                    .check = true,
                                    .quiet = given->quiet,
                                    .more_follow = more_follow,
                                    .jobs = given->emulation_jobs};
  struct emulate_result result = {0};
  int status = gpu_front_end_choose(replay->gpu, gpu_id, &options, error);
  if (!options.front_end) /* machine code may depend on the work-group size */
    options.pool = making->pool;
  if (status == 0)
    status = emulate_workload(workload, &options, compared, &result, error);
  for (size_t i = 0; i < result.launch_count && status == 0 && !given->quiet; i++)
    race_view_look(result.launches[i].trace_path, result.launches[i].work_item_instructions);
  const size_t loaded = replay->count;
  status = status == 0 ? load_emulated(replay, workload, &result, given, error)
                       : refuse(replay, workload->name, making->text, error);
  if (status == 0 && compared && result.launch_count > 0)
    status = variant_results_compare(&replay->results, workload, &result, &replay->kernels[loaded].difference, error);
  for (size_t i = 0; i < result.launch_count; i++)
    unlink(result.launches[i].trace_path);
  emulate_result_clear(&result);
  return status;
}

static int load_workloads(struct replay *replay, const char *input, const struct options *options,
                          struct error *error) {
  char **paths, *folder;
  size_t count;
  emulate_expect(NULL);
  if (workload_expand(input, &paths, &count, error) != 0)
    return -1;
  if (temporary_create(&folder, error) != 0) {
    data_list_free(paths, count);
    return -1;
  }
  struct progress progress;
  progress_start(&progress, "emulating", "kernels", count, options->quiet);
  int status = 0;
  for (size_t i = 0; i < count && status == 0; i++) {
    struct workload *workload;
    status = workload_load(paths[i], &workload, error);
    if (status == 0) {
      if (options->seed_given)
        workload_reseed(workload, options->seed);
      status = emulate_and_load(replay, workload, i + 1 < count, &(struct making){.folder = folder}, options, error);
      workload_destroy(workload);
    }
    progress_add(&progress, 1);
  }
  progress_end(&progress);
  temporary_remove(folder);
  data_list_free(paths, count);
  return status;
}

static int load_choice(struct replay *replay, const struct kernel_choice *choice, bool more_follow,
                       const struct making *making, const struct options *options, struct error *error) {
  struct workload *workload;
  char *name = strdup(choice->name);
  int status = name ? workload_load_text(KERNEL_FILE_TEXT, choice->text, &workload, error) : error_no_memory(error);
  if (status == 0) {
    free(workload->name);
    workload->name = name;
    status = emulate_and_load(replay, workload, more_follow, making, options, error);
    workload_destroy(workload);
  } else {
    if (replay->kernel_file->vary.count > 0) /* others of its variants may fit */
      status = refuse(replay, choice->name, choice->text, error);
    free(name);
  }
  kernel_file_blame_option(choice->text, error);
  return status;
}

/* Choices that differ in their work-group size alone share a worker, so that their kernel is compiled once. */
static int load_choices(struct replay *replay, const struct kernel_choices *choices, const struct options *options,
                        struct error *error) {
  struct progress progress;
  char *folder;
  if (temporary_create(&folder, error) != 0)
    return -1;
  struct making making = {folder, worker_pool_create(), replay->compares, NULL};
  int status = 0;
  progress_start(&progress, "emulating", "kernels", choices->count, options->quiet);
  for (size_t i = 0; i < choices->count && status == 0; i++) {
    making.text = choices->items[i].text;
    status = load_choice(replay, &choices->items[i], i + 1 < choices->count, &making, options, error);
    progress_add(&progress, 1);
  }
  progress_end(&progress);
  worker_pool_destroy(making.pool);
  temporary_remove(folder);
  return status;
}

/* The GPU has been loaded. */
static int load_kernel_file(struct replay *replay, const char *source, const struct options *options,
                            struct error *error) {
  struct kernel_file file = *replay->kernel_file;
  struct kernel_choices choices;
  file.source = source;
  file.seed = options->seed;
  const struct kernel_choice_request request = {
      .file = &file,
      .front_end = front_ends[0],
      .all = true,
      .sweep_local = replay->sweep_local ? (uint64_t)replay->gpu->spec.max_work_group : 0};
  emulate_expect(NULL);
  if (kernel_choices_make(&request, &choices, error) != 0)
    return -1;
  const int status = load_choices(replay, &choices, options, error);
  kernel_choices_clear(&choices);
  return status;
}

int replay_load(struct replay *replay, const char *input, const struct options *options, struct error *error) {
  if (replay->kernel_file && kernel_file_is(input))
    return load_kernel_file(replay, input, options, error);
  if (program_traces_is(input))
    return program_traces_load(replay, input, options, error);
  return is_trace_file(input) ? load_trace(replay, input, options, error)
                              : load_workloads(replay, input, options, error);
}

int replay_load_gpu(struct replay *replay, const char *name, struct error *error) {
  if (!name)
    return error_set(error, ERROR_INPUT, "--gpu is missing; `reassemble list gpus` names those that ship");
  return gpu_load(name, &replay->gpu, error);
}

int replay_run_inputs(struct replay *replay, const struct options *options, struct error *error) {
  int status = replay->kernel_file ? kernel_file_check_inputs(replay->kernel_file, options, error) : 0;
  for (size_t i = 0; i < options->argument_count && status == 0; i++)
    status = replay_load(replay, options->arguments[i], options, error);
  return status == 0 ? replay_simulate(replay, options->jobs, options->quiet, error) : status;
}

void replay_clear(struct replay *replay) {
  gpu_destroy(replay->gpu);
  for (size_t i = 0; i < replay->count + replay->refused_count; i++) {
    free(replay->kernels[i].name);
    free(replay->kernels[i].refusal);
    variant_difference_clear(&replay->kernels[i].difference);
    free(replay->kernels[i].workload);
    free(replay->kernels[i].source);
    trace_destroy(replay->kernels[i].trace);
    free(replay->kernels[i].path);
    trace_origin_destroy(replay->kernels[i].origin);
    sim_result_clear(&replay->kernels[i].result);
    observer_clear(&replay->kernels[i].observer);
  }
  for (size_t i = 0; i < replay->program_count; i++)
    free(replay->programs[i].name);
  variant_results_clear(&replay->results);
  free(replay->programs);
  free(replay->kernels);
  *replay = (struct replay){0};
}
