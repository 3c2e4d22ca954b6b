/* Built-in functions, vectors and conversions of OpenCL C in small kernels, so that what an emulator says it supports is run.
 * Defined by: the OpenCL C specification, sections on math, integer and relational functions, conversions and vector types.
 * The checks say each result without the built-in: series and Newton's method in double precision, integer arithmetic by hand. */

/* Four values a work-item, x in [-4, 4]. */
__kernel void elementary(__global const float *x, __global float *exp_x, __global float *sin_x, __global float *sqrt_x,
                         __global float *pow_x) {
  const size_t i = get_global_id(0);
  const float4 v = vload4(i, x);

  vstore4(exp(v), i, exp_x);
  vstore4(sin(v), i, sin_x);
  vstore4(sqrt(fabs(v)), i, sqrt_x);
  vstore4(pow(fabs(v) + 0.5f, v.wzyx), i, pow_x);
}

/* Precision of the native_ forms is the implementation's choice. */
__kernel void native_forms(__global const float *x, __global float *exp_x, __global float *sin_x, __global float *sqrt_x,
                     __global float *ratio_x) {
  const size_t i = get_global_id(0);
  const float v = x[i];

  exp_x[i] = native_exp(v);
  sin_x[i] = native_sin(v);
  sqrt_x[i] = native_sqrt(fabs(v));
  ratio_x[i] = native_divide(v, fabs(v) + 1.0f);
}

/* Each work-item turns four floats in [-4, 4] into four of every integer type, through saturating and rounding conversions,
 * and mixes four unsigned numbers with the integer built-ins. */
__kernel void conversions(__global const float4 *x, __global const uint4 *u, __global char4 *chars,
                          __global uchar4 *bytes, __global short4 *shorts, __global int4 *ints, __global uint4 *mixed) {
  const size_t i = get_global_id(0);
  const float4 v = x[i];
  const uint4 w = u[i];

  chars[i] = convert_char4_sat(v * 50.0f);
  bytes[i] = convert_uchar4_sat_rte(v.zwxy * 100.0f);
  shorts[i] = convert_short4(v * 1000.0f) + convert_short4(chars[i]);
  ints[i] = select(as_int4(v), convert_int4_rtn(v * 1e6f), v < 0.0f);
  uint4 m = rotate(w, (uint4)(1, 7, 13, 31)) ^ mul_hi(w, w.yzwx);
  m.even += popcount(w.odd);
  m.hi ^= clz(w.lo);
  m.s1 = max(m.s1, min(w.s0, w.s3));
  mixed[i] = m + abs_diff(w, w.wzyx);
}

double exp_series(double x) {
  double term = 1.0, sum = 1.0;
  for (int n = 1; n < 60; ++n) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

double sin_series(double x) {
  double term = x, sum = x;
  for (int n = 1; n < 30; ++n) {
    term *= -x * x / ((2 * n) * (2 * n + 1));
    sum += term;
  }
  return sum;
}

double sqrt_newton(double x) {
  double root = x > 1.0 ? x : 1.0;
  for (int n = 0; n < 60; ++n)
    root = 0.5 * (root + x / root);
  return root;
}

/* log x = 2 artanh((x - 1) / (x + 1)) */
double log_series(double x) {
  const double z = (x - 1.0) / (x + 1.0);
  double power = z, sum = 0.0;
  for (int n = 1; n < 400; n += 2) {
    sum += power / n;
    power *= z * z;
  }
  return 2.0 * sum;
}

double magnitude(double x) {
  return x < 0.0 ? -x : x;
}

__kernel void elementary_check(__global const float *x, __global float *exp_x, __global float *sin_x,
                               __global float *sqrt_x, __global float *pow_x, int count) {
  for (int i = 0; i < count; ++i) {
    const float base = (x[i] < 0.0f ? -x[i] : x[i]) + 0.5f;
    const float power = x[i - i % 4 + 3 - i % 4];
    exp_x[i] = (float)exp_series(x[i]);
    sin_x[i] = (float)sin_series(x[i]);
    sqrt_x[i] = (float)sqrt_newton(magnitude(x[i]));
    pow_x[i] = (float)exp_series(power * log_series(base));
  }
}

__kernel void native_forms_check(__global const float *x, __global float *exp_x, __global float *sin_x,
                           __global float *sqrt_x, __global float *ratio_x, int count) {
  for (int i = 0; i < count; ++i) {
    exp_x[i] = (float)exp_series(x[i]);
    sin_x[i] = (float)sin_series(x[i]);
    sqrt_x[i] = (float)sqrt_newton(magnitude(x[i]));
    ratio_x[i] = (float)(x[i] / (magnitude(x[i]) + 1.0));
  }
}

int clamp_int(int value, int low, int high) {
  return value < low ? low : value > high ? high : value;
}

/* To the nearest integer, halves to the even one. */
int round_half_even(float value) {
  const int below = (int)value - (value < (float)(int)value);
  const float rest = value - (float)below;
  return rest > 0.5f || (rest == 0.5f && below % 2 != 0) ? below + 1 : below;
}

int round_down(float value) {
  return (int)value - (value < (float)(int)value);
}

uint rotate_left(uint value, uint by) {
  return value << by | value >> (32 - by);
}

uint count_ones(uint value) {
  uint ones = 0;
  for (int bit = 0; bit < 32; ++bit)
    ones += value >> bit & 1;
  return ones;
}

uint leading_zeros(uint value) {
  uint zeros = 0;
  while (zeros < 32 && (value >> (31 - zeros)) == 0)
    ++zeros;
  return zeros;
}

uint mixed_lane(const uint *w, int lane) {
  const uint by[4] = {1, 7, 13, 31};
  const uint other = w[3 - lane];
  uint m = rotate_left(w[lane], by[lane]) ^ (uint)((ulong)w[lane] * w[(lane + 1) % 4] >> 32);
  if (lane % 2 == 0)
    m += count_ones(w[lane + 1]);
  if (lane >= 2)
    m ^= leading_zeros(w[lane - 2]);
  if (lane == 1) {
    const uint smaller = w[0] < w[3] ? w[0] : w[3];
    m = m > smaller ? m : smaller;
  }
  return m + (w[lane] > other ? w[lane] - other : other - w[lane]);
}

__kernel void conversions_check(__global const float *x, __global const int *x_bits, __global const uint *u,
                                __global char *chars, __global uchar *bytes, __global short *shorts, __global int *ints,
                                __global uint *mixed, int count) {
  for (int i = 0; i < count; ++i) {
    const int group = i - i % 4, lane = i % 4;
    const uint w[4] = {u[group], u[group + 1], u[group + 2], u[group + 3]};
    chars[i] = clamp_int((int)(x[i] * 50.0f), -128, 127);
    bytes[i] = clamp_int(round_half_even(x[group + (lane + 2) % 4] * 100.0f), 0, 255);
    shorts[i] = (int)(x[i] * 1000.0f) + chars[i];
    ints[i] = x[i] < 0.0f ? round_down(x[i] * 1e6f) : x_bits[i];
    mixed[i] = mixed_lane(w, lane);
  }
}
