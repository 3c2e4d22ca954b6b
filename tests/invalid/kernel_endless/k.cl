__kernel void k(__global float *a) {
  while (a[0] < 1)
    a[1] += 1;
}
