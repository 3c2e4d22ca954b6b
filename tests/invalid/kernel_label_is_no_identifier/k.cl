uint next(uint x) __asm__("next one");
uint next(uint x) {
  return x + 1;
}

__kernel void k(__global uint *a) {
  a[get_global_id(0)] = next(1);
}
