#include "tracegen/program/board/emulated_results.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/program/launch_result.h"
#include "tracegen/program/launch/describe.h"

static char path[PATH_MAX];

void emulated_results_open(const char *folder) {
  snprintf(path, sizeof path, "%s", folder);
}

static cl_int write_to(cl_command_queue queue, const struct memory_record *m, const void *bytes) {
  static const size_t origin[3];
  if (strcmp(m->kind, "image") == 0)
    return below->clEnqueueWriteImage(queue, m->handle, CL_TRUE, origin, m->region, 0, 0, bytes, 0, NULL, NULL);
  return below->clEnqueueWriteBuffer(queue, m->handle, CL_TRUE, 0, m->bytes, bytes, 0, NULL, NULL);
}

static cl_int put(cl_command_queue queue, const struct memory_record *m, uint64_t launch) {
  void *bytes = launch_result_take(path, launch, m->id, m->bytes);
  const cl_int status = bytes ? write_to(queue, m, bytes) : CL_OUT_OF_RESOURCES;
  free(bytes);
  return status;
}

/* Collects the whole buffers and images of the kernel's arguments, each once. */
static size_t find_memory(cl_kernel kernel, struct memory_record **out) {
  size_t count = 0;
  records_lock();
  const struct kernel_record *k = kernel_find(kernel);
  for (cl_uint i = 0; k && i < k->argument_count && i < MAX_ARGUMENTS; i++) {
    struct memory_record *m = k->arguments[i].state == ARGUMENT_MEMORY ? whole_buffer(k->arguments[i].memory) : NULL;
    size_t at = 0;
    while (m && at < count && out[at] != m)
      at++;
    if (m && at == count)
      out[count++] = m;
  }
  records_unlock();
  return count;
}

cl_int emulated_results_put(cl_command_queue queue, cl_kernel kernel, uint64_t launch) {
  struct memory_record *memory[MAX_ARGUMENTS];
  const size_t count = find_memory(kernel, memory);
  cl_int status = CL_SUCCESS;
  for (size_t i = 0; i < count && status == CL_SUCCESS; i++)
    status = put(queue, memory[i], launch);
  return status;
}
