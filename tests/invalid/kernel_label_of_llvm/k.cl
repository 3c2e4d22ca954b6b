void copy(__global void *to, __global void *from, ulong bytes, bool is_volatile) __asm__("llvm.memcpy.p1.p1.i64");

__kernel void k(__global uint *a) {
  copy(a, a + 10, 16, false);
}
