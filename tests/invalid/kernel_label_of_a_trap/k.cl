void undefined(uint variable) __asm__("reassemble.uninitialised_read");

__kernel void k(__global uint *a) {
  undefined(123456789);
  a[get_global_id(0)] = 1;
}
