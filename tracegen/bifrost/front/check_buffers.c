#include "tracegen/bifrost/front/check_buffers.h"

#include <stdlib.h>
#include <string.h>

/* A workload without launches: only its checks run. */
static int run_checks(const struct workload *workload, const struct emulate_options *options,
                      struct emulate_result *result, struct error *error) {
  const struct emulate_options plain = {.timeout_s = options->timeout_s,
                                        .memory_bytes = options->memory_bytes,
                                        .undefined_reads = UNDEFINED_READS_NONE,
                                        .check = true,
                                        .quiet = options->quiet};
  struct emulate_result checked;
  const int status = emulate_workload(workload, &plain, false, &checked, error);
  if (status == 0)
    result->checks_passed = checked.checks_passed;
  emulate_result_clear(&checked);
  return status;
}

int bifrost_check_buffers(const struct workload *workload, const struct emulate_options *options,
                          struct emulate_result *result, struct error *error) {
  struct workload copy = *workload;
  struct workload_buffer *buffers = calloc(workload->buffer_count + 1, sizeof *buffers);
  int status;
  if (!buffers)
    return error_no_memory(error);
  for (size_t i = 0; i < workload->buffer_count; i++) {
    buffers[i] = workload->buffers[i];
    buffers[i].init = INIT_BYTES;
    buffers[i].contents = result->buffers[i];
    buffers[i].owned = NULL;
    buffers[i].undefined = NULL;
  }
  copy.buffers = buffers;
  copy.launch_count = 0;
  status = workload->check_count ? run_checks(&copy, options, result, error) : 0;
  free(buffers);
  return status;
}
