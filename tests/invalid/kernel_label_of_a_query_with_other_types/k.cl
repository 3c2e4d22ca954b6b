float id(float x, __private float *y) __asm__("_Z13get_global_idj");

__kernel void k(__global float *a) {
  __private float y = 0;
  a[get_global_id(0)] = id(1, &y);
}
