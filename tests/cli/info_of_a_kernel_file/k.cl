struct point { float x, y; };

float power(float x, int n) { return n > 0 ? x * power(x, n - 1) + power(x, n - 2) : 1; }

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void swap(global const float *in, global float *out) {
  local float part[64];
  part[get_local_id(0)] = in[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = part[63 - get_local_id(0)];
}

kernel void powers(global float *x, int n) { x[0] = power(x[0], n); }

kernel void lengths(global const struct point *p, constant float *scale, local float *room, global float *out) {
  out[0] = SCALE * scale[0] * hypot(p[0].x, p[0].y);
}
