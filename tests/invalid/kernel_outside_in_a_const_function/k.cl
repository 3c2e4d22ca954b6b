__attribute__((const)) int f(__global float *a, int i) {
  a[i + 1] = 1;
  return i;
}
__kernel void k(__global float *a) {
  f(a, get_global_id(0));
}
