typedef struct {
  int first, count;
} range;

kernel void fill(global int *a, range r, float4 f) {
  const int i = get_global_id(0);
  a[i] = i >= r.first && i < r.first + r.count ? (int)f.w : 0;
}
