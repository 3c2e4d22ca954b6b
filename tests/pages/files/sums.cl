/* Four ways to write the sums of the columns of a matrix, of which a compiler that unrolls and schedules makes much the
 * same loop (docs/accuracy-xgemm.md). */
__kernel void plain(__global const float *x, __global float *y, int n) {
  int row = get_global_id(0), rows = get_global_size(0);
  float s = 0;
  for (int i = 0; i < n; i++) s += x[i * rows + row];
  y[row] = s;
}
__kernel void unroll4(__global const float *x, __global float *y, int n) {
  int row = get_global_id(0), rows = get_global_size(0);
  float s = 0;
  for (int i = 0; i < n; i += 4) s += x[i * rows + row]+ x[(i+1) * rows + row]+ x[(i+2) * rows + row]+ x[(i+3) * rows + row];
  y[row] = s;
}
__kernel void hand4(__global const float *x, __global float *y, int n) {
  int row = get_global_id(0), rows = get_global_size(0);
  float s = 0;
  for (int i = 0; i < n; i += 4) {
    float a= x[i * rows + row], b=x[(i+1) * rows + row], c= x[(i+2) * rows + row],d= x[(i+3) * rows + row];
    s += a; s+=b; s+=c; s+=d; }
  y[row] = s;
}
__kernel void pragma4(__global const float *x, __global float *y, int n) {
  int row = get_global_id(0), rows = get_global_size(0);
  float s = 0;
  #pragma unroll 4
  for (int i = 0; i < n; i++) s += x[i * rows + row];
  y[row] = s;
}
