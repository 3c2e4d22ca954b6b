/* Reads and writes of images of one and three dimensions and of arrays: every function, coordinates of every type,
 * inside and outside. The sizes are powers of two, so that normalised coordinates are whole numbers of texels. What
 * PoCL 3.1 gets wrong is left out (image_kinds.yaml). */
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

int place(void) {
  return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
}

/* From two texels outside to two outside, with a last element that does not count. */
int4 around(void) { return (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0) - (int4)(2, 2, 2, 7); }
int4 inside(void) { return (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 5); }
float4 point(float4 step, float4 first) {
  return (float4)(get_global_id(0), get_global_id(1), get_global_id(2), 3) * step + first;
}

__kernel void read_1d(read_only image1d_t floats, read_only image1d_t integers, read_only image1d_t naturals,
                      __global float4 *out, __global int4 *out_i, __global uint4 *out_u) {
  const int at = around().x;
  out[2 * place()] = read_imagef(floats, edge, at);
  out[2 * place() + 1] = read_imagef(floats, border, at);
  out_i[2 * place()] = read_imagei(integers, edge, at);
  out_i[2 * place() + 1] = read_imagei(integers, border, at);
  out_u[2 * place()] = read_imageui(naturals, edge, at);
  out_u[2 * place() + 1] = read_imageui(naturals, border, at);
}

__kernel void read_1d_array(read_only image1d_array_t floats, read_only image1d_array_t integers,
                            read_only image1d_array_t naturals, __global float4 *out, __global int4 *out_i,
                            __global uint4 *out_u) {
  const int2 at = around().xy;
  out[2 * place()] = read_imagef(floats, edge, at);
  out[2 * place() + 1] = read_imagef(floats, border, at);
  out_i[2 * place()] = read_imagei(integers, edge, at);
  out_i[2 * place() + 1] = read_imagei(integers, border, at);
  out_u[2 * place()] = read_imageui(naturals, edge, at);
  out_u[2 * place() + 1] = read_imageui(naturals, border, at);
}

__kernel void read_2d_array(read_only image2d_array_t floats, read_only image2d_array_t integers,
                            read_only image2d_array_t naturals, __global float4 *out, __global int4 *out_i,
                            __global uint4 *out_u) {
  const int4 at = around();
  out[2 * place()] = read_imagef(floats, edge, at);
  out[2 * place() + 1] = read_imagef(floats, border, at);
  out_i[2 * place()] = read_imagei(integers, edge, at);
  out_i[2 * place() + 1] = read_imagei(integers, border, at);
  out_u[2 * place()] = read_imageui(naturals, edge, at);
  out_u[2 * place() + 1] = read_imageui(naturals, border, at);
}

__kernel void read_3d(read_only image3d_t floats, read_only image3d_t integers, read_only image3d_t naturals,
                      __global float4 *out, __global int4 *out_i, __global uint4 *out_u) {
  const int4 at = around();
  out[2 * place()] = read_imagef(floats, edge, at);
  out[2 * place() + 1] = read_imagef(floats, border, at);
  out_i[2 * place()] = read_imagei(integers, edge, at);
  out_i[2 * place() + 1] = read_imagei(integers, border, at);
  out_u[2 * place()] = read_imageui(naturals, edge, at);
  out_u[2 * place() + 1] = read_imageui(naturals, border, at);
}

__kernel void read_without_sampler(read_only image1d_t a, read_only image1d_buffer_t b, read_only image1d_array_t c,
                                   read_only image2d_array_t d, read_only image3d_t e, __global float4 *out,
                                   __global uint4 *out_u) {
  const int4 at = inside();
  out[5 * place()] = read_imagef(a, at.x);
  out_u[place()] = read_imageui(b, at.x);
  out[5 * place() + 1] = read_imagef(c, at.xy);
  out[5 * place() + 2] = read_imagef(d, at);
  out[5 * place() + 3] = read_imagef(e, at);
}

__kernel void points_1d(read_only image1d_t image, sampler_t sampler, float4 step, float4 first,
                        __global float4 *out) {
  out[place()] = read_imagef(image, sampler, point(step, first).x);
}

__kernel void points_1d_array(read_only image1d_array_t image, sampler_t sampler, float4 step, float4 first,
                              __global float4 *out) {
  out[place()] = read_imagef(image, sampler, point(step, first).xy);
}

__kernel void points_2d_array(read_only image2d_array_t image, sampler_t sampler, float4 step, float4 first,
                              __global float4 *out) {
  out[place()] = read_imagef(image, sampler, point(step, first));
}

__kernel void points_3d(read_only image3d_t image, sampler_t sampler, float4 step, float4 first,
                        __global float4 *out) {
  out[place()] = read_imagef(image, sampler, point(step, first));
}

__kernel void write_all(write_only image1d_t a, write_only image1d_buffer_t b, write_only image1d_array_t c,
                        write_only image2d_array_t d, write_only image3d_t e, write_only image3d_t f,
                        write_only image2d_array_t g, __global const float4 *colors, __global const int4 *integers) {
  const int4 at = inside();
  if (at.y == 0 && at.z == 0) {
    write_imagef(a, at.x, colors[at.x]);
    write_imageui(b, at.x, as_uint4(integers[at.x]));
  }
  if (at.z == 0)
    write_imagef(c, at.xy, colors[place()]);
  write_imagef(d, at, colors[place()]);
  write_imagef(e, at, colors[place()]);
  write_imagei(f, at, integers[place()]);
  write_imageui(g, at, as_uint4(integers[place()]));
}

__kernel void sizes(read_only image1d_t a, read_only image1d_array_t c, read_only image2d_array_t d,
                    read_only image3d_t e, __global int *out) {
  out[0] = get_image_width(a);
  out[2] = get_image_width(c);
  out[3] = get_image_array_size(c);
  out[4] = get_image_width(d);
  out[5] = get_image_height(d);
  out[6] = get_image_array_size(d);
  out[7] = get_image_width(e);
  out[8] = get_image_height(e);
  out[9] = get_image_depth(e);
  vstore2(get_image_dim(d), 5, out);
  vstore4(get_image_dim(e), 3, out);
  out[16] = get_image_channel_order(e) == CLK_RGBA;
  out[17] = get_image_channel_data_type(a) == CLK_FLOAT;
  out[18] = get_image_channel_data_type(d) == CLK_FLOAT;
}
