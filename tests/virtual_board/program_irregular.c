/* Launches of many work-items, of which some work-groups do not represent the others: work-groups of the second column
 * load rows in no order. One launch has two columns, so that every second work-group is irregular; the others have one,
 * which is regular. Prints nothing and does not ask for the time. */
#include "program.h"

#define LOCAL 64u
#define ROWS  2048u

static const char source[] =
    "kernel void rows(global const uint *x, global uint *y) {\n"
    "  uint row = get_group_id(1), column = get_group_id(0), columns = get_num_groups(0), rows = get_num_groups(1);\n"
    "  uint from = column == 1 ? (row * 2654435761u >> 9) % rows : row, l = get_local_id(0), size = "
    "get_local_size(0);\n"
    "  y[(row * columns + column) * size + l] = x[(from * columns + column) * size + l];\n"
    "}\n";

static void launch(const struct program *p, cl_kernel kernel, size_t columns, size_t rows) {
  const size_t global[2] = {columns * LOCAL, rows}, local[2] = {LOCAL, 1};
  must(clEnqueueNDRangeKernel(p->queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

int main(void) {
  static cl_uint in[2 * LOCAL * ROWS], out[2 * LOCAL * ROWS];
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, "");
  cl_mem x = program_buffer(&p, CL_MEM_COPY_HOST_PTR, sizeof in, in);
  cl_mem y = program_buffer(&p, CL_MEM_READ_WRITE, sizeof out, NULL);
  cl_kernel kernel = program_kernel(&p, "rows");
  program_set(kernel, 0, sizeof x, &x);
  program_set(kernel, 1, sizeof y, &y);
  launch(&p, kernel, 1, ROWS);
  launch(&p, kernel, 2, ROWS);
  launch(&p, kernel, 1, 2 * ROWS);
  launch(&p, kernel, 2, 4);
  program_read(&p, y, sizeof out, out);
  clReleaseMemObject(x);
  clReleaseMemObject(y);
  clReleaseKernel(kernel);
  program_close(&p);
  return 0;
}
