__kernel void k(__global volatile float *a) {
  a[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_global_id(0) == 11)
    while (a[1] == 1)
      a[2] = sin(sin(sin(sin(sin(sin(sin(sin(a[2]))))))));
}
