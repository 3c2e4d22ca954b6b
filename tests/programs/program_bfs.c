/* Breadth-first search as Rodinia does it: two kernels in a loop that ends when a flag on the device stays zero; the
 * flag is written and read by the host between launches. The last kernel is a task. */
#include "program.h"

enum { NODES = 64 };

static const char source[] =
    "kernel void visit(global const int *first, global const int *edge, global const int *front, global int *next,\n"
    "                  global int *cost, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n || !front[i]) return;\n"
    "  for (int e = first[i]; e < first[i + 1]; e++)\n"
    "    if (cost[edge[e]] < 0) next[edge[e]] = 1;\n"
    "}\n"
    "kernel void settle(global int *front, global int *next, global int *cost, global int *more, int step, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i >= n) return;\n"
    "  front[i] = next[i];\n"
    "  if (next[i]) { cost[i] = step; next[i] = 0; *more = 1; }\n"
    "}\n"
    "kernel void sum(global int *cost, int n) { for (int i = 1; i < n; i++) cost[0] += cost[i]; }\n";

static cl_mem ints(const struct program *p, const int *values, size_t count) {
  return program_buffer(p, CL_MEM_COPY_HOST_PTR, count * sizeof *values, (void *)values);
}

int main(void) {
  int first[NODES + 1], edge[2 * NODES], front[NODES] = {1}, next[NODES] = {0}, cost[NODES], more = 1, n = NODES;
  struct program p;
  for (int i = 0; i < NODES; i++) { /* a binary tree: node i leads to 2i+1 and 2i+2 */
    first[i] = 2 * i;
    edge[2 * i] = (2 * i + 1) % NODES;
    edge[2 * i + 1] = (2 * i + 2) % NODES;
    cost[i] = i == 0 ? 0 : -1;
  }
  first[NODES] = 2 * NODES;
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_mem buffers[] = {ints(&p, first, NODES + 1), ints(&p, edge, 2 * NODES), ints(&p, front, NODES),
                      ints(&p, next, NODES),      ints(&p, cost, NODES),     ints(&p, &more, 1)};
  cl_kernel visit = program_kernel(&p, "visit"), settle = program_kernel(&p, "settle"), sum = program_kernel(&p, "sum");
  for (cl_uint i = 0; i < 5; i++)
    program_set(visit, i, sizeof(cl_mem), &buffers[i]);
  program_set(visit, 5, sizeof n, &n);
  for (cl_uint i = 0; i < 4; i++)
    program_set(settle, i, sizeof(cl_mem), &buffers[i + 2]);
  program_set(settle, 5, sizeof n, &n);
  for (int step = 1; more; step++) {
    more = 0;
    must(clEnqueueWriteBuffer(p.queue, buffers[5], CL_TRUE, 0, sizeof more, &more, 0, NULL, NULL), "write");
    program_set(settle, 4, sizeof step, &step);
    program_launch(&p, visit, NODES, 32);
    program_launch(&p, settle, NODES, 32);
    program_read(&p, buffers[5], sizeof more, &more);
  }
  program_set(sum, 0, sizeof(cl_mem), &buffers[4]);
  program_set(sum, 1, sizeof n, &n);
  must(clEnqueueTask(p.queue, sum, 0, NULL, NULL), "clEnqueueTask");
  program_read(&p, buffers[4], sizeof cost, cost);
  int wanted = 0;
  for (int i = 1; i < NODES; i++)
    for (int node = i; node > 0; node = (node - 1) / 2)
      wanted++;
  if (cost[0] != wanted)
    fprintf(stderr, "the costs add up to %d, wanted %d\n", cost[0], wanted);
  return cost[0] == wanted ? 0 : 1;
}
