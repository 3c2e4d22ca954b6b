__kernel void k(__global half *a) {
  half x = a[0];
  a[1] = x;
}
