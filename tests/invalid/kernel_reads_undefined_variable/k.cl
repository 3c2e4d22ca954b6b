__kernel void k(__global float *a) {
  float sum;
  for (int i = 0; i < 8; i++)
    sum += a[i];
  a[get_global_id(0)] = sum;
}
