kernel void k(volatile global const int16 *x, global int16 *y) {
  int16 v = x[2];
  int s = 0;
#pragma unroll 1
  for (int i = 0; i < 5; i++) s = (s << 1) ^ ((volatile global const int *)x)[1];
  y[0] = v + s;
}