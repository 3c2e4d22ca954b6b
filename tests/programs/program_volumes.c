/* Images that are not two-dimensional: a volume, made by OpenCL 1.1's call, that is halved into another one; layers
 * that are written one by one, added and mapped; a row as a table of colors, and an array of rows; images that show a
 * buffer. What the kernels leave is compared with loops of the host. */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "program.h"

#include <math.h>

enum { SIDE = 8, HALF = SIDE / 2, W = 6, H = 5, LAYERS = 3, TABLE = 16 };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
    "constant sampler_t texel = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "kernel void halve(read_only image3d_t in, write_only image3d_t out) {\n"
    "  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);\n"
    "  write_imagef(out, at, read_imagef(in, smooth, convert_float4(at * 2) + 1));\n"
    "}\n"
    "kernel void add(read_only image2d_array_t in, write_only image2d_array_t out) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  int4 sum = 0;\n"
    "  for (int layer = 0; layer < (int)get_image_array_size(in); layer++) {\n"
    "    sum += read_imagei(in, texel, (int4)(at, layer, 0));\n"
    "    write_imagei(out, (int4)(at, layer, 0), sum);\n"
    "  }\n"
    "}\n"
    "kernel void look_up(read_only image1d_t table, global const float *at, global float4 *out, sampler_t s) {\n"
    "  out[get_global_id(0)] = read_imagef(table, s, at[get_global_id(0)]);\n"
    "}\n"
    "kernel void transpose(read_only image1d_array_t in, write_only image1d_array_t out) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(out, at.yx, read_imageui(in, texel, at));\n"
    "}\n"
    "kernel void seconds(read_only image1d_buffer_t in, global int *out) {\n"
    "  int at = get_global_id(0);\n"
    "  out[at] = read_imagei(in, at).y;\n"
    "}\n"
    "kernel void square(global int *out) {\n"
    "  int at = get_global_id(0);\n"
    "  out[at] = at * at;\n"
    "}\n";

static const size_t origin[3] = {0, 0, 0};

static int wrong(const char *what, int place, double found, double wanted) {
  fprintf(stderr, "%s: place %d is %g, wanted %g\n", what, place, found, wanted);
  return 1;
}

static cl_mem new_image(const struct program *p, cl_mem_flags flags, cl_channel_order order, cl_channel_type type,
                        cl_image_desc description, void *host) {
  const cl_image_format format = {order, type};
  cl_int status;
  cl_mem image = clCreateImage(p->context, flags, &format, &description, host, &status);
  must(status, "clCreateImage");
  return image;
}

static void launch(const struct program *p, cl_kernel kernel, cl_uint dimensions, const size_t *global) {
  must(clEnqueueNDRangeKernel(p->queue, kernel, dimensions, NULL, global, NULL, 0, NULL, NULL), "launch");
}

/* A texel of the smaller volume is the mean of eight. */
static int halve(const struct program *p) {
  static float volume[SIDE][SIDE][SIDE], small[HALF][HALF][HALF];
  const cl_image_format format = {CL_R, CL_FLOAT};
  const size_t half[] = {HALF, HALF, HALF};
  cl_int status;
  for (int i = 0; i < SIDE * SIDE * SIDE; i++)
    (&volume[0][0][0])[i] = (float)(i * 7 % 64);
  cl_mem in = clCreateImage3D(p->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, SIDE, SIDE, SIDE, 0, 0,
                              volume, &status);
  must(status, "clCreateImage3D");
  cl_mem out = new_image(
      p, CL_MEM_WRITE_ONLY, CL_R, CL_FLOAT,
      (cl_image_desc){
          .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = HALF, .image_height = HALF, .image_depth = HALF},
      NULL);
  cl_kernel kernel = program_kernel(p, "halve");
  program_set(kernel, 0, sizeof in, &in);
  program_set(kernel, 1, sizeof out, &out);
  launch(p, kernel, 3, half);
  must(clEnqueueReadImage(p->queue, out, CL_TRUE, origin, half, 0, 0, small, 0, NULL, NULL), "clEnqueueReadImage");
  for (int i = 0; i < HALF * HALF * HALF; i++) {
    const int x = i % HALF, y = i / HALF % HALF, z = i / HALF / HALF;
    float sum = 0;
    for (int k = 0; k < 8; k++)
      sum += volume[2 * z + (k >> 2)][2 * y + (k >> 1 & 1)][2 * x + (k & 1)];
    if (small[z][y][x] != sum / 8)
      return wrong("halve", i, (double)small[z][y][x], (double)sum / 8);
  }
  return 0;
}

/* Layers are written one by one; each layer of the result is the sum of those up to it. */
static int add(const struct program *p) {
  static short layers[LAYERS][H][W][4];
  const cl_image_desc description = {
      .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = W, .image_height = H, .image_array_size = LAYERS};
  const size_t global[] = {W, H}, one[] = {W, H, 1}, all[] = {W, H, LAYERS};
  size_t row, slice;
  cl_int status;
  cl_mem in = new_image(p, CL_MEM_READ_ONLY, CL_RGBA, CL_SIGNED_INT16, description, NULL);
  cl_mem out = new_image(p, CL_MEM_READ_WRITE, CL_RGBA, CL_SIGNED_INT16, description, NULL);
  for (int i = 0; i < LAYERS * H * W * 4; i++)
    (&layers[0][0][0][0])[i] = (short)(i * 31 % 997 - 400);
  for (size_t z = 0; z < LAYERS; z++) {
    const size_t layer[] = {0, 0, z};
    must(clEnqueueWriteImage(p->queue, in, CL_TRUE, layer, one, 0, 0, layers[z], 0, NULL, NULL), "write");
  }
  cl_kernel kernel = program_kernel(p, "add");
  program_set(kernel, 0, sizeof in, &in);
  program_set(kernel, 1, sizeof out, &out);
  launch(p, kernel, 2, global);
  const char *map =
      clEnqueueMapImage(p->queue, out, CL_TRUE, CL_MAP_READ, origin, all, &row, &slice, 0, NULL, NULL, &status);
  must(status, "clEnqueueMapImage");
  for (int i = 0; i < H * W * 4; i++) {
    int sum = 0;
    for (size_t z = 0; z < LAYERS; z++) {
      short found;
      memcpy(&found, map + z * slice + (size_t)(i / 4 / W) * row + (size_t)(i % (4 * W)) * sizeof found, sizeof found);
      sum += (&layers[z][0][0][0])[i];
      if (found != sum)
        return wrong("add", i, found, sum);
    }
  }
  must(clEnqueueUnmapMemObject(p->queue, out, (void *)map, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  return 0;
}

/* Places between the entries, also before the first and behind the last. */
static int look_up(const struct program *p) {
  float table[TABLE][4], at[2 * TABLE], colors[2 * TABLE][4];
  cl_int status;
  for (int i = 0; i < TABLE * 4; i++)
    table[i / 4][i % 4] = (float)(i * i % 50);
  for (int i = 0; i < 2 * TABLE; i++)
    at[i] = (float)(i - 4) * 0.75f;
  cl_mem row = new_image(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, CL_RGBA, CL_FLOAT,
                         (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = TABLE}, table);
  cl_mem places = program_buffer(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof at, at);
  cl_mem out = program_buffer(p, CL_MEM_WRITE_ONLY, sizeof colors, NULL);
  cl_sampler sampler = clCreateSampler(p->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &status);
  must(status, "clCreateSampler");
  cl_kernel kernel = program_kernel(p, "look_up");
  program_set(kernel, 0, sizeof row, &row);
  program_set(kernel, 1, sizeof places, &places);
  program_set(kernel, 2, sizeof out, &out);
  program_set(kernel, 3, sizeof sampler, &sampler);
  launch(p, kernel, 1, (const size_t[]){2 * TABLE});
  program_read(p, out, sizeof colors, colors);
  for (int i = 0; i < 2 * TABLE; i++) {
    const float first = floorf(at[i] - 0.5f), share = at[i] - 0.5f - first;
    const int left = first < 0 ? 0 : first > TABLE - 1 ? TABLE - 1 : (int)first;
    const int right = first + 1 < 0 ? 0 : first + 1 > TABLE - 1 ? TABLE - 1 : (int)first + 1;
    const float wanted = (1 - share) * table[left][2] + share * table[right][2];
    if (colors[i][2] != wanted)
      return wrong("look_up", i, (double)colors[i][2], (double)wanted);
  }
  return 0;
}

static int transpose(const struct program *p) {
  static unsigned char rows[H][W], columns[W][H];
  const size_t global[] = {W, H}, all[] = {H, W, 1};
  for (int i = 0; i < H * W; i++)
    rows[i / W][i % W] = (unsigned char)(i * 17);
  cl_mem in = new_image(
      p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, CL_R, CL_UNSIGNED_INT8,
      (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = W, .image_array_size = H}, rows);
  cl_mem out = new_image(
      p, CL_MEM_WRITE_ONLY, CL_R, CL_UNSIGNED_INT8,
      (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = H, .image_array_size = W}, NULL);
  cl_kernel kernel = program_kernel(p, "transpose");
  program_set(kernel, 0, sizeof in, &in);
  program_set(kernel, 1, sizeof out, &out);
  launch(p, kernel, 2, global);
  must(clEnqueueReadImage(p->queue, out, CL_TRUE, origin, all, 0, 0, columns, 0, NULL, NULL), "clEnqueueReadImage");
  for (int i = 0; i < H * W; i++)
    if (columns[i % W][i / W] != rows[i / W][i % W])
      return wrong("transpose", i, columns[i % W][i / W], rows[i / W][i % W]);
  return 0;
}

static cl_mem image_of(const struct program *p, cl_mem buffer, cl_channel_order order, size_t texels) {
  return new_image(p, 0, order, CL_SIGNED_INT32,
                   (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = texels, .buffer = buffer},
                   NULL);
}

/* An image of a buffer; then a kernel writes the buffer, and the next launch sees that in the image.
 * PoCL 3.1 crashes where a kernel writes such an image. */
static int show(const struct program *p) {
  int numbers[4 * TABLE], found[TABLE];
  for (int i = 0; i < 4 * TABLE; i++)
    numbers[i] = 100 + i;
  cl_mem buffer = program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
  cl_mem out = program_buffer(p, CL_MEM_WRITE_ONLY, sizeof found, NULL);
  cl_mem four = image_of(p, buffer, CL_RGBA, TABLE);
  cl_kernel seconds = program_kernel(p, "seconds"), square = program_kernel(p, "square");
  program_set(seconds, 0, sizeof four, &four);
  program_set(seconds, 1, sizeof out, &out);
  program_set(square, 0, sizeof buffer, &buffer);
  launch(p, seconds, 1, (const size_t[]){TABLE});
  program_read(p, out, sizeof found, found);
  for (int i = 0; i < TABLE; i++)
    if (found[i] != 100 + 4 * i + 1)
      return wrong("show", i, found[i], 101 + 4 * i);
  launch(p, square, 1, (const size_t[]){2 * TABLE});
  launch(p, seconds, 1, (const size_t[]){TABLE});
  program_read(p, out, sizeof found, found);
  program_read(p, buffer, sizeof numbers, numbers);
  for (int i = 0; i < 4 * TABLE; i++) {
    const int wanted = i < 2 * TABLE ? i * i : 100 + i;
    if (numbers[i] != wanted || (i % 4 == 1 && found[i / 4] != wanted))
      return wrong("show again", i, numbers[i], wanted);
  }
  return 0;
}

int main(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  const int failed = halve(&p) + add(&p) + look_up(&p) + transpose(&p) + show(&p);
  program_close(&p);
  return failed ? 1 : 0;
}
