/* Each recorded job, run on the recorded memory, leaves in the buffers what the default front end computes for the same
 * workload. A buffer is found in the GPU's memory by its initial contents. */
#include "bifrost_recordings.h"

#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/emulate.h"

#define BUFFER_ALIGNMENT 64

/* The differences of results that are admitted: in ULPs, or absolute. */
struct bound {
  const char *name;
  double ulps, absolute;
  size_t stride; /* only every `stride`th element is compared */
};

static const struct bound bounds[] = {
    /* The default front end fuses a product and a sum, the driver's compiler does not. */
    {"gemm", 4, 0, 1},
    {"tiled-product", 4, 0, 1},
    {"saxpy", 4, 1e-6, 1},
    {"vectors", 4, 1e-6, 1},
    /* Math functions: both are within OpenCL's bounds, which are 4 ULPs and more. */
    {"elementary", 4, 0, 1},
    /* native_sin and the like have no bound; G71's are polynomials of a few terms. */
    {"native-forms", 4, 2e-4, 1},
    /* The driver's compiler (Mesa 25.0.7) forgets that IMUL.v4i8 and ICMP.v4s8 cannot choose bytes of their first
     * source: of a char4, it multiplies and compares the first byte four times. */
    {"chars", 0, 0, 4},
    {NULL, 0, 0, 1}};

/* The default front end does not know convert_float2 of halves. */
static const char *const not_known_there = "halves";

static const struct bound *bound_of(const char *name) {
  const struct bound *bound = bounds;
  while (bound->name && strcmp(bound->name, name) != 0)
    bound++;
  return bound;
}

static int execute(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  const struct bifrost_run_options options = {.most_clauses = 1000000};
  (void)context;
  return bifrost_execute(dispatch, &options, error);
}

static uint8_t *copy_of(const struct bifrost_region *region) {
  uint8_t *copy = malloc((size_t)region->bytes);
  return memcpy(copy, region->data, (size_t)region->bytes);
}

static bool are_equal(const struct workload_buffer *buffer, const uint8_t *actual, const uint8_t *expected,
                      const struct bound *bound) {
  size_t bytes = scalar_type_bytes(buffer->type);
  for (size_t i = 0; i < buffer->count; i += bound->stride)
    if (workload_first_difference(buffer->type, actual + i * bytes, expected + i * bytes, 1, bound->ulps,
                                  bound->absolute) >= 0)
      return false;
  return true;
}

/* Returns whether a buffer with these initial contents holds the expected ones. */
static bool is_found(const struct bifrost_region *region, const uint8_t *before, const struct workload_buffer *buffer,
                     const void *initial, const void *expected, const struct bound *bound) {
  size_t bytes = buffer->count * scalar_type_bytes(buffer->type);
  for (size_t at = 0; at + bytes <= region->bytes; at += BUFFER_ALIGNMENT)
    if (memcmp(before + at, initial, bytes) == 0 && are_equal(buffer, region->data + at, expected, bound))
      return true;
  return false;
}

static void check_buffer(const char *name, struct bifrost_recording *recording, uint8_t *const *before,
                         const struct workload_buffer *buffer, const void *expected) {
  void *initial = malloc(buffer->count * scalar_type_bytes(buffer->type));
  bool found = false;
  workload_buffer_fill(buffer, initial);
  for (size_t i = 0; i < recording->before.count && !found; i++)
    found =
        is_found(&recording->before.regions[i], before[i], buffer, initial, expected, bound_of(strchr(name, '/') + 1));
  if (!found)
    fail_msg("%s: buffer %s is not as expected", name, buffer->name);
  free(initial);
}

static void check_workload(const char *name, struct bifrost_recording *recording, uint8_t *const *before) {
  struct workload *workload;
  struct emulate_result expected;
  struct error error = ERROR_INIT;
  const struct emulate_options options = {.jobs = 1};
  char path[4096];
  snprintf(path, sizeof path, "%s/datasets/bifrost/workloads/%s.yaml", getenv("REASSEMBLE_DATA"),
           strchr(name, '/') + 1);
  if (workload_load(path, &workload, &error) || emulate_workload(workload, &options, true, &expected, &error))
    fail_msg("%s: %s", path, error.text);
  for (size_t i = 0; i < workload->buffer_count; i++)
    check_buffer(name, recording, before, &workload->buffers[i], expected.buffers[i]);
  emulate_result_clear(&expected);
  workload_destroy(workload);
}

static void run(const char *name, struct bifrost_recording *recording) {
  const struct bifrost_job_handler handler = {execute, NULL};
  struct error error = ERROR_INIT;
  if (bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, &error))
    fail_msg("%s: %s", name, error.text);
}

static void run_and_check(const char *name, struct bifrost_recording *recording) {
  uint8_t **before = calloc(recording->before.count, sizeof *before);
  for (size_t i = 0; i < recording->before.count; i++)
    before[i] = copy_of(&recording->before.regions[i]);
  run(name, recording);
  if (strcmp(strchr(name, '/') + 1, not_known_there) != 0)
    check_workload(name, recording, before);
  for (size_t i = 0; i < recording->before.count; i++)
    free(before[i]);
  free(before);
}

static void results_are_equal(void **state) {
  (void)state;
  assert_true(for_each_recording(run_and_check) >= 48);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_equal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
