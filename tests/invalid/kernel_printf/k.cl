__kernel void k(__global float *a) {
  printf("%d of %d is %q\n", 1, 2, a[0]);
}
