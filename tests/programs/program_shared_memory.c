/* Shared virtual memory: a kernel gets pointers to the start and into the middle of allocations, whose contents the
 * program changes between launches; one allocation is freed and another made. The last kernel follows pointers that lie
 * in memory, which cannot be emulated. */
#define CL_TARGET_OPENCL_VERSION 200
#include "program.h"

#define COUNT 256

static const char source[] = "__kernel void add(__global const int *a, __global int *b, int n) {\n"
                             "  const int i = get_global_id(0);\n  b[i] += a[(i + n) % get_global_size(0)];\n}\n"
                             "struct node {\n  __global struct node *next;\n  int value;\n};\n"
                             "__kernel void walk(__global struct node *first, __global int *sum) {\n"
                             "  for (__global struct node *n = first; n; n = n->next)\n    *sum += n->value;\n}\n";

struct node {
  struct node *next;
  int value;
};

static int *shared_numbers(const struct program *p, int first) {
  int *numbers = clSVMAlloc(p->context, CL_MEM_READ_WRITE, 2 * COUNT * sizeof *numbers, 0);
  if (!numbers)
    must(CL_OUT_OF_RESOURCES, "clSVMAlloc");
  must(clEnqueueSVMMap(p->queue, CL_TRUE, CL_MAP_WRITE, numbers, 2 * COUNT * sizeof *numbers, 0, NULL, NULL), "map");
  for (int i = 0; i < 2 * COUNT; i++)
    numbers[i] = first + i;
  must(clEnqueueSVMUnmap(p->queue, numbers, 0, NULL, NULL), "unmap");
  return numbers;
}

static void add(const struct program *p, cl_kernel kernel, const int *a, int *b, cl_int n) {
  must(clSetKernelArgSVMPointer(kernel, 0, a), "a");
  must(clSetKernelArgSVMPointer(kernel, 1, b), "b");
  program_set(kernel, 2, sizeof n, &n);
  program_launch(p, kernel, COUNT, 32);
  must(clFinish(p->queue), "clFinish");
}

static int walk(const struct program *p) {
  cl_kernel kernel = program_kernel(p, "walk");
  struct node *nodes = clSVMAlloc(p->context, CL_MEM_READ_WRITE, 2 * sizeof *nodes, 0);
  int *sum = clSVMAlloc(p->context, CL_MEM_READ_WRITE, sizeof *sum, 0);
  const void *followed[] = {nodes};
  nodes[0] = (struct node){&nodes[1], 3};
  nodes[1] = (struct node){NULL, 4};
  *sum = 0;
  must(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof followed, followed), "clSetKernelExecInfo");
  must(clSetKernelArgSVMPointer(kernel, 0, nodes), "nodes");
  must(clSetKernelArgSVMPointer(kernel, 1, sum), "sum");
  program_launch(p, kernel, 1, 1);
  must(clFinish(p->queue), "clFinish");
  const int found = *sum;
  clSVMFree(p->context, nodes);
  clSVMFree(p->context, sum);
  return found;
}

int main(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  cl_kernel kernel = program_kernel(&p, "add");
  int *a = shared_numbers(&p, 1000), *b = shared_numbers(&p, 0);
  add(&p, kernel, a, b, 3);
  add(&p, kernel, a + 16, b + COUNT, 0);
  a[17] = 5; /* this OpenCL runs on the host's memory */
  add(&p, kernel, a + 16, b + COUNT, 1);
  const int right = b[0] == 1003 && b[COUNT] == COUNT + 1016 + 5 && b[COUNT + 1] == COUNT + 1 + 1017 + 1018;
  void *all[] = {a};
  must(clEnqueueSVMFree(p.queue, 1, all, NULL, NULL, 0, NULL, NULL), "clEnqueueSVMFree");
  must(clFinish(p.queue), "clFinish");
  a = shared_numbers(&p, 50);
  add(&p, kernel, a, b, 0);
  const int again = b[1] == 1 + 1004 + 51;
  clSVMFree(p.context, a);
  clSVMFree(p.context, b);
  return right && again && walk(&p) == 7 ? 0 : 1;
}
