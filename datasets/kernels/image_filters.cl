/* Two filters that read 2D images through samplers. Defined by: the Sobel operator (weights 1 2 1 across, -1 0 1 along; the magnitude as the sum
 * of absolute values, halved), as vendors' image samples compute it on RGBA bytes; and bilinear interpolation (OpenCL 1.2, section 8.2).
 * Shapes: images; the global size may be larger than the image that is written. Beyond the edge the edge's texels repeat. */
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

__kernel void sobel(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));

  if (at.x >= get_image_width(out) || at.y >= get_image_height(out))
    return;
  const int4 nw = read_imagei(in, edge, at + (int2)(-1, -1)), n = read_imagei(in, edge, at + (int2)(0, -1)),
             ne = read_imagei(in, edge, at + (int2)(1, -1)), w = read_imagei(in, edge, at + (int2)(-1, 0)),
             e = read_imagei(in, edge, at + (int2)(1, 0)), sw = read_imagei(in, edge, at + (int2)(-1, 1)),
             s = read_imagei(in, edge, at + (int2)(0, 1)), se = read_imagei(in, edge, at + (int2)(1, 1));
  const int4 along_x = (ne - nw) + 2 * (e - w) + (se - sw);
  const int4 along_y = (sw - nw) + 2 * (s - n) + (se - ne);
  write_imagei(out, at, convert_int4(abs(along_x) + abs(along_y)) / 2);
}

/* `in` stretched over `out`. */
__kernel void resize(read_only image2d_t in, write_only image2d_t out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(out);

  if (at.x < size.x && at.y < size.y)
    write_imagef(out, at, read_imagef(in, smooth, (convert_float2(at) + 0.5f) / convert_float2(size)));
}

int4 texel_inside(read_only image2d_t in, int x, int y) {
  return read_imagei(in, (int2)(clamp(x, 0, get_image_width(in) - 1), clamp(y, 0, get_image_height(in) - 1)));
}

__kernel void sobel_check(read_only image2d_t in, write_only image2d_t expected) {
  const int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
  for (int y = 0; y < get_image_height(in); ++y)
    for (int x = 0; x < get_image_width(in); ++x) {
      int4 along_x = 0, along_y = 0;
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          along_x += weights[j][i] * texel_inside(in, x + i - 1, y + j - 1);
          along_y += weights[i][j] * texel_inside(in, x + i - 1, y + j - 1);
        }
      write_imagei(expected, (int2)(x, y), convert_int4(abs(along_x) + abs(along_y)) / 2);
    }
}

float4 color_inside(read_only image2d_t in, int x, int y) {
  return read_imagef(in, (int2)(clamp(x, 0, get_image_width(in) - 1), clamp(y, 0, get_image_height(in) - 1)));
}

__kernel void resize_check(read_only image2d_t in, write_only image2d_t expected) {
  const int2 to = get_image_dim(expected), from = get_image_dim(in);
  for (int y = 0; y < to.y; ++y)
    for (int x = 0; x < to.x; ++x) {
      const float u = (x + 0.5f) / to.x * from.x - 0.5f, v = (y + 0.5f) / to.y * from.y - 0.5f;
      const int i = (int)floor(u), j = (int)floor(v);
      const float a = u - i, b = v - j;
      const float4 above = (1 - a) * color_inside(in, i, j) + a * color_inside(in, i + 1, j);
      const float4 below = (1 - a) * color_inside(in, i, j + 1) + a * color_inside(in, i + 1, j + 1);
      write_imagef(expected, (int2)(x, y), (1 - b) * above + b * below);
    }
}
