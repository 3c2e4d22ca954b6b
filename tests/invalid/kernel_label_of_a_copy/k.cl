void together(uint kind, __private char *to, __private char *from, uint count) __asm__("reassemble.group_call.9");

__kernel void k(__global uint *a) {
  __private char x[4];
  together(200000, x, x, 1);
  a[get_global_id(0)] = 1;
}
