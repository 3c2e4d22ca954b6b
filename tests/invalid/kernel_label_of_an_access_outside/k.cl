void outside(uint trap, uint variable, ulong offset) __asm__("reassemble.elided_access");

__kernel void k(__global uint *a) {
  outside(123456789, 0, 1);
  a[get_global_id(0)] = 1;
}
