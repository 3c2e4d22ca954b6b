/* Loads and stores of vectors are recorded as the source has them: one access with the bytes of the vector. */
#include "expect_error.h"

#include <sys/stat.h>

#include "base/file.h"
#include "emulate_text.h"
#include "trace/trace.h"

static const struct emulate_options keep_traces = {.trace_directory = "vector-traces"};

/* Expects that each access to the space has so many bytes, and that there is one. */
static void expect_bytes(const struct trace *trace, enum trace_space space, uint32_t bytes) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < trace->code.mem_count; i++) {
    const struct trace_op *op = &trace->code.ops[trace->code.mem_ops[i]];
    if (op->space != space)
      continue;
    found++;
    if (op->bytes != bytes)
      fail_msg("%s: an access to %s memory in line %u has %u bytes; expected %u", trace->header.workload,
               trace_space_name(space), op->line, op->bytes, bytes);
  }
  assert_true(found > 0);
}

static struct trace *trace_of(struct emulate_text *t) {
  struct trace *trace = NULL;
  if (trace_load(t->result.launches[0].trace_path, &trace, &t->error))
    error_print(&t->error, stderr);
  assert_non_null(trace);
  return trace;
}

/* Elements are used one by one, which invites an optimiser to load them one by one. */
static void elements_of_a_vector_are_loaded_together(void **state) {
  static const char *const loads[] = {"a[i]", "vload4(i, (__global const float *)a)"};
  static const char *const local_loads[] = {"tile[3 - l]", "vload4(3 - l, (__local const float *)tile)"};
  for (int variant = 0; variant < 2; variant++) {
    struct emulate_text t;
    char kernel[1024];
    snprintf(kernel, sizeof kernel,
             "__kernel void parts(__global const float4 *a, __global float4 *b) {\n"
             "  __local float4 tile[4];\n  int i = get_global_id(0), l = get_local_id(0);\n"
             "  float4 v = %s;\n  tile[l] = v.wzyx * v.x;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
             "  float4 w = %s;\n  b[i] = (float4)(w.y, w.x * v.z, w.y + w.z, v.w);\n}\n",
             loads[variant], local_loads[variant]);
    assert_int_equal(emulate_text_run(&t, "parts", kernel,
                                      "buffers:\n  A: {type: float, count: 64, init: index}\n"
                                      "  B: {type: float, count: 64}\nlaunches:\n"
                                      "  - {kernel: parts, global: 16, local: 4, args: [{buffer: A}, {buffer: B}]}\n",
                                      &keep_traces),
                     0);
    struct trace *trace = trace_of(&t);
    expect_bytes(trace, SPACE_GLOBAL, 16);
    expect_bytes(trace, SPACE_LOCAL, 16);
    trace_destroy(trace);
    emulate_text_clear(&t);
  }
  (void)state;
}

static void run_xgemm(int width, int tile_a, int tile_b) {
  struct emulate_text t = {.error = ERROR_INIT};
  char *path = NULL;
  assert_int_equal(data_find(DATA_WORKLOAD, "xgemm", &path, &t.error), 0);
  char *name =
      text_format("%s:M=64,N=64,K=16,MWG=64,NWG=64,VWM=%d,VWN=%d,SA=%d,SB=%d", path, width, width, tile_a, tile_b);
  assert_int_equal(workload_load(name, &t.workload, &t.error), 0);
  if (emulate_workload(t.workload, &keep_traces, true, &t.result, &t.error))
    error_print(&t.error, stderr);
  struct trace *trace = trace_of(&t);
  expect_bytes(trace, SPACE_GLOBAL, 4 * (uint32_t)width);
  if (tile_a || tile_b)
    expect_bytes(trace, SPACE_LOCAL, 4 * (uint32_t)width);
  trace_destroy(trace);
  emulate_text_clear(&t);
  free(name);
  free(path);
}

static void every_xgemm_accesses_its_vectors(void **state) {
  for (int width = 2; width <= 8; width *= 2)
    for (int tiles = 0; tiles < 4; tiles++)
      run_xgemm(width, tiles & 1, tiles >> 1);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_of_a_vector_are_loaded_together),
                                     cmocka_unit_test(every_xgemm_accesses_its_vectors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
