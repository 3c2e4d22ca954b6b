#include "cli/trace/trace_workloads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/core/command.h"
#include "cli/core/view.h"
#include "cli/launch/kernel_choice.h"
#include "cli/trace/launch_name.h"
#include "cli/trace/launch_table.h"
#include "cli/trace/program_start.h"
#include "cli/trace/trace_folder.h"
#include "tracegen/emulate.h"
#include "workload/workload.h"

struct report {
  struct trace_arguments *arguments;
  struct trace_folder folder;
  struct view view;
  struct view_list traces;
  json_t *claimed; /* name of each workload: path of its file */
};

/* Two files whose workloads have one name would write the same traces. The same file twice does no harm. */
static int claim_name(struct report *report, const char *name, const char *path, struct error *error) {
  char real[PATH_MAX];
  const char *mine = realpath(path, real) ? real : path;
  const json_t *other = json_object_get(report->claimed, name);
  if (other && strcmp(json_string_value(other), mine) != 0)
    return error_at(error, ERROR_INPUT, path, 0, 0, "name",
                    "found \"%s\", the name of %s as well: both would write the same traces; give one of them another "
                    "name, or another --output",
                    name, json_string_value(other));
  return json_object_set_new(report->claimed, name, json_string_nocheck(mine)) == 0 ? 0 : error_no_memory(error);
}

static int choose_groups(struct workload *workload, const char *groups, struct error *error) {
  struct error found = ERROR_INIT;
  if (!groups || workload_choose_groups(workload, groups, &found) == 0)
    return 0;
  return error_set(error, found.kind, "--groups: %s", found.text);
}

/* `path`: the file that the user gave, of the workload or of the kernel. `trace_name`: of its trace; NULL: its own. */
static int trace_workload(struct report *report, const struct workload *workload, const char *path,
                          const char *trace_name, bool more_follow, const struct options *given, struct error *error) {
  if (claim_name(report, trace_name ? trace_name : workload->name, path, error) != 0)
    return -1;
  const struct emulate_options options = {.front_end = front_ends[report->arguments->front_end],
                                          .gpu_id = report->arguments->gpu_id,
                                          .trace_directory = report->arguments->folder,
                                          .trace_name = trace_name,
                                          .timeout_s = given->timeout_s,
                                          .memory_bytes = (size_t)given->memory_bytes,
                                          .max_instructions = (uint64_t)given->max_instructions,
                                          .undefined_reads = (enum undefined_reads)report->arguments->undefined_reads,
                                          .out_of_bounds = (enum out_of_bounds)report->arguments->out_of_bounds,
                                          .check = !report->arguments->no_check,
                                          .quiet = given->quiet,
                                          .record_jobs = report->arguments->records,
                                          .more_follow = more_follow,
                                          .jobs = given->emulation_jobs};
  struct emulate_result result = {0};
  int status = emulate_workload(workload, &options, false, &result, error);
  for (size_t i = 0; i < result.launch_count; i++)
    trace_folder_made(&report->folder, result.launches[i].trace_path);
  if (status == 0)
    launch_table_show(&report->traces, workload, &result);
  if (status == 0 && !given->quiet)
    launch_table_tell(workload, &result, !trace_to_stdout(report->arguments));
  emulate_result_clear(&result);
  return status;
}

static int save_text(const char *path, const char *text, struct error *error) {
  struct file_replace file;
  if (file_replace_begin(&file, path, error) != 0)
    return -1;
  fputs(text, file.stream);
  return file_replace_commit(&file, error);
}

static int trace_launch_of_file(struct report *report, const struct workload *workload, const char *source,
                                const struct options *options, struct error *error) {
  char *name = launch_name(workload);
  const int status =
      name ? trace_workload(report, workload, source, name, false, options, error) : error_no_memory(error);
  free(name);
  return status;
}

static int trace_choice(struct report *report, const struct kernel_choice *choice, const char *source,
                        const struct options *options, struct error *error) {
  struct workload *workload = NULL;
  int status = workload_load_text(KERNEL_FILE_TEXT, choice->text, &workload, error);
  if (status == 0)
    status = choose_groups(workload, report->arguments->groups, error);
  if (status == 0 && report->arguments->save)
    status = save_text(report->arguments->save, choice->text, error);
  if (status == 0)
    status = trace_launch_of_file(report, workload, source, options, error);
  kernel_file_blame_option(choice->text, error);
  workload_destroy(workload);
  return status;
}

static int check_count(const struct trace_arguments *a, const struct kernel_choices *choices, const char *source,
                       struct error *error) {
  const char *option = trace_to_stdout(a) ? "--output -" : a->save ? "--save" : NULL;
  if (!option || choices->count == 1)
    return 0;
  return error_set(error, ERROR_INPUT, "%s: %zu kernels of %.200s were asked for, and there is room for one", option,
                   choices->count, source);
}

