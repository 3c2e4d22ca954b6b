void stored(__private char *place, uint bytes, uint origin) __asm__("reassemble.shadow_store");

__kernel void k(__global int *a) {
  __private char x[64];
  stored(x + 0x10000000, 15, 1);
  a[get_global_id(0)] = x[3];
}
