/* Requirements on what the emulator writes and needs, each next to its number: bytes of a trace per work-item
 * instruction, and memory beyond the kernel's buffers. Small sizes; with REASSEMBLE_TEST_ROUNDS (./test.sh nightly) the
 * sizes that the requirements name. Sizes are the same on every machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "counted_memory.h"
#include "rounds.h"
#include "tracegen/emulate.h"

#define GEMM_BYTES_PER_INSTRUCTION      0.001
#define IRREGULAR_BYTES_PER_INSTRUCTION 0.5
#define MEMORY_BEYOND_BUFFERS           (UINT64_C(200) << 20)

static bool large(void) {
  return rounds(1) > 1;
}

static struct workload *parse(char *body, const char *kernels) {
  struct workload *workload;
  struct error error = ERROR_INIT;
  const char *root = getenv("REASSEMBLE_DATA");
  assert_non_null(body);
  char *text = text_format("schema: reassemble.workload/1\nname: size\nsource: %s/datasets/kernels/%s\n%s",
                           root ? root : ".", kernels, body);
  assert_non_null(text);
  if (workload_load_text("size", text, &workload, &error) != 0)
    fail_msg("%s", error.text);
  free(text);
  free(body);
  return workload;
}

static struct workload *gemm(unsigned n) {
  return parse(text_format("options: -DTYPE=float\nbuffers:\n  A: {type: float, count: %u, init: uniform}\n"
                           "  B: {type: float, count: %u, init: uniform}\n  C: {type: float, count: %u}\n"
                           "launches:\n  - {kernel: gemm, global: [%u, %u], local: [8, 8], args: [{buffer: A}, "
                           "{buffer: B}, {buffer: C}, {float: 1.5}, {float: 1.2}, {int: %u}, {int: %u}, {int: %u}]}\n",
                           n * n, n * n, n * n, n, n, n, n, n),
               "gemm.cl");
}

/* Edges go anywhere; the busiest level reaches half of the nodes. */
static struct workload *bfs(unsigned nodes) {
  char levels[8192] = "";
  for (unsigned level = 0, length = 0; level < 14; level++)
    length += (unsigned)snprintf(levels + length, sizeof levels - length,
                                 "  - {kernel: bfs_expand, global: %u, local: 64, args: [{buffer: offsets}, {buffer: "
                                 "targets}, {buffer: frontier}, {buffer: updating}, {buffer: visited}, {buffer: "
                                 "distances}, {int: %u}]}\n"
                                 "  - {kernel: bfs_update, global: %u, local: 64, args: [{buffer: frontier}, {buffer: "
                                 "updating}, {buffer: visited}, {buffer: over}, {int: %u}]}\n",
                                 nodes, nodes, nodes, nodes);
  return parse(text_format("buffers:\n  offsets: {type: int, count: %u}\n"
                           "  targets: {type: int, count: %u, init: uniform, low: 0, high: %u}\n"
                           "  distances: {type: int, count: %u}\n  frontier: {type: char, count: %u}\n"
                           "  updating: {type: char, count: %u}\n  visited: {type: char, count: %u}\n"
                           "  over: {type: char, count: 1}\nlaunches:\n"
                           "  - {kernel: bfs_make_graph, global: %u, local: 64, args: [{buffer: offsets}, {buffer: "
                           "distances}, {buffer: frontier}, {buffer: visited}, {int: %u}, {int: 6}]}\n%s",
                           nodes + 1, 6 * nodes + 6, nodes - 1, nodes, nodes, nodes, nodes, nodes + 64, nodes, levels),
               "bfs.cl");
}

static struct workload *spmv(unsigned rows) {
  return parse(text_format("buffers:\n  offsets: {type: int, count: %u}\n"
                           "  columns: {type: int, count: %u, init: uniform, low: 0, high: %u}\n"
                           "  values: {type: float, count: %u, init: uniform}\n"
                           "  x: {type: float, count: %u, init: uniform}\n  y: {type: float, count: %u}\nlaunches:\n"
                           "  - {kernel: csr_make_offsets, global: %u, local: 64, args: [{buffer: offsets}, {int: %u}, "
                           "{int: 16}]}\n"
                           "  - {kernel: spmv_csr, global: %u, local: 64, args: [{buffer: offsets}, {buffer: columns}, "
                           "{buffer: values}, {buffer: x}, {buffer: y}, {int: %u}]}\n",
                           rows + 1, 16 * rows + 16, rows - 1, 16 * rows + 16, rows, rows, rows + 64, rows, rows, rows),
               "spmv_csr.cl");
}

static uint64_t buffer_bytes(const struct workload *workload) {
  uint64_t sum = 0;
  for (size_t i = 0; i < workload->buffer_count; i++)
    sum += workload->buffers[i].count * scalar_type_bytes(workload->buffers[i].type);
  return sum;
}

/* Traces `workload` (and frees it); every launch has to keep to `bound`. */
static void expect_size(struct workload *workload, const char *what, double bound) {
  const struct emulate_options options = {.trace_directory = "size-traces"};
  struct emulate_result result;
  struct error error = ERROR_INIT;
  if (emulate_workload(workload, &options, false, &result, &error) != 0)
    fail_msg("%s", error.text);
  for (size_t i = 0; i < result.launch_count; i++) {
    const struct emulate_launch *launch = &result.launches[i];
    const double ratio = (double)launch->trace_bytes / (double)launch->work_item_instructions;
    print_message("%s, launch %zu: %llu bytes, %llu instructions, %.7f bytes an instruction (at most %g)\n", what, i,
                  (unsigned long long)launch->trace_bytes, (unsigned long long)launch->work_item_instructions, ratio,
                  bound);
    assert_true(launch->work_item_instructions > 100000);
    assert_true(ratio <= bound);
    unlink(launch->trace_path);
  }
  emulate_result_clear(&result);
  workload_destroy(workload);
}

/* First, because the system only tells the most that any of our children needed. */
static void memory_of_a_matrix_product(void **state) {
  (void)state;
  struct workload *workload = gemm(large() ? 1024 : 256);
  const uint64_t buffers = buffer_bytes(workload);
  struct rusage usage;
  expect_size(workload, "gemm", GEMM_BYTES_PER_INSTRUCTION);
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
  const uint64_t most = (uint64_t)usage.ru_maxrss << 10;
  print_message("largest process: %llu bytes, %llu of them buffers (at most %llu beyond them)\n",
                (unsigned long long)most, (unsigned long long)buffers, (unsigned long long)MEMORY_BEYOND_BUFFERS);
  assert_true(most > buffers);
#ifndef REASSEMBLE_SANITIZED /* shadow memory counts too */
  assert_true(most - buffers < MEMORY_BEYOND_BUFFERS);
#endif
}

static void size_of_a_matrix_product(void **state) {
  (void)state;
  if (large())
    expect_size(gemm(512), "gemm-512", GEMM_BYTES_PER_INSTRUCTION);
}

static void size_of_a_search_in_a_graph(void **state) {
  (void)state;
  expect_size(bfs(large() ? 1 << 20 : 1 << 16), "bfs", IRREGULAR_BYTES_PER_INSTRUCTION);
}

static void size_of_a_sparse_product(void **state) {
  (void)state;
  expect_size(spmv(large() ? 1 << 20 : 1 << 16), "spmv", IRREGULAR_BYTES_PER_INSTRUCTION);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_of_a_matrix_product),
      cmocka_unit_test(size_of_a_matrix_product),
      cmocka_unit_test(size_of_a_search_in_a_graph),
      cmocka_unit_test(size_of_a_sparse_product),
  };
  count_small_pages();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
