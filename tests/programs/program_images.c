/* Images as vendors' samples use them: made by the old call and the new one, written, filled, copied, mapped, copied
 * from and to buffers; samplers from the host and in the source; three kernels that read and write them. */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "program.h"

enum { W = 20, H = 12, GRID = 16 };

static const char source[] =
    "constant sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
    "kernel void blur(read_only image2d_t in, write_only image2d_t out, constant float *weights, sampler_t s) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  if (at.x >= get_image_width(in) || at.y >= get_image_height(in)) return;\n"
    "  float4 sum = 0;\n"
    "  for (int j = 0; j < 3; j++)\n"
    "    for (int i = 0; i < 3; i++)\n"
    "      sum += weights[3 * j + i] * read_imagef(in, s, at + (int2)(i - 1, j - 1));\n"
    "  write_imagef(out, at, sum);\n"
    "}\n"
    "kernel void resize(read_only image2d_t in, global float *out) {\n"
    "  float2 at = ((float2)(get_global_id(0), get_global_id(1)) + 0.5f) / (float)get_global_size(0);\n"
    "  out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = read_imagef(in, smooth, at * 2).x;\n"
    "}\n"
    "kernel void histogram(read_only image2d_t in, global int *bins) {\n"
    "  atomic_inc(&bins[read_imageui(in, (int2)(get_global_id(0), get_global_id(1))).x & 7]);\n"
    "}\n";

static const size_t origin[3] = {0, 0, 0}, whole[3] = {W, H, 1};

static unsigned char picture[H][W][4], blurred[H][W][4], levels[H][W];
static float heights[H][W];

static void fill(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      for (int c = 0; c < 4; c++)
        picture[y][x][c] = (unsigned char)(x * 37 + y * 11 + c * 71);
      levels[y][x] = (unsigned char)(x + y);
      heights[y][x] = (float)(x * y);
    }
}

/* Weights of 1/16, 2/16, 4/16; beyond the edge the edge repeats. */
static int expected_blur(int x, int y, int c) {
  int sum = 8;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      const int u = x + i < 0 ? 0 : x + i >= W ? W - 1 : x + i, v = y + j < 0 ? 0 : y + j >= H ? H - 1 : y + j;
      sum += (i ? 1 : 2) * (j ? 1 : 2) * picture[v][u][c];
    }
  return sum / 16;
}

static int check_blur(void) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int c = 0; c < 4; c++)
        if (abs(blurred[y][x][c] - expected_blur(x, y, c)) > 1) {
          fprintf(stderr, "texel (%d, %d) channel %d is %d, wanted %d\n", x, y, c, blurred[y][x][c],
                  expected_blur(x, y, c));
          return 1;
        }
  return 0;
}

