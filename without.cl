kernel void k(global const int *x, global int *y) {
  int s = 0;
#pragma unroll 1
  for (int i = 0; i < 5; i++) s = (s << 1) ^ ((volatile global const int *)x)[1];
  y[0] = s;
}