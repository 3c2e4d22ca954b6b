kernel void forwards(global const float *a, global float *s, global int *last, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i * 64 + x];
  s[x] = sum;
  last[x] = n;
}

kernel void backwards(global const float *a, global float *s, global int *last, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = n - 1; i >= 0; i--)
    sum += a[i * 64 + x];
  s[x] = sum;
  last[x] = n;
}

kernel void half_of_them(global const float *a, global float *s, global int *last, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; i += 2)
    sum += a[i * 64 + x];
  s[x] = sum;
  last[x] = n;
}

kernel void another_count(global const float *a, global float *s, global int *last, int n) {
  int x = get_global_id(0);
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i * 64 + x];
  s[x] = sum;
  last[x] = x == 5 ? n - 1 : n;
}
