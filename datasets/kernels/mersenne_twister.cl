/* Normally distributed numbers: a short Mersenne twister per work-item, then Box and Muller's transformation.
 * Defined by: Saito, Matsumoto, "SIMD-oriented fast Mersenne Twister" (2008), parameters of period 2^607 - 1, started
 *   from a 128-bit seed by Knuth's multiplier 1812433253; Box, Muller (1958); the split of the work is that of the
 *   MersenneTwister sample of the AMD APP SDK 2.5. Uniform numbers are (n + 1) / 2^32, so that none is zero.
 * Shapes: seeds holds one uint4 a work-item; each work-item writes `per_item` float4 (even, at most MAX_PER_ITEM). */
#define STATES       5
#define MAX_PER_ITEM 16
#define MULTIPLIER   1812433253u

/* A 128-bit number, x lowest, shifted by 24 bits. */
uint4 shift_up_24(uint4 v) {
  return (v << 24) | ((uint4)(0, v.x, v.y, v.z) >> 8);
}

uint4 shift_down_24(uint4 v) {
  return (v >> 24) | ((uint4)(v.y, v.z, v.w, 0) << 8);
}

__kernel void gaussianRand(__global const uint4 *seeds, int width, int per_item, __global float4 *out) {
  const int item = get_global_id(1) * width + get_global_id(0);
  uint4 words[STATES + MAX_PER_ITEM];

  words[0] = seeds[item];
  for (uint n = 1; n < STATES; ++n)
    words[n] = MULTIPLIER * (words[n - 1] ^ (words[n - 1] >> 30)) + n;

  for (int n = 0; n < per_item; ++n)
    words[n + STATES] = words[n] ^ shift_up_24(words[n]) ^
                        ((words[n + 2] >> 13) & (uint4)(0xfdff37ffu, 0xef7f3f7du, 0xff777b7du, 0x7ff7fb2fu)) ^
                        shift_down_24(words[n + 3]) ^ (words[n + 4] << 15);

  for (int n = 0; n < per_item; n += 2) {
    const float4 u = (convert_float4(words[n + STATES]) + 1.0f) * 0x1p-32f;
    const float4 v = (convert_float4(words[n + STATES + 1]) + 1.0f) * 0x1p-32f;
    const float4 radius = sqrt(-2.0f * log(u));
    const float4 angle = 6.283185307f * v;
    out[item * per_item + n] = radius * cos(angle);
    out[item * per_item + n + 1] = radius * sin(angle);
  }
}

/* One 32-bit lane of each word after another; neighbouring lanes are read for the 128-bit shifts. */
__kernel void gaussian_check(__global const uint *seeds, int items, int per_item, __global float *expected) {
  const uint mask[4] = {0xfdff37ffu, 0xef7f3f7du, 0xff777b7du, 0x7ff7fb2fu};
  for (int item = 0; item < items; ++item) {
    uint words[STATES + MAX_PER_ITEM][4];
    for (int lane = 0; lane < 4; ++lane) {
      words[0][lane] = seeds[4 * item + lane];
      for (uint n = 1; n < STATES; ++n)
        words[n][lane] = MULTIPLIER * (words[n - 1][lane] ^ (words[n - 1][lane] >> 30)) + n;
    }
    for (int n = 0; n < per_item; ++n)
      for (int lane = 0; lane < 4; ++lane) {
        const uint carry_up = lane > 0 ? words[n][lane - 1] >> 8 : 0;
        const uint carry_down = lane < 3 ? words[n + 3][lane + 1] << 8 : 0;
        words[n + STATES][lane] = words[n][lane] ^ (words[n][lane] << 24 | carry_up) ^
                                  (words[n + 2][lane] >> 13 & mask[lane]) ^ (words[n + 3][lane] >> 24 | carry_down) ^
                                  words[n + 4][lane] << 15;
      }
    for (int n = 0; n < per_item; n += 2)
      for (int lane = 0; lane < 4; ++lane) {
        /* The rounding to float belongs to the definition: log is steep near zero. */
        const float u = ((float)words[n + STATES][lane] + 1.0f) * 0x1p-32f;
        const float v = ((float)words[n + STATES + 1][lane] + 1.0f) * 0x1p-32f;
        const double radius = sqrt(-2.0 * log((double)u)), angle = 6.283185307179586 * v;
        expected[4 * (item * per_item + n) + lane] = (float)(radius * cos(angle));
        expected[4 * (item * per_item + n + 1) + lane] = (float)(radius * sin(angle));
      }
  }
}
