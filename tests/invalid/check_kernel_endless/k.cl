__kernel void k(__global float *a) {
  a[get_global_id(0)] = 1;
}
__kernel void check(__global volatile float *a) {
  for (int i = 0; a[0] == 1; i++)
    a[1] = sin(sin(sin(sin(sin(sin(sin(sin((float)i))))))));
}
