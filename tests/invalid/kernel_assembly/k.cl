__kernel void k(__global int *a) {
  int lane;
  __asm__("mov.u32 %0, %%laneid;" : "=r"(lane));
  a[get_global_id(0)] = lane;
}
