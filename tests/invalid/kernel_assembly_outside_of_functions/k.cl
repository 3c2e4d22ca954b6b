__asm__("somewhere: ret");

__kernel void k(__global int *a) {
  a[get_global_id(0)] = 1;
}
