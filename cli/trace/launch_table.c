#include "cli/trace/launch_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/launch/race_view.h"

static const struct view_column columns[] = {
    {.key = "workload"},
    {.key = "groups"},
    {.key = "launch_groups"},
    {.key = "kernel", .title = "kernel", .last = true},
    {.key = "file", .title = "trace"},
    {.key = "work_item_instructions", .title = "instructions", .format = "%d", .last = true},
    {.key = "trace_bytes", .title = "bytes", .format = "%d", .last = true},
    {.key = "outside_loads"},
    {.key = "first_outside_load"},
    {.key = "build_s"},
    {.key = "run_s"},
    {.title = "bytes/instr", .format = "%.2g", .last = true},
    {.title = "M instr/s", .format = "%.0f", .last = true},
};

void launch_table_begin(struct view *view, struct view_list *list) {
  view_list_begin(view, "traces", columns, sizeof columns / sizeof columns[0], list);
}

static void show_launch(struct view_list *list, const struct workload *workload, const struct emulate_launch *launch) {
  const double instructions = (double)launch->work_item_instructions;
  const bool sampled = launch->groups<launch->launch_groups, outside = launch->outside.count> 0;
  VIEW_ROW(list, view_text(workload->name), sampled ? view_whole(launch->groups) : view_absent(),
           sampled ? view_whole(launch->launch_groups) : view_absent(), view_text(launch->kernel),
           view_text(launch->trace_path), view_whole(launch->work_item_instructions), view_whole(launch->trace_bytes),
           outside ? view_whole(launch->outside.count) : view_absent(),
           outside ? view_text(launch->outside.first) : view_absent(), view_real(launch->build_s),
           view_real(launch->run_s), view_real(instructions > 0 ? (double)launch->trace_bytes / instructions : 0),
           view_real(launch->run_s > 0 ? instructions / launch->run_s / 1e6 : 0));
}

void launch_table_show(struct view_list *list, const struct workload *workload, const struct emulate_result *result) {
  for (size_t i = 0; i < result->launch_count; i++)
    show_launch(list, workload, &result->launches[i]);
}

static void tell_sample(const struct workload *workload, const struct emulate_launch *launch) {
  if (launch->groups < launch->launch_groups)
    fprintf(stderr,
            "reassemble: %s: kernel %s: %" PRIu64 " of %" PRIu64 " work-groups were emulated; the results are "
            "incomplete and were not checked\n",
            workload->name, launch->kernel, launch->groups, launch->launch_groups);
}

void launch_table_tell_outside(const char *name, const struct emulate_launch *launch) {
  if (launch->outside.count > 0)
    fprintf(stderr,
            "reassemble: warning: %s: kernel %s: %" PRIu64 " loads lay outside of their buffers and gave 0 "
            "(--out-of-bounds read-zero): OpenCL leaves their values undefined, and a GPU may give others. First: "
            "%s\n",
            name, launch->kernel, launch->outside.count, launch->outside.first);
}

void launch_table_tell(const struct workload *workload, const struct emulate_result *result, bool files) {
  for (size_t i = 0; i < result->launch_count; i++) {
    const struct emulate_launch *launch = &result->launches[i];
    tell_sample(workload, launch);
    launch_table_tell_outside(workload->name, launch);
    if (files && launch->trace_path)
      race_view_look(launch->trace_path, launch->work_item_instructions);
  }
}
