/* Speed of recording: ns per address and per block id, for a regular and an irregular kernel, and of folding a long
 * path. The items' lists are made outside the timed part. Prints one line each. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernel_trace.h"
#include "trace/path/fold.h"

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void die(const struct error *error) {
  error_print(error, stderr);
  exit(1);
}

struct times {
  double items_ns, groups_ns;
  size_t addresses, blocks, items;
};

static void record(struct trace_writer *w, const struct kernel_trace *k, uint32_t item, struct times *t) {
  struct error error = ERROR_INIT;
  const double start = now_ns();
  if (trace_writer_item(w, item, k->item_blocks, k->block_count, k->item_addresses, k->address_count, &error) != 0)
    die(&error);
  t->items_ns += now_ns() - start;
  t->addresses += k->address_count;
  t->blocks += k->block_count;
  t->items++;
}

static void run(const char *name, struct kernel_trace *k, int sparse) {
  struct error error = ERROR_INIT;
  struct trace_writer *w;
  struct times t = {0};
  const uint32_t lx = k->header.local[0], ly = k->header.local[1], size = lx * ly;
  const uint32_t wide = (uint32_t)k->header.global[0] / lx, groups = wide * ((uint32_t)k->header.global[1] / ly);
  if (trace_writer_open("/dev/shm/bench_trace_writer.rtrace", &k->header, &k->code, &w, &error) != 0)
    die(&error);
  for (uint32_t g = 0; g < groups; g++) {
    trace_writer_group_begin(w, g);
    for (uint32_t i = 0; i < size; i++) {
      if (sparse)
        kernel_trace_spmv_item(k, g * size + i);
      else
        kernel_trace_gemm_item(k, g % wide * lx + i % lx, g / wide * ly + i / lx);
      record(w, k, i, &t);
    }
    const double start = now_ns();
    if (trace_writer_group_end(w, &error) != 0)
      die(&error);
    t.groups_ns += now_ns() - start;
  }
  if (trace_writer_close(w, &error) != 0)
    die(&error);
  printf("%-10s %6.3f ns/address %6.3f ns/block id (items), %6.3f ns/address (ends of groups), %zu addresses\n", name,
         t.items_ns / (double)t.addresses, t.items_ns / (double)t.blocks, t.groups_ns / (double)t.addresses,
         t.addresses);
  remove("/dev/shm/bench_trace_writer.rtrace");
}

/* kind 0: one long loop; 1: nested with varying inner trips; 2: random blocks. */
static void fold_long(const char *name, int kind) {
  const size_t count = 10000000;
  uint16_t *blocks = malloc(count * sizeof *blocks);
  struct fold fold = {0};
  const struct trace_step *steps;
  uint32_t step_count, x = 1, left = 0;
  struct error error = ERROR_INIT;
  if (!blocks)
    exit(1);
  for (size_t i = 0; i < count; i++) {
    x = x * 1664525u + 1013904223u;
    if (kind == 1 && left-- == 0)
      left = x >> 28;
    blocks[i] = kind == 0 ? i % 3 : kind == 1 ? left == 0 : x >> 24;
  }
  const double start = now_ns();
  if (fold_blocks(&fold, blocks, count, &steps, &step_count, &error) != 0)
    die(&error);
  printf("%-10s %6.3f ns/block id, %zu blocks into %u steps\n", name, (now_ns() - start) / (double)count, count,
         step_count);
  fold_clear(&fold);
  free(blocks);
}

int main(void) {
  struct kernel_trace k;
  kernel_trace_gemm(&k, 512, 16, 16);
  run("gemm-512", &k, 0);
  kernel_trace_clear(&k);
  kernel_trace_spmv(&k, 1u << 18, 64);
  run("spmv", &k, 1);
  kernel_trace_clear(&k);
  fold_long("fold loop", 0);
  fold_long("fold trips", 1);
  fold_long("fold none", 2);
  return 0;
}