static void launch(const struct program *p, cl_kernel kernel, size_t width, size_t height) {
  const size_t global[] = {width, height}, local[] = {4, 4};
  must(clEnqueueNDRangeKernel(p->queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}

static cl_mem new_image(const struct program *p, cl_mem_flags flags, cl_channel_order order, cl_channel_type type,
                        void *host) {
  const cl_image_format format = {order, type};
  const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
  cl_int status;
  cl_mem image = clCreateImage(p->context, flags, &format, &description, host, &status);
  must(status, "clCreateImage");
  return image;
}

/* Written with a pitch, blurred into an image that was filled, copied to another one, mapped. */
static int blur(const struct program *p) {
  static unsigned char wide[H][W + 3][4];
  static const float weights[] = {0.0625f, 0.125f, 0.0625f, 0.125f, 0.25f, 0.125f, 0.0625f, 0.125f, 0.0625f};
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const float color[4] = {1, 1, 1, 1};
  cl_int status;
  size_t pitch;
  for (int y = 0; y < H; y++)
    memcpy(wide[y], picture[y], sizeof picture[y]);
  cl_mem in = clCreateImage2D(p->context, CL_MEM_READ_ONLY, &format, W, H, 0, NULL, &status);
  must(status, "clCreateImage2D");
  cl_mem out = new_image(p, CL_MEM_WRITE_ONLY, CL_RGBA, CL_UNORM_INT8, NULL);
  cl_mem copy = new_image(p, CL_MEM_READ_WRITE, CL_RGBA, CL_UNORM_INT8, NULL);
  must(clEnqueueWriteImage(p->queue, in, CL_FALSE, origin, whole, sizeof wide[0], 0, wide, 0, NULL, NULL), "write");
  must(clEnqueueFillImage(p->queue, out, color, origin, whole, 0, NULL, NULL), "clEnqueueFillImage");
  cl_sampler edge = clCreateSampler(p->context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &status);
  must(status, "clCreateSampler");
  cl_mem factors = program_buffer(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof weights, (void *)weights);
  cl_kernel kernel = program_kernel(p, "blur");
  program_set(kernel, 0, sizeof in, &in);
  program_set(kernel, 1, sizeof out, &out);
  program_set(kernel, 2, sizeof factors, &factors);
  program_set(kernel, 3, sizeof edge, &edge);
  launch(p, kernel, W, H + 4);
  must(clEnqueueCopyImage(p->queue, out, copy, origin, origin, whole, 0, NULL, NULL), "clEnqueueCopyImage");
  char *map =
      clEnqueueMapImage(p->queue, copy, CL_TRUE, CL_MAP_READ, origin, whole, &pitch, NULL, 0, NULL, NULL, &status);
  must(status, "clEnqueueMapImage");
  for (int y = 0; y < H; y++)
    memcpy(blurred[y], map + (size_t)y * pitch, sizeof blurred[y]);
  must(clEnqueueUnmapMemObject(p->queue, copy, map, 0, NULL, NULL), "clEnqueueUnmapMemObject");
  return check_blur();
}

/* Twice the period of the image on a square grid: each half is the same. */
static int resize(const struct program *p) {
  static float out[GRID * GRID];
  cl_mem in = new_image(p, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, CL_R, CL_FLOAT, heights);
  cl_mem buffer = program_buffer(p, CL_MEM_WRITE_ONLY, sizeof out, NULL);
  cl_kernel kernel = program_kernel(p, "resize");
  program_set(kernel, 0, sizeof in, &in);
  program_set(kernel, 1, sizeof buffer, &buffer);
  launch(p, kernel, GRID, GRID);
  program_read(p, buffer, sizeof out, out);
  for (int i = 0; i < GRID / 2; i++)
    if (out[i] != out[i + GRID / 2] || out[3 * GRID + i] != out[(3 + GRID / 2) * GRID + i]) {
      fprintf(stderr, "column %d does not repeat\n", i);
      return 1;
    }
  return 0;
}

/* The image comes from a buffer and goes back to one. */
static int histogram(const struct program *p) {
  int bins[8] = {0}, wanted[8] = {0};
  static unsigned char back[H][W];
  cl_mem from = program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof levels, levels);
  cl_mem to = program_buffer(p, CL_MEM_READ_WRITE, sizeof levels, NULL);
  cl_mem counts = program_buffer(p, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof bins, bins);
  cl_mem image = new_image(p, CL_MEM_READ_ONLY, CL_R, CL_UNSIGNED_INT8, NULL);
  must(clEnqueueCopyBufferToImage(p->queue, from, image, 0, origin, whole, 0, NULL, NULL), "buffer to image");
  cl_kernel kernel = program_kernel(p, "histogram");
  program_set(kernel, 0, sizeof image, &image);
  program_set(kernel, 1, sizeof counts, &counts);
  launch(p, kernel, W, H);
  must(clEnqueueCopyImageToBuffer(p->queue, image, to, origin, whole, 0, 0, NULL, NULL), "image to buffer");
  program_read(p, counts, sizeof bins, bins);
  program_read(p, to, sizeof back, back);
  for (int i = 0; i < W * H; i++)
    wanted[levels[i / W][i % W] & 7]++;
  if (memcmp(bins, wanted, sizeof bins) == 0 && memcmp(back, levels, sizeof back) == 0)
    return 0;
  fprintf(stderr, "bin 0 is %d, wanted %d; or the image came back changed\n", bins[0], wanted[0]);
  return 1;
}

int main(void) {
  struct program p;
  program_open(&p, CL_DEVICE_TYPE_ALL, 0, source, NULL);
  fill();
  const int failed = blur(&p) + resize(&p) + histogram(&p);
  program_close(&p);
  return failed ? 1 : 0;
}
