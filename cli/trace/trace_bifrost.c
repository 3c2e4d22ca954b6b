#include "cli/trace/trace_bifrost.h"

#include <stdlib.h>

#include "cli/core/view.h"
#include "cli/program/child_program.h"
#include "cli/trace/launch_table.h"
#include "tracegen/bifrost/front/emulate_program.h"

int trace_bifrost_check(const struct front_end *front_end, const char *gpu_id, bool records, bool reads_zero,
                        struct error *error) {
  if (front_end->emulate && reads_zero)
    return error_set(error, ERROR_INPUT, "--out-of-bounds read-zero is for OpenCL C, not with --frontend bifrost");
  if (front_end->emulate || (!gpu_id && !records))
    return 0;
  return error_set(error, ERROR_INPUT, "%s is for --frontend bifrost only", gpu_id ? "--gpu-id" : "--record-jobs");
}

struct bifrost_report {
  struct view view;
  struct view_list traces;
  const struct workload *workload; /* that stands for the program in the table */
  size_t count;
};

static int show(void *context, const struct emulate_launch *launch, struct error *error) {
  struct bifrost_report *report = context;
  struct emulate_launch row = *launch;
  const struct emulate_result result = {.launches = &row, .launch_count = 1};
  (void)error;
  launch_table_show(&report->traces, report->workload, &result);
  report->count++;
  return 0;
}

static const char **words_of(const struct options *options) {
  const char **words = calloc(options->argument_count + 1, sizeof *words);
  for (size_t i = 0; words && i < options->argument_count; i++)
    words[i] = options->arguments[i];
  return words;
}

static int run_and_show(struct bifrost_report *report, struct bifrost_program_request *request,
                        const struct options *options, struct error *error) {
  int status;
  view_begin(&report->view, options->json, stdout, "reassemble.trace/1");
  launch_table_begin(&report->view, &report->traces);
  request->done = show;
  request->context = report;
  status = bifrost_emulate_program(request, error);
  if (status == 0 && !report->count)
    status = error_set(error, ERROR_WORK, "%.200s submitted no job to the GPU", options->arguments[0]);
  if (status == 0)
    view_list_end(&report->traces);
  else
    view_list_drop(&report->traces);
  return view_end(&report->view, status, error);
}

int trace_bifrost_run(const char *folder, const char *gpu_id, bool records, const struct options *options,
                      struct error *error) {
  char *name = child_program_name(options->arguments[0]);
  const char **words = words_of(options);
  const struct workload program = {.name = name};
  struct bifrost_report report = {.workload = &program};
  struct bifrost_program_request request = {.words = words,
                                            .gpu_id = gpu_id,
                                            .name = name,
                                            .folder = folder,
                                            .records = records,
                                            .jobs = options->emulation_jobs,
                                            .timeout_s = options->timeout_s,
                                            .max_instructions = (uint64_t)options->max_instructions};
  const int status = name && words ? run_and_show(&report, &request, options, error) : error_no_memory(error);
  free(words);
  free(name);
  return status;
}
