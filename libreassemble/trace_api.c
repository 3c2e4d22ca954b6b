/* Implements traces (reassemble.h). */
#include <stdlib.h>

#include "libreassemble/private.h"

int reassemble_trace_open(const char *path, struct reassemble_trace **trace, struct reassemble_error *error) {
  struct error reason = ERROR_INIT;
  struct reassemble_trace *opened = calloc(1, sizeof *opened);
  if (!opened)
    error_no_memory(&reason);
  else if (trace_load(path, &opened->trace, &reason) == 0)
    *trace = opened;
  else
    free(opened);
  return api_status(&reason, error);
}

void reassemble_trace_free(struct reassemble_trace *trace) {
  if (!trace)
    return;
  trace_destroy(trace->trace);
  free(trace);
}

void reassemble_trace_launch(const struct reassemble_trace *trace, struct reassemble_launch *launch) {
  const struct trace_header *header = &trace->trace->header;
  *launch = (struct reassemble_launch){
      .kernel = header->kernel,
      .workload = header->workload,
      .source_file = header->source_file,
      .registers = header->registers,
      .local_bytes = header->local_bytes,
      .private_bytes = header->private_bytes,
      .work_groups = trace->trace->group_count,
  };
  for (int d = 0; d < 3; d++) {
    launch->global_size[d] = header->global[d];
    launch->local_size[d] = header->local[d];
  }
}
