/* y = A x for a sparse matrix, in versions that differ in the layout of the matrix and in how many items share a row.
 *
 * Defined by: Bell, Garland, "Efficient sparse matrix-vector multiplication on CUDA" (NVIDIA, 2008): CSR with one item
 *   a row ("scalar") or several ("vector"), and ELL, by columns.
 *   LANES 0: ELL; 1: CSR, a row an item; 2 to 32: so many items share a row, and add up their sums in local memory.
 *   The matrix is made by spmv_fill. Of every 31 rows each has another length of 1 to 31 (EQUAL 0), or all have 16
 *   (EQUAL 1). The columns of a row ascend, at a distance of about SPREAD: around the row itself for a small SPREAD,
 *   all over the matrix for one of COLUMNS / 32.
 * Shapes: ROWS is a multiple of 31. CSR: starts has ROWS + 1 elements, columns and values have 16 x ROWS. ELL: starts
 *   holds the lengths, columns and values have 31 x ROWS, an entry of all rows after the other.
 * Precision: the sum of at most 31 products of numbers in [-1, 1) stays below 31, where a float has steps of 2e-6. The
 *   bound is 31 of these, in case that every addition rounds by a step. */
#ifndef LANES
#define LANES 1
#define EQUAL 0
#define LOCAL 64
#endif
#define LONGEST 31

/* A mixer of bits (the finaliser of MurmurHash3). */
uint mixed(uint x) {
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x *= 0xc2b2ae35u;
  return x ^ (x >> 16);
}

uint length_of(uint row) {
#if EQUAL
  return 16;
#else
  return 1 + (row % LONGEST * 12 + mixed(row / LONGEST) % LONGEST) % LONGEST;
#endif
}

uint column_of(uint row, uint entry, uint spread, uint columns) {
  return (row + entry * spread + mixed(row * LONGEST + entry) % spread) % columns;
}

float value_of(uint row, uint entry) {
  return (float)(mixed(~(row * LONGEST + entry)) >> 8) * 0x1p-23f - 1.0f;
}

__kernel void spmv_fill(__global uint *starts, __global uint *columns, __global float *values, uint rows, uint width,
                        uint spread) {
  const uint row = get_global_id(0);
  const uint length = length_of(row);
#if LANES == 0
  starts[row] = length;
  for (uint entry = 0; entry < LONGEST; ++entry) {
    columns[entry * rows + row] = entry < length ? column_of(row, entry, spread, width) : 0;
    values[entry * rows + row] = entry < length ? value_of(row, entry) : 0.0f;
  }
#else
  uint start = row / LONGEST * (LONGEST * 16);
  for (uint before = row / LONGEST * LONGEST; before < row; ++before)
    start += length_of(before);
  starts[row] = start;
  if (row == rows - 1)
    starts[rows] = start + length;
  for (uint entry = 0; entry < length; ++entry) {
    columns[start + entry] = column_of(row, entry, spread, width);
    values[start + entry] = value_of(row, entry);
  }
#endif
}

__kernel void spmv(__global const uint *starts, __global const uint *columns, __global const float *values,
                   __global const float *x, __global float *y, uint rows) {
#if LANES == 0
  const uint row = get_global_id(0);
  const uint length = starts[row];
  float sum = 0.0f;
  for (uint entry = 0; entry < length; ++entry)
    sum += values[entry * rows + row] * x[columns[entry * rows + row]];
  y[row] = sum;
#elif LANES == 1
  const uint row = get_global_id(0);
  const uint end = starts[row + 1];
  float sum = 0.0f;
  for (uint i = starts[row]; i < end; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
#else
  __local float sums[LOCAL];
  const uint item = get_local_id(0);
  const uint row = get_global_id(0) / LANES;
  const uint lane = item % LANES;
  const uint end = starts[row + 1];
  float sum = 0.0f;
  for (uint i = starts[row] + lane; i < end; i += LANES)
    sum += values[i] * x[columns[i]];
  sums[item] = sum;
  for (uint others = LANES / 2; others > 0; others /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < others)
      sums[item] += sums[item + others];
  }
  if (lane == 0)
    y[row] = sums[item];
#endif
}

/* The unchecked elements of what is expected are those that were found; sixteen at a time, since one item does it. */
void copy(__global const float *from, __global float *to, uint count) {
  uint i = 0;
  for (; i + 16 <= count; i += 16)
    vstore16(vload16(0, from + i), 0, to + i);
  for (; i < count; ++i)
    to[i] = from[i];
}

/* Computes every `step`-th element of y in double precision from the matrix's definition. */
__kernel void spmv_check(__global const float *x, __global const float *y, __global float *expected, uint rows,
                         uint width, uint spread, uint step) {
  copy(y, expected, rows);
  for (uint row = 0; row < rows; row += step) {
    double sum = 0.0;
    for (uint entry = 0; entry < length_of(row); ++entry)
      sum += (double)value_of(row, entry) * x[column_of(row, entry, spread, width)];
    expected[row] = (float)sum;
  }
}
