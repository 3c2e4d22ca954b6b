#include "cli/params/micro_kernels.h"

#include <string.h>

/* Launches of 1,280 work-groups of 64 fill the largest GPU that ships; arithmetic, which is cheap to replay, has more
 * of them, so that a last round with fewer work-groups does not matter. Of two launches, one has N iterations and one 3
 * N. What an iteration does stands in datasets/kernels/micro.cl. Rows of one name differ in the bytes that they read:
 * the first one that L1 does not hold is the one of a GPU. The number of pieces that are loaded from L2 is a prime, so
 * that the work-groups of a core load different ones. */
enum { ITEMS = 1280 * 64, MANY_ITEMS = 5120 * 64 };

#define MORE_ITERATIONS(n) (2.0 * (n))
#define VECTORS(n)         (16.0 * (n)) /* bytes of vectors of four floats */

const struct micro_kernel micro_kernels[] = {
    {"fma", "micro/fma:GROUPS=5120,N=8", "GFLOP/s", "multiply-adds of floats, two operations each", MICRO_RATE,
     MORE_ITERATIONS(8) * 2 * 32 * MANY_ITEMS, 0},
    {"fadd", "micro/fadd:GROUPS=5120,N=8", "G/s", "additions of floats", MICRO_RATE,
     MORE_ITERATIONS(8) * 32 * MANY_ITEMS, 0},
    {"integer", "micro/integer:GROUPS=5120,N=8", "G/s", "multiplications and additions of integers", MICRO_RATE,
     MORE_ITERATIONS(8) * 32 * MANY_ITEMS, 0},
    {"l1_load", "micro/load-repeatedly:GROUPS=1280,N=2", "GB/s", "vectors of four floats from L1", MICRO_RATE,
     VECTORS(8 * ITEMS) * MORE_ITERATIONS(2), 0},
    {"l2_load", "micro/load-repeatedly:GROUPS=1280,N=4,SPREAD=13", "GB/s", "bytes from L2 to all L1, of 104 KiB",
     MICRO_LINK_RATE, 0, 104 << 10},
    {"l2_load", "micro/load-repeatedly:GROUPS=1280,N=4,SPREAD=127", "GB/s", "bytes from L2 to all L1, of 1016 KiB",
     MICRO_LINK_RATE, 0, 127 << 13},
    {"dram_load", "micro/load-stream:GROUPS=1280,N=4", "GB/s", "vectors of four floats that are loaded once",
     MICRO_RATE, VECTORS(ITEMS) * MORE_ITERATIONS(4), 0},
    {"dram_store", "micro/store-stream:GROUPS=1280,N=8", "GB/s", "vectors of four floats that are stored once",
     MICRO_RATE, VECTORS(ITEMS) * MORE_ITERATIONS(8), 0},
    {"dram_copy", "micro/copy-stream:GROUPS=1280,N=8", "GB/s", "a copy of vectors, bytes loaded and stored", MICRO_RATE,
     VECTORS(2 * ITEMS) * MORE_ITERATIONS(8), 0},
    {"l1_chase", "micro/chase:PLACES=16,STEP=16,N=16", "cycles", "a load from L1 at the address that was just loaded",
     MICRO_LATENCY, 16 * MORE_ITERATIONS(16), 0},
    {"l2_chase", "micro/chase:PLACES=768,STEP=16,N=64", "cycles", "the same from L2, of 96 KiB", MICRO_LATENCY,
     16 * MORE_ITERATIONS(64), 96 << 10},
    {"l2_chase", "micro/chase:PLACES=2560,STEP=16,N=256", "cycles", "the same from L2, of 320 KiB", MICRO_LATENCY,
     16 * MORE_ITERATIONS(256), 320 << 10},
    {"dram_chase", "micro/chase:PLACES=3072,STEP=32,N=64", "cycles", "the same from memory", MICRO_LATENCY,
     16 * MORE_ITERATIONS(64), 0},
    {"atomic_one", "micro/atomic-one:GROUPS=1280,N=1", "G/s", "atomic additions to one word", MICRO_RATE,
     MORE_ITERATIONS(1) * 8 * ITEMS, 0},
    {"atomic_spread", "micro/atomic-spread:GROUPS=1280,N=1", "G/s", "atomic additions to a word for each work-item",
     MICRO_RATE, MORE_ITERATIONS(1) * 8 * ITEMS, 0},
    {"empty", "micro/empty", "us", "a launch of one work-group without instructions", MICRO_TIME, 1, 0},
};

const size_t micro_kernel_count = sizeof micro_kernels / sizeof micro_kernels[0];

bool micro_kernel_suits(size_t index, uint64_t l1_bytes) {
  const struct micro_kernel *kernel = &micro_kernels[index];
  if (kernel->bytes == 0)
    return true;
  for (size_t i = 0; i < index; i++)
    if (strcmp(micro_kernels[i].name, kernel->name) == 0 && micro_kernels[i].bytes > l1_bytes)
      return false;
  return kernel->bytes > l1_bytes;
}

static double moved_bytes(const struct sim_result *result) {
  return (double)result->counters.l1_l2_read_bytes + (double)result->counters.l1_l2_written_bytes;
}

double micro_figure(const struct micro_kernel *kernel, const struct sim_result *before, const struct sim_result *last) {
  switch (kernel->form) {
  case MICRO_RATE:
    return kernel->work / (last->time_ns - before->time_ns);
  case MICRO_LINK_RATE:
    return (moved_bytes(last) - moved_bytes(before)) / (last->time_ns - before->time_ns);
  case MICRO_LATENCY:
    return (last->cycles - before->cycles) / kernel->work;
  case MICRO_TIME:
    return last->time_ns / 1000;
  }
  return 0;
}
