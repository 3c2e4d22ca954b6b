/* Each recorded job, run on the recorded memory, leaves in the buffers what the default front end computes for the same
 * workload, and in all memory, to the bit, what the recording says. tests/opencl/recorded_jobs.c compares the same
 * buffers with those of an OpenCL implementation. */
#include "bifrost_recordings.h"

#include "recorded_buffers.h"
#include "tracegen/emulate.h"

/* PoCL 3.1 has no halves, so no OpenCL implementation vouched for memory that could have been recorded. */
static const char *const without_memory = "halves";

static void check_workload(const char *name, const struct bifrost_recording *recording,
                           const struct bifrost_memory *after) {
  struct workload *workload;
  struct emulate_result expected;
  struct error error = ERROR_INIT;
  const struct emulate_options options = {.jobs = 1};
  const char *kernel = strchr(name, '/') + 1;
  char path[4096];
  snprintf(path, sizeof path, "%s/datasets/bifrost/workloads/%s.yaml", getenv("REASSEMBLE_DATA"), kernel);
  if (workload_load(path, &workload, &error) || emulate_workload(workload, &options, true, &expected, &error))
    fail_msg("%s: %s", path, error.text);
  for (size_t i = 0; i < workload->buffer_count; i++)
    if (!recorded_buffer_agrees(kernel, &recording->before, after, &workload->buffers[i], expected.buffers[i]))
      fail_msg("%s: buffer %s is not as expected", name, workload->buffers[i].name);
  emulate_result_clear(&expected);
  workload_destroy(workload);
}

/* Returns the region that the recording has behind its jobs: those that it does not name are as they were. */
static const struct bifrost_region *recorded_region(const struct bifrost_recording *recording, size_t i) {
  const struct bifrost_region *before = &recording->before.regions[i];
  for (size_t k = 0; k < recording->after.count; k++)
    if (recording->after.regions[k].address == before->address)
      return &recording->after.regions[k];
  return before;
}

static void check_memory(const char *name, const struct bifrost_recording *recording,
                         const struct bifrost_memory *after) {
  assert_true(recording->after.count > 0);
  for (size_t i = 0; i < after->count; i++) {
    const struct bifrost_region *wanted = recorded_region(recording, i), *got = &after->regions[i];
    for (uint64_t at = 0; at < got->bytes; at++)
      if (got->data[at] != wanted->data[at])
        fail_msg("%s: byte 0x%llx of GPU memory is 0x%02x, recorded is 0x%02x", name,
                 (unsigned long long)(got->address + at), got->data[at], wanted->data[at]);
  }
}

static void run_and_check(const char *name, struct bifrost_recording *recording) {
  struct bifrost_memory after;
  struct error error = ERROR_INIT;
  if (recorded_run(recording, &after, &error))
    fail_msg("%s: %s", name, error.text);
  if (strcmp(strchr(name, '/') + 1, without_memory) != 0)
    check_memory(name, recording, &after);
  check_workload(name, recording, &after);
  recorded_memory_free(&after);
}

static void results_are_equal(void **state) {
  (void)state;
  assert_true(for_each_recording(run_and_check) >= 96);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_equal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
