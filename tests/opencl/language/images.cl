/* Reads and writes of 2D images: every function, every format that PoCL has, coordinates inside and outside. What PoCL
 * 3.1 gets wrong is left out: the alpha of images of one channel, which is 1 (table 6.23), also outside under
 * CLK_ADDRESS_CLAMP, and is 0 in PoCL where integers are read or the border is. */
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

float4 read_through(read_only image2d_t image, sampler_t sampler, int2 at) { return read_imagef(image, sampler, at); }

/* From two texels outside to two outside. */
int2 around(void) { return (int2)(get_global_id(0), get_global_id(1)) - 2; }
int place(void) { return get_global_id(1) * get_global_size(0) + get_global_id(0); }

__kernel void read_floats(read_only image2d_t image, __global float4 *out) {
  out[2 * place()] = read_imagef(image, edge, around());
  out[2 * place() + 1] = read_through(image, border, around());
}

__kernel void read_red(read_only image2d_t image, __global float2 *out) {
  out[place()] = (float2)(read_imagef(image, edge, around()).x, read_imagef(image, border, around()).x);
}

__kernel void read_red_integers(read_only image2d_t image, __global int2 *out) {
  out[place()] = (int2)(read_imagei(image, edge, around()).x, read_imagei(image, border, around()).x);
}

__kernel void read_integers(read_only image2d_t image, __global int4 *out) {
  out[2 * place()] = read_imagei(image, edge, around());
  out[2 * place() + 1] = read_imagei(image, border, around());
}

__kernel void read_unsigned(read_only image2d_t image, __global uint4 *out) {
  out[2 * place()] = read_imageui(image, edge, around());
  out[2 * place() + 1] = read_imageui(image, border, around());
}

__kernel void read_without_sampler(read_only image2d_t floats, read_only image2d_t integers, __global float4 *out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[place()] = read_imagef(floats, at) + convert_float4(read_imageui(integers, at));
}

/* Points on a grid that is finer than the texels, from before the first to behind the last; powers of two, so that no
 * rounding decides which texel is the nearest. */
__kernel void read_points(read_only image2d_t image, sampler_t sampler, float4 grid, __global float4 *out) {
  const float2 at = (float2)(get_global_id(0), get_global_id(1)) * grid.xy + grid.zw;
  out[place()] = read_imagef(image, sampler, at);
}

__kernel void write_floats(write_only image2d_t image, __global const float4 *colors) {
  write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), colors[place()]);
}

__kernel void write_integers(write_only image2d_t image, __global const int4 *colors) {
  write_imagei(image, (int2)(get_global_id(0), get_global_id(1)), colors[place()]);
}

__kernel void write_unsigned(write_only image2d_t image, __global const uint4 *colors) {
  write_imageui(image, (int2)(get_global_id(0), get_global_id(1)), colors[place()]);
}

/* Two images in the branches of an if; a helper; a loop over texels; a barrier. */
__kernel void blend(read_only image2d_t left, read_only image2d_t right, write_only image2d_t image, sampler_t sampler,
                    __local float4 *row, __global int *sizes) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum;
  if ((at.x + at.y) & 1)
    sum = read_through(left, sampler, at);
  else
    sum = read_through(right, sampler, at);
  for (int dx = -1; dx <= 1; dx += 2)
    sum += read_imagef(left, sampler, at + (int2)(dx, 0));
  row[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (at.x < get_image_width(image) && at.y < get_image_height(image))
    write_imagef(image, at, row[get_local_size(0) - 1 - get_local_id(0)] / 4);
  if (place() == 0) {
    const int2 size = get_image_dim(left);
    sizes[0] = size.x;
    sizes[1] = size.y;
    sizes[2] = get_image_channel_order(left) == CLK_RGBA;
    sizes[3] = get_image_channel_data_type(right) == CLK_FLOAT;
  }
}
