/* The set `thesis60` has the kernels of table 5.8 (Kaszyk, PhD thesis, University of Edinburgh), each on as many inputs
 * as datasets/README.md says, 60 in all; the sets `irregular` and `cnn` have their kernels; everything is checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "workload/workload.h"

struct row {
  const char *source, *kernel;
  size_t inputs; /* workloads that launch it */
};

static const struct row table_5_8[] = {
    {"mm2.cl", "mm2_kernel1", 2},
    {"mm2.cl", "mm2_kernel2", 2},
    {"mm3.cl", "mm3_kernel1", 2},
    {"atax.cl", "atax_kernel1", 3},
    {"atax.cl", "atax_kernel2", 3},
    {"correlation.cl", "mean_kernel", 2},
    {"correlation.cl", "std_kernel", 2},
    {"correlation.cl", "reduce_kernel", 2},
    {"covariance.cl", "mean_kernel", 2},
    {"covariance.cl", "reduce_kernel", 2},
    {"gemm.cl", "gemm", 3},
    {"gemver.cl", "gemver_kernel1", 2},
    {"gemver.cl", "gemver_kernel2", 3},
    {"gemver.cl", "gemver_kernel3", 3},
    {"gesummv.cl", "gesummv", 3},
    {"backprop.cl", "bpnn_adjust_weights_ocl", 3},
    {"black_scholes.cl", "blackScholes", 3},
    {"memory_optimizations.cl", "copy1Dfloat4", 2},
    {"memory_optimizations.cl", "copy2Dfloat", 2},
    {"memory_optimizations.cl", "copy2Dfloat4", 2},
    {"memory_optimizations.cl", "NoCoal", 2},
    {"memory_optimizations.cl", "Split", 2},
    {"mersenne_twister.cl", "gaussianRand", 2},
    {"simple_convolution.cl", "simpleConvolution", 3},
    {"sgemm_tutorial.cl", "GEMM1", 3},
};

static const struct row irregular[] = {
    {"bfs.cl", "bfs_expand", 1},
    {"bfs.cl", "bfs_update", 1},
    {"spmv_csr.cl", "spmv_csr", 1},
    {"histogram.cl", "histogram", 1},
    {"bitonic_sort.cl", "bitonic_sort", 1},
    {"nbody.cl", "nbody_step", 1},
    {"gemm_tiled.cl", "gemm_tiled", 1},
    {"transpose.cl", "transpose_naive", 1},
    {"transpose.cl", "transpose_tiled", 1},
    {"mandelbrot.cl", "mandelbrot", 1},
    {"kmeans.cl", "kmeans_assign", 1},
    {"pathfinder.cl", "pathfinder", 1},
};

static const struct row cnn[] = {
    {"convolution_layers.cl", "conv_direct", 1},
    {"convolution_layers.cl", "im2col", 2},
    {"convolution_layers.cl", "conv_depthwise", 3},
};

struct suite {
  struct workload **list;
  size_t count;
};

static struct suite load(const char *set) {
  struct suite suite = {0};
  struct error error = ERROR_INIT;
  char **paths;
  assert_int_equal(workload_expand(set, &paths, &suite.count, &error), 0);
  suite.list = calloc(suite.count, sizeof *suite.list);
  assert_non_null(suite.list);
  for (size_t i = 0; i < suite.count; i++)
    assert_int_equal(workload_load(paths[i], &suite.list[i], &error), 0);
  data_list_free(paths, suite.count);
  return suite;
}

static void clear(struct suite *suite) {
  for (size_t i = 0; i < suite->count; i++)
    workload_destroy(suite->list[i]);
  free(suite->list);
}

static bool launches(const struct workload *w, const struct row *row) {
  const char *slash = strrchr(w->source, '/');
  if (strcmp(slash ? slash + 1 : w->source, row->source) != 0)
    return false;
  for (size_t i = 0; i < w->launch_count; i++)
    if (strcmp(w->launches[i].kernel, row->kernel) == 0)
      return true;
  return false;
}

static size_t inputs_of(const struct suite *suite, const struct row *row) {
  size_t count = 0;
  for (size_t i = 0; i < suite->count; i++)
    count += launches(suite->list[i], row);
  return count;
}

static void expect_rows(const struct suite *suite, const struct row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (inputs_of(suite, &rows[i]) != rows[i].inputs)
      fail_msg("%s of %s: found %zu workloads, expected %zu", rows[i].kernel, rows[i].source,
               inputs_of(suite, &rows[i]), rows[i].inputs);
  for (size_t i = 0; i < suite->count; i++)
    if (suite->list[i]->check_count == 0 || suite->list[i]->checks[0].compare_count == 0)
      fail_msg("workload %s checks no result", suite->list[i]->name);
}

/* Launch sizes and buffers: what differs between inputs of one kernel. */
static bool same_input(const struct workload *a, const struct workload *b) {
  if (a->buffer_count != b->buffer_count || strcmp(a->options, b->options) != 0 ||
      memcmp(a->launches[0].global, b->launches[0].global, sizeof a->launches[0].global) != 0)
    return false;
  for (size_t i = 0; i < a->buffer_count; i++)
    if (a->buffers[i].count != b->buffers[i].count)
      return false;
  return true;
}

static void table_5_8_is_whole(void **state) {
  (void)state;
  const size_t rows = sizeof table_5_8 / sizeof table_5_8[0];
  struct suite suite = load("thesis60");
  assert_int_equal(suite.count, 60);
  expect_rows(&suite, table_5_8, rows);
  for (size_t i = 0; i < suite.count; i++) {
    assert_int_equal(suite.list[i]->launch_count, 1);
    size_t kernels = 0;
    for (size_t r = 0; r < rows; r++)
      kernels += launches(suite.list[i], &table_5_8[r]);
    assert_int_equal(kernels, 1);
    for (size_t k = 0; k < i; k++)
      if (strcmp(suite.list[i]->source, suite.list[k]->source) == 0 &&
          strcmp(suite.list[i]->launches[0].kernel, suite.list[k]->launches[0].kernel) == 0 &&
          same_input(suite.list[i], suite.list[k]))
        fail_msg("%s and %s are the same combination", suite.list[i]->name, suite.list[k]->name);
  }
  clear(&suite);
}

static void irregular_kernels(void **state) {
  (void)state;
  struct suite suite = load("irregular");
  expect_rows(&suite, irregular, sizeof irregular / sizeof irregular[0]);
  clear(&suite);
}

static void layers(void **state) {
  (void)state;
  struct suite suite = load("cnn");
  expect_rows(&suite, cnn, sizeof cnn / sizeof cnn[0]);
  clear(&suite);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_5_8_is_whole),
      cmocka_unit_test(irregular_kernels),
      cmocka_unit_test(layers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
