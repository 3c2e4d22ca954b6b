/* Measures the speed of replays: work-item instructions and warp events a second, one thread. A plain matrix
 * product (regular) and a sparse matrix-vector product (irregular), on the shipped Mali-G71 MP8 and with
 * variations. Usage: bench_replay [N of the matrix product, default 512] [rows of the sparse one, default 65536] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kernel_trace.h"
#include "model/simulate.h"
#include "trace/write/writer.h"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fail(const struct error *error) {
  error_print(error, stderr);
  exit(1);
}

static void write_items(struct trace_writer *writer, struct kernel_trace *k, bool sparse, struct error *error) {
  const struct trace_header *h = &k->header;
  uint32_t groups_x = (uint32_t)(h->global[0] / h->local[0]),
           groups = groups_x * (uint32_t)(h->global[1] / h->local[1]);
  for (uint32_t g = 0; g < groups; g++) {
    int status = trace_writer_group_begin(writer, g);
    for (uint32_t i = 0; i < trace_local_size(h) && status == 0; i++) {
      uint32_t x = g % groups_x * h->local[0] + i % h->local[0], y = g / groups_x * h->local[1] + i / h->local[0];
      if (sparse)
        kernel_trace_spmv_item(k, x);
      else
        kernel_trace_gemm_item(k, x, y);
      status = trace_writer_item(writer, i, k->item_blocks, k->block_count, k->item_addresses, k->address_count, error);
    }
    if (status || trace_writer_group_end(writer, error))
      fail(error);
  }
}

static struct trace *make_trace(struct kernel_trace *k, bool sparse) {
  char path[64];
  struct error error = ERROR_INIT;
  struct trace_writer *writer;
  struct trace *trace = NULL;
  snprintf(path, sizeof path, "/tmp/bench_replay-%d.rtrace", (int)getpid());
  if (trace_writer_open(path, &k->header, &k->code, &writer, &error))
    fail(&error);
  write_items(writer, k, sparse, &error);
  if (trace_writer_close(writer, &error) || trace_load(path, &trace, &error))
    fail(&error);
  unlink(path);
  return trace;
}

static void measure(const char *name, const struct trace *trace, const struct isa_profile *isa,
                    const struct gpu_spec *spec) {
  struct error error = ERROR_INIT;
  double best = 1e9;
  struct sim_result result;
  for (int i = 0; i < 3; i++) {
    double begin = seconds();
    if (simulate(trace, isa, spec, &result, &error))
      fail(&error);
    double taken = seconds() - begin;
    best = taken < best ? taken : best;
    if (i < 2)
      sim_result_clear(&result);
  }
  printf("%-34s %8.1f M work-item instructions/s  %6.2f s  %12.0f cycles  L1 miss %5.2f%%\n", name,
         (double)result.work_item_instructions / best / 1e6, best, result.cycles,
         100.0 * (double)result.counters.l1_misses /
             (double)(result.counters.l1_accesses ? result.counters.l1_accesses : 1));
  sim_result_clear(&result);
}

static void measure_all(const char *name, const struct trace *trace, const struct isa_profile *isa,
                        const struct gpu *gpu) {
  char label[64];
  struct gpu_spec spec = gpu->spec;
  snprintf(label, sizeof label, "%s, as shipped", name);
  measure(label, trace, isa, &spec);
  spec.l1_model = CACHE_REUSE_DISTANCE;
  snprintf(label, sizeof label, "%s, L1 by reuse distance", name);
  measure(label, trace, isa, &spec);
  spec.memory = MEMORY_SWITCH_ON_ACCESS;
  snprintf(label, sizeof label, "%s, and switch on access", name);
  measure(label, trace, isa, &spec);
}

int main(int argc, char **argv) {
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa = NULL;
  struct kernel_trace gemm, spmv;
  uint32_t n = argc > 1 ? (uint32_t)atoi(argv[1]) : 512, rows = argc > 2 ? (uint32_t)atoi(argv[2]) : 65536;
  if (gpu_load("mali-g71-mp8-thesis", &gpu, &error) || isa_load(gpu->isa, &isa, &error))
    fail(&error);
  kernel_trace_gemm(&gemm, n, 8, 8);
  kernel_trace_spmv(&spmv, rows, 64);
  struct trace *regular = make_trace(&gemm, false), *irregular = make_trace(&spmv, true);
  measure_all("matrix product", regular, isa, gpu);
  measure_all("sparse matrix-vector", irregular, isa, gpu);
  trace_destroy(regular);
  trace_destroy(irregular);
  kernel_trace_clear(&gemm);
  kernel_trace_clear(&spmv);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}
