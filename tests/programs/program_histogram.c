/* A histogram as Parboil's: counters in local memory with atomics, merged into global ones; a table in constant memory;
 * bytes as input; the next frame is written while the kernel that reads the other buffer may still run. */
#include "program.h"

enum { PIXELS = 4096, BINS = 64, FRAMES = 3 };

static const char source[] = "kernel void histogram(global const uchar4 *pixels, global uint *bins, constant uchar "
                             "*bin_of, local uint *mine) {\n"
                             "  for (uint b = get_local_id(0); b < 64; b += get_local_size(0)) mine[b] = 0;\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  uchar4 p = pixels[get_global_id(0)];\n"
                             "  atomic_inc(&mine[bin_of[p.x]]);\n"
                             "  atomic_inc(&mine[bin_of[p.y]]);\n"
                             "  atomic_add(&mine[bin_of[p.z]], 1u);\n"
                             "  atom_inc(&mine[bin_of[p.w]]);\n"
                             "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "  for (uint b = get_local_id(0); b < 64; b += get_local_size(0))\n"
                             "    if (mine[b]) atomic_add(&bins[b], mine[b]);\n"
                             "}\n";

static unsigned char frames[FRAMES][PIXELS], bin_of[256];
static cl_uint wanted[BINS], found[BINS];

static void compute(void) {
  for (int v = 0; v < 256; v++)
    bin_of[v] = (unsigned char)(v / 4);
  for (int f = 0; f < FRAMES; f++)
    for (int i = 0; i < PIXELS; i++) {
      frames[f][i] = (unsigned char)(i * (f + 3) % 251);
      wanted[bin_of[frames[f][i]]]++;
    }
}

int main(void) {
  struct program p;
  cl_int status;
  cl_event written[FRAMES], ran[FRAMES];
  const size_t global = PIXELS / 4, local = 64;
  const cl_uint zero = 0;
  compute();
  program_open(&p, CL_DEVICE_TYPE_GPU, 0, source, "");
  cl_command_queue copies = clCreateCommandQueue(p.context, p.device, 0, &status);
  must(status, "clCreateCommandQueue");
  cl_mem pixels[] = {program_buffer(&p, CL_MEM_READ_ONLY, PIXELS, NULL),
                     program_buffer(&p, CL_MEM_READ_ONLY, PIXELS, NULL)};
  cl_mem bins = program_buffer(&p, 0, sizeof found, NULL);
  cl_mem table = program_buffer(&p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof bin_of, bin_of);
  cl_kernel kernel = program_kernel(&p, "histogram");
  must(clEnqueueFillBuffer(p.queue, bins, &zero, sizeof zero, 0, sizeof found, 0, NULL, NULL), "clEnqueueFillBuffer");
  program_set(kernel, 1, sizeof bins, &bins);
  program_set(kernel, 2, sizeof table, &table);
  program_set(kernel, 3, BINS * sizeof(cl_uint), NULL);
  for (int f = 0; f < FRAMES; f++) {
    must(clEnqueueWriteBuffer(copies, pixels[f % 2], CL_FALSE, 0, PIXELS, frames[f], f > 1 ? 1 : 0,
                              f > 1 ? &ran[f - 2] : NULL, &written[f]),
         "clEnqueueWriteBuffer");
    must(clFlush(copies), "clFlush");
    program_set(kernel, 0, sizeof(cl_mem), &pixels[f % 2]);
    must(clEnqueueNDRangeKernel(p.queue, kernel, 1, NULL, &global, &local, 1, &written[f], &ran[f]), "histogram");
  }
  must(clEnqueueBarrierWithWaitList(p.queue, FRAMES, ran, NULL), "clEnqueueBarrierWithWaitList");
  program_read(&p, bins, sizeof found, found);
  for (int b = 0; b < BINS; b++)
    if (found[b] != wanted[b]) {
      fprintf(stderr, "bin %d is %u, wanted %u\n", b, found[b], wanted[b]);
      return 1;
    }
  return 0;
}
