__kernel void k(read_only pipe int numbers, __global float *a) {
  a[0] = 1;
}
