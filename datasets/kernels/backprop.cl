/* Back-propagation: the step that adjusts the weights between the input and the hidden layer, with momentum.
 * Defined by: backprop of Rodinia (Che et al., "Rodinia: A benchmark suite for heterogeneous computing", IISWC 2009):
 *   learning rate 0.3, momentum 0.3, work-groups of 16 x 16, each for 16 inputs and the 16 hidden units.
 * Shapes: hidden is 16; w and old_w are (inputs + 1) x (hidden + 1), row-major, row 0 belongs to the bias; delta has
 *   hidden + 1 elements and input_values inputs + 1, element 0 of both is the bias. */
#define SIDE     16
#define RATE     0.3f
#define MOMENTUM 0.3f

__kernel void bpnn_adjust_weights_ocl(__global const float *delta, int hidden, __global const float *input_values,
                                      __global float *w, __global float *old_w) {
  const int block = get_group_id(1);
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int row = SIDE * block + y + 1;
  const int column = x + 1;
  const int at = row * (hidden + 1) + column;

  const float change = RATE * delta[column] * input_values[row] + MOMENTUM * old_w[at];
  w[at] += change;
  old_w[at] = change;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  if (y == 0 && block == 0) {
    const float bias_change = RATE * delta[column] + MOMENTUM * old_w[column];
    w[column] += bias_change;
    old_w[column] = bias_change;
  }
}

/* w and old_w start with what the weights start with. Column 0 stays as it is. */
__kernel void adjust_weights_check(__global const float *delta, int hidden, __global const float *input_values,
                                   __global float *w, __global float *old_w, int inputs) {
  for (int row = 0; row <= inputs; ++row)
    for (int column = 1; column <= hidden; ++column) {
      const int at = row * (hidden + 1) + column;
      const double value = row == 0 ? 1.0 : input_values[row];
      const double change = (double)RATE * delta[column] * value + (double)MOMENTUM * old_w[at];
      w[at] = (float)(w[at] + change);
      old_w[at] = (float)change;
    }
}
