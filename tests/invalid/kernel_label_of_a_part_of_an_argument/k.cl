uint part(uint parameter, uint offset) __asm__("reassemble.argument.i32");

__kernel void k(__global uint *a) {
  a[get_global_id(0)] = part(40, 8 * get_global_id(0));
}
