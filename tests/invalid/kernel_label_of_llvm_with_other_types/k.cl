void copy(__global void *to, __global void *from) __asm__("llvm.memcpy");

__kernel void k(__global uint *a) {
  copy(a, a + 10);
}
