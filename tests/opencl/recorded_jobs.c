/* recorded_jobs [--keep] WORKLOAD.yaml RECORDING...: runs recorded jobs of Bifrost GPUs, and their workload on the
 * first OpenCL device, and compares what both left in every buffer, within the bounds of
 * tests/bifrost/recorded_buffers.h. Exit code 0 when all agree. With --keep the memory behind the jobs goes into the
 * recordings, when it agrees. */
#include <stdio.h>

#include "opencl_run.h"
#include "recorded_buffers.h"

/* The contents of each buffer that the OpenCL device left. */
struct device_results {
  const struct workload *workload;
  void **buffers;
};

static int read_buffers(struct opencl_session *s, struct device_results *out, struct error *error) {
  for (size_t i = 0; i < out->workload->buffer_count; i++) {
    const struct workload_buffer *b = &out->workload->buffers[i];
    out->buffers[i] = malloc(b->count * scalar_type_bytes(b->type));
    if (opencl_session_read(s, i, out->buffers[i], error))
      return -1;
  }
  return 0;
}

static int run_on_device(const struct workload *w, struct device_results *out, struct error *error) {
  struct opencl_session *s;
  int status = opencl_session_open(w, &s, error);
  if (status)
    return -1;
  *out = (struct device_results){w, calloc(w->buffer_count, sizeof *out->buffers)};
  for (size_t i = 0; i < w->launch_count && !status; i++)
    status = opencl_session_run(s, w->source, &w->launches[i], error);
  if (!status)
    status = read_buffers(s, out, error);
  opencl_session_close(s);
  return status;
}

/* Keeps the regions that the jobs changed. */
static int keep(const char *path, struct bifrost_recording *recording, const struct bifrost_memory *after,
                struct error *error) {
  struct bifrost_recording changed = *recording;
  changed.after = (struct bifrost_memory){calloc(after->count, sizeof *after->regions), 0};
  for (size_t i = 0; i < after->count; i++)
    if (memcmp(after->regions[i].data, recording->before.regions[i].data, (size_t)after->regions[i].bytes) != 0)
      changed.after.regions[changed.after.count++] = after->regions[i];
  const int status = bifrost_recording_write(path, &changed, error);
  free(changed.after.regions);
  return status;
}

/* Copies the workload's name from a recording's path. */
static void name_of(const char *path, char *name, size_t size) {
  const char *slash = strrchr(path, '/');
  snprintf(name, size, "%s", slash ? slash + 1 : path);
  name[strcspn(name, ".")] = 0;
}

static int compare(const char *path, const struct bifrost_recording *recording, const struct bifrost_memory *after,
                   const struct device_results *wanted, struct error *error) {
  const struct workload *w = wanted->workload;
  char name[256];
  name_of(path, name, sizeof name);
  for (size_t i = 0; i < w->buffer_count; i++)
    if (!recorded_buffer_agrees(name, &recording->before, after, &w->buffers[i], wanted->buffers[i]))
      return error_set(error, ERROR_WORK, "%s: buffer %s is not what the OpenCL device computes", path,
                       w->buffers[i].name);
  return 0;
}

static int check_recording(const char *path, const struct device_results *wanted, bool keeps, struct error *error) {
  struct bifrost_recording *recording;
  struct bifrost_memory after = {0};
  int status = bifrost_recording_read(path, &recording, error);
  if (status)
    return -1;
  status = recorded_run(recording, &after, error);
  if (!status)
    status = compare(path, recording, &after, wanted, error);
  if (!status && keeps)
    status = keep(path, recording, &after, error);
  recorded_memory_free(&after);
  bifrost_recording_destroy(recording);
  return status;
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  const bool keeps = argc > 1 && strcmp(argv[1], "--keep") == 0;
  const int first = keeps ? 2 : 1;
  struct device_results wanted;
  struct workload *workload;
  if (argc < first + 2) {
    fprintf(
        stderr,
        "usage: recorded_jobs [--keep] WORKLOAD.yaml RECORDING...\n"
        "example: recorded_jobs datasets/bifrost/workloads/gemm.yaml datasets/bifrost/recordings/*/gemm.rbifrost\n");
    return 2;
  }
  int status = workload_load(argv[first], &workload, &error) || run_on_device(workload, &wanted, &error);
  for (int i = first + 1; i < argc && !status; i++)
    status = check_recording(argv[i], &wanted, keeps, &error);
  if (status)
    error_print(&error, stderr);
  else
    printf("%d recordings leave the buffers that the OpenCL device leaves\n", argc - first - 1);
  return status ? error_exit_code(&error) : 0;
}
