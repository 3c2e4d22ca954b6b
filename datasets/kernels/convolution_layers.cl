/* Convolution layers of neural networks: direct, depthwise (a channel with its own mask), and as a matrix product of
 * the weights with the unfolded input.
 * Defined by: the layer's definition, out[o][y][x] = sum over c, i, j of weights[o][c][i][j] in[c][y stride + i -
 *   pad][x stride + j - pad] with zeros outside; the unfolding by Chellapilla, Puri, Simard, "High performance
 *   convolutional neural networks for document processing" (2006). Without bias, normalisation and activation.
 * Shapes: in is channels x size x size, out is outputs x out_size x out_size, weights are outputs x channels x side x
 *   side (depthwise: channels x side x side), all row-major. Dimension 0 of a launch walks the places of a picture. */
__kernel void conv_direct(__global const float *in, __global const float *weights, __global float *out, int channels,
                          int size, int out_size, int side, int stride, int pad) {
  const int place = get_global_id(0);
  const int output = get_global_id(1);
  const int top = place / out_size * stride - pad, left = place % out_size * stride - pad;

  float sum = 0.0f;
  for (int c = 0; c < channels; ++c)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        if (top + i >= 0 && top + i < size && left + j >= 0 && left + j < size)
          sum += weights[((output * channels + c) * side + i) * side + j] * in[(c * size + top + i) * size + left + j];
  out[output * out_size * out_size + place] = sum;
}

/* Without a border there is nothing to test: a matrix product, outputs x channels by channels x places. */
__kernel void conv_pointwise(__global const float *in, __global const float *weights, __global float *out, int channels,
                             int places) {
  const int place = get_global_id(0);
  const int output = get_global_id(1);

  float sum = 0.0f;
  for (int c = 0; c < channels; ++c)
    sum += weights[output * channels + c] * in[c * places + place];
  out[output * places + place] = sum;
}

__kernel void conv_depthwise(__global const float *in, __global const float *weights, __global float *out, int size,
                             int out_size, int side, int stride, int pad) {
  const int place = get_global_id(0);
  const int channel = get_global_id(1);
  const int top = place / out_size * stride - pad, left = place % out_size * stride - pad;

  float sum = 0.0f;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      if (top + i >= 0 && top + i < size && left + j >= 0 && left + j < size)
        sum += weights[(channel * side + i) * side + j] * in[(channel * size + top + i) * size + left + j];
  out[channel * out_size * out_size + place] = sum;
}

/* columns[(c side + i) side + j][place]: what the weight at c, i, j meets at each place. Dimension 1 walks c, i, j. */
__kernel void im2col(__global const float *in, __global float *columns, int size, int out_size, int side, int stride,
                     int pad) {
  const int place = get_global_id(0);
  const int line = get_global_id(1);
  const int c = line / (side * side), i = line / side % side, j = line % side;
  const int y = place / out_size * stride - pad + i, x = place % out_size * stride - pad + j;

  float value = 0.0f;
  if (y >= 0 && y < size && x >= 0 && x < size)
    value = in[(c * size + y) * size + x];
  columns[line * out_size * out_size + place] = value;
}

/* Every layer above: `groups` is 1, or the number of channels for depthwise. */
__kernel void convolution_check(__global const float *in, __global const float *weights, __global float *expected,
                                int channels, int outputs, int size, int out_size, int side, int stride, int pad,
                                int groups) {
  const int per_group = channels / groups, outputs_per_group = outputs / groups;
  for (int o = 0; o < outputs; ++o)
    for (int y = 0; y < out_size; ++y)
      for (int x = 0; x < out_size; ++x) {
        const int from_row = max(0, pad - y * stride), to_row = min(side, size + pad - y * stride);
        const int from_column = max(0, pad - x * stride), to_column = min(side, size + pad - x * stride);
        double sum = 0.0;
        for (int c = 0; c < per_group; ++c)
          for (int i = from_row; i < to_row; ++i)
            for (int j = from_column; j < to_column; ++j)
              sum += (double)weights[((o * per_group + c) * side + i) * side + j] *
                     in[((o / outputs_per_group * per_group + c) * size + y * stride + i - pad) * size + x * stride +
                        j - pad];
        expected[(o * out_size + y) * out_size + x] = (float)sum;
      }
}
