kernel void one_way(global float *a) { a[get_global_id(0)] += 1; }

kernel void two_ways(global float *a, int n) {
  const int i = get_global_id(0);
  if (i < n)
    a[i] = sqrt(a[i]);
}

kernel void loop(global const float *a, global float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[i];
  b[get_global_id(0)] = sum;
}
