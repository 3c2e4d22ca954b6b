/* Rodinia's pathfinder: rows of a grid taken several at a time in local memory with a halo on both sides, two buffers
 * that change places from launch to launch, the number of rows of the last launch smaller. */
#include "program.h"

enum { COLUMNS = 256, ROWS = 12, GROUP = 64, HEIGHT = 4, ROUNDS = (ROWS - 2) / HEIGHT + 1 };

static const char source[] =
    "#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))\n"
    "kernel void dynproc(int iteration, global const int *wall, global const int *from, global int *to, int columns,\n"
    "                    int start, int border, local int *prev, local int *result) {\n"
    "  int tx = get_local_id(0), size = get_local_size(0), inner = size - iteration * 2;\n"
    "  int block = inner * get_group_id(0) - border, x = block + tx;\n"
    "  int low = block < 0 ? -block : 0, high = block + size > columns ? columns - block - 1 : size - 1;\n"
    "  int west = max(tx - 1, low), east = min(tx + 1, high);\n"
    "  bool valid = IN_RANGE(tx, low, high), computed;\n"
    "  if (IN_RANGE(x, 0, columns - 1)) prev[tx] = from[x];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = 0; i < iteration; i++) {\n"
    "    computed = false;\n"
    "    if (IN_RANGE(tx, i + 1, size - i - 2) && valid) {\n"
    "      computed = true;\n"
    "      int shortest = min(min(prev[west], prev[tx]), prev[east]);\n"
    "      result[tx] = shortest + wall[columns * (start + i) + x];\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i == iteration - 1) break;\n"
    "    if (computed) prev[tx] = result[tx];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  }\n"
    "  if (computed) to[x] = result[tx];\n"
    "}\n";

static int wall[ROWS * COLUMNS], wanted[COLUMNS], found[COLUMNS];

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static void compute(void) {
  int next[COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    wall[i] = (i * 37) % 10;
  memcpy(wanted, wall, sizeof wanted);
  for (int row = 1; row < ROWS; row++) {
    for (int x = 0; x < COLUMNS; x++)
      next[x] = wall[row * COLUMNS + x] +
                smaller(wanted[x], smaller(wanted[x > 0 ? x - 1 : 0], wanted[x < COLUMNS - 1 ? x + 1 : x]));
    memcpy(wanted, next, sizeof wanted);
  }
}

int main(void) {
  const int columns = COLUMNS, border = HEIGHT;
  const size_t local = GROUP, global = (COLUMNS + GROUP - 2 * HEIGHT - 1) / (GROUP - 2 * HEIGHT) * GROUP;
  struct program p;
  compute();
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem grid = program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof wall - sizeof found, wall + COLUMNS);
  cl_mem rows[] = {program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof found, wall),
                   program_buffer(&p, CL_MEM_READ_WRITE, sizeof found, NULL)};
  cl_kernel kernel = program_kernel(&p, "dynproc");
  for (int round = 0; round < ROUNDS; round++) {
    const int start = round * HEIGHT, iteration = smaller(HEIGHT, ROWS - 1 - start);
    program_set(kernel, 0, sizeof iteration, &iteration);
    program_set(kernel, 1, sizeof grid, &grid);
    program_set(kernel, 2, sizeof(cl_mem), &rows[round % 2]);
    program_set(kernel, 3, sizeof(cl_mem), &rows[1 - round % 2]);
    program_set(kernel, 4, sizeof columns, &columns);
    program_set(kernel, 5, sizeof start, &start);
    program_set(kernel, 6, sizeof border, &border);
    program_set(kernel, 7, GROUP * sizeof(int), NULL);
    program_set(kernel, 8, GROUP * sizeof(int), NULL);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "dynproc");
  }
  program_read(&p, rows[ROUNDS % 2], sizeof found, found);
  for (int x = 0; x < COLUMNS; x++)
    if (found[x] != wanted[x]) {
      fprintf(stderr, "column %d: %d, wanted %d\n", x, found[x], wanted[x]);
      return 1;
    }
  return 0;
}
