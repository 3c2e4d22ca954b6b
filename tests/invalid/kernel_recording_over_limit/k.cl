__kernel void k(__global volatile float *a) {
  while (a[get_global_id(0)] < 100)
    a[1] = 1;
}
