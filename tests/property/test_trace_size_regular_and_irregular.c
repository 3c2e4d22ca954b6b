/* Bytes per work-item instruction: at most 0.001 for a matrix product, 0.5 for a sparse one (docs/trace-format.md); a
 * trace that is packed small holds the same in fewer bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel_trace.h"
#include "reframe.h"
#include "trace/read/reader.h"

static char path[] = "/tmp/trace-size-XXXXXX";

static void add(struct trace_writer *w, const struct kernel_trace *k, uint32_t item) {
  struct error error = ERROR_INIT;
  if (trace_writer_item(w, item, k->item_blocks, k->block_count, k->item_addresses, k->address_count, &error) != 0)
    fail_msg("%s", error.text);
}

static void write_gemm(struct kernel_trace *k) {
  struct trace_writer *w;
  const uint32_t lx = k->header.local[0], ly = k->header.local[1], wide = k->n / lx;
  assert_int_equal(trace_writer_open(path, &k->header, &k->code, &w, NULL), 0);
  for (uint32_t g = 0; g < wide * (k->n / ly); g++) {
    assert_int_equal(trace_writer_group_begin(w, g), 0);
    for (uint32_t i = 0; i < lx * ly; i++) {
      kernel_trace_gemm_item(k, g % wide * lx + i % lx, g / wide * ly + i / lx);
      add(w, k, i);
    }
    assert_int_equal(trace_writer_group_end(w, NULL), 0);
  }
  assert_int_equal(trace_writer_close(w, NULL), 0);
}

static void write_spmv(struct kernel_trace *k, bool small) {
  struct trace_writer *w;
  const uint32_t local = k->header.local[0];
  assert_int_equal(trace_writer_open_packed(path, &k->header, &k->code, small, &w, NULL), 0);
  for (uint32_t g = 0; g < k->n / local; g++) {
    assert_int_equal(trace_writer_group_begin(w, g), 0);
    for (uint32_t i = 0; i < local; i++) {
      kernel_trace_spmv_item(k, g * local + i);
      add(w, k, i);
    }
    assert_int_equal(trace_writer_group_end(w, NULL), 0);
  }
  assert_int_equal(trace_writer_close(w, NULL), 0);
}

/* Returns the bytes for each instruction of the trace that was just written. */
static double bytes_per_instruction(uint32_t *shapes) {
  struct trace *trace = NULL;
  assert_int_equal(trace_load(path, &trace, NULL), 0);
  const double ratio = (double)trace->file_bytes / (double)trace->work_item_instructions;
  *shapes = trace->shape_count;
  print_message("%llu bytes, %llu instructions, %u shapes: %.7f bytes an instruction\n",
                (unsigned long long)trace->file_bytes, (unsigned long long)trace->work_item_instructions,
                trace->shape_count, ratio);
  trace_destroy(trace);
  return ratio;
}

static void matrix_product(void **state) {
  (void)state;
  struct kernel_trace k;
  uint32_t shapes;
  kernel_trace_gemm(&k, 256, 8, 8);
  write_gemm(&k);
  assert_true(bytes_per_instruction(&shapes) <= 0.001);
  assert_int_equal(shapes, 1);
  kernel_trace_clear(&k);
}

static void sparse_matrix(void **state) {
  (void)state;
  struct kernel_trace k;
  uint32_t shapes;
  kernel_trace_spmv(&k, 32768, 64);
  write_spmv(&k, false);
  assert_true(bytes_per_instruction(&shapes) <= 0.5);
  kernel_trace_clear(&k);
}

static void small_traces_hold_the_same(void **state) {
  (void)state;
  struct kernel_trace k;
  struct loose_trace plain, small;
  uint32_t shapes;
  kernel_trace_spmv(&k, 32768, 64);
  write_spmv(&k, false);
  const double ratio = bytes_per_instruction(&shapes);
  loose_trace_read(path, &plain);
  write_spmv(&k, true);
  assert_true(bytes_per_instruction(&shapes) < 0.9 * ratio);
  loose_trace_read(path, &small);
  assert_int_equal(small.count, plain.count);
  for (size_t i = 0; i < plain.count; i++) {
    assert_int_equal(small.frames[i].kind, plain.frames[i].kind);
    assert_int_equal(small.frames[i].length, plain.frames[i].length);
    assert_memory_equal(small.frames[i].raw, plain.frames[i].raw, plain.frames[i].length);
  }
  loose_trace_clear(&plain);
  loose_trace_clear(&small);
  kernel_trace_clear(&k);
}

int main(void) {
  const int file = mkstemp(path);
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrix_product), cmocka_unit_test(sparse_matrix),
                                     cmocka_unit_test(small_traces_hold_the_same)};
  if (file < 0)
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
