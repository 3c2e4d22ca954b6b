/* The same product three ways: what README's steps for one's own kernels rank. */
kernel void rows(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void columns(global const float *a, global const float *b, global float *c, int n) {
  int y = get_global_id(0), x = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void four(global const float *a, global const float *b, global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0;
  for (int k = 0; k < n; k += 4) {
    float4 row = vload4(0, a + y * n + k);
    sum += row * (float4)(b[k * n + x], b[(k + 1) * n + x], b[(k + 2) * n + x], b[(k + 3) * n + x]);
  }
  c[y * n + x] = sum.x + sum.y + sum.z + sum.w;
}
