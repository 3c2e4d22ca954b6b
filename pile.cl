kernel void k(volatile global const int *x, global int *y) {
  int a = x[0], b = x[1], c = x[2], d = x[3];
  y[0] = (a ^ b) * (c ^ d) + a * d + b * c;
}