kernel void naive(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

kernel void transposed(global const float *a, global const float *b, global float *c, int n) {
  int y = get_global_id(0), x = get_global_id(1);
  float s = 0;
  for (int k = 0; k < n; k++)
    s += a[y * n + k] * b[k * n + x];
  c[y * n + x] = s;
}

kernel void beyond(int n, global float *c, global const float *b, global const float *a) {
  int y = get_global_id(0), x = get_global_id(1);
  c[(y + 1) * n + x] = a[0] + b[0];
}
