kernel void k(global const float *in, global int *out, int n) {
  const int i = get_global_id(0);
  if (i < n)
    out[i] = (int)in[i];
}
