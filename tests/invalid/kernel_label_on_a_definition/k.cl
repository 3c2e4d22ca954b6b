void helper(__global uint *a) __asm__("reassemble.run");
void helper(__global uint *a) {
  a[get_global_id(0)] = 1;
}

__kernel void k(__global uint *a) {
  helper(a);
}
