int exponential(__private int *x) __asm__("_Z3expf");

__kernel void k(__global int *a) {
  __private int x = 4;
  a[get_global_id(0)] = exponential(&x);
}