static int trace_kernel_file(struct report *report, const char *source, const struct options *options,
                             struct error *error) {
  struct kernel_choices choices;
  report->arguments->kernel.source = source;
  report->arguments->kernel.seed = options->seed;
  const struct kernel_choice_request request = {.file = &report->arguments->kernel,
                                                .front_end = front_ends[report->arguments->front_end]};
  if (kernel_choices_make(&request, &choices, error) != 0)
    return -1;
  int status = check_count(report->arguments, &choices, source, error);
  for (size_t i = 0; i < choices.count && status == 0; i++)
    status = trace_choice(report, &choices.items[i], source, options, error);
  kernel_choices_clear(&choices);
  return status;
}

/* `last`: of the command's names. */
static int trace_named(struct report *report, const char *name, bool last, const struct options *options,
                       struct error *error) {
  char **paths;
  size_t count;
  emulate_expect(front_ends[report->arguments->front_end]);
  if (workload_expand(name, &paths, &count, error) != 0)
    return -1;
  int status = 0;
  if (trace_to_stdout(report->arguments) && count != 1)
    status =
        error_set(error, ERROR_INPUT,
                  "--output -: %.200s is a set of %zu workloads, and standard output takes one trace", name, count);
  for (size_t i = 0; i < count && status == 0; i++) {
    struct workload *workload;
    status = workload_load(paths[i], &workload, error);
    if (status != 0)
      break;
    if (options->seed_given)
      workload_reseed(workload, options->seed);
    status = choose_groups(workload, report->arguments->groups, error) != 0
                 ? -1
                 : trace_workload(report, workload, workload->path, NULL, !last || i + 1 < count, options, error);
    workload_destroy(workload);
  }
  data_list_free(paths, count);
  return status;
}

/* Options that only a kernel file reads would be ignored without a word. */
static int check_kernel_options(const struct trace_arguments *a, const struct options *options, struct error *error) {
  for (size_t i = 0; i < options->argument_count && a->save; i++)
    if (!kernel_file_is(options->arguments[i]))
      return error_set(error, ERROR_INPUT, "--save is for kernel files (*.cl) only; found \"%.200s\"",
                       options->arguments[i]);
  return kernel_file_check_inputs(&a->kernel, options, error);
}

/* Standard output has room for one trace and nothing else. */
static int check_stdout(const struct trace_arguments *a, const struct options *options, struct error *error) {
  if (!trace_to_stdout(a))
    return 0;
  if (options->json)
    return error_set(error, ERROR_INPUT, "--output - and --json both want standard output; take one of them");
  if (options->argument_count != 1)
    return error_set(error, ERROR_INPUT, "--output -: found %zu workloads, and standard output takes one trace",
                     options->argument_count);
  if (isatty(STDOUT_FILENO))
    return error_set(error, ERROR_INPUT, "--output -: standard output is a terminal; expected a pipe or a file");
  return 0;
}

static int trace_all(struct report *report, const struct options *options, struct error *error) {
  if (program_refuse_names(options, error) != 0 || check_kernel_options(report->arguments, options, error) != 0 ||
      check_stdout(report->arguments, options, error) != 0)
    return -1;
  if (report->arguments->folder[0] == '\0')
    return error_set(error, ERROR_INPUT, "--output: found an empty name, expected a folder (. for this one)");
  for (size_t i = 0; i < options->argument_count; i++) {
    const char *name = options->arguments[i];
    if ((kernel_file_is(name) ? trace_kernel_file(report, name, options, error)
                              : trace_named(report, name, i + 1 == options->argument_count, options, error)) != 0)
      return -1;
  }
  return 0;
}

static int trace_and_show(struct report *report, const struct options *options, struct error *error) {
  view_begin(&report->view, options->json, trace_to_stdout(report->arguments) ? stderr : stdout, "reassemble.trace/1");
  view_member(&report->view, "front_end",
              view_text(options->json ? front_ends[report->arguments->front_end]->version() : ""));
  launch_table_begin(&report->view, &report->traces);
  const int status = trace_all(report, options, error);
  if (!options->quiet)
    trace_folder_tell(&report->folder);
  if (status == 0)
    view_list_end(&report->traces);
  else
    view_list_drop(&report->traces);
  return view_end(&report->view, status, error);
}

int trace_workloads_run(struct trace_arguments *arguments, const struct options *options, struct error *error) {
  struct report report = {.arguments = arguments, .claimed = json_object()};
  if (!trace_to_stdout(arguments))
    trace_folder_look(&report.folder, arguments->folder);
  const int status = trace_and_show(&report, options, error);
  trace_folder_clear(&report.folder);
  json_decref(report.claimed);
  return status;
}
