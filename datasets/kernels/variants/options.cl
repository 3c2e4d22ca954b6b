/* Prices of European options, in versions that differ in the functions, the width, the options an item and branches.
 *
 * Defined by: Black, Scholes, "The pricing of options and corporate liabilities" (1973), and for some of the items with
 *   SPLIT the formula of Bachelier (1900); the normal distribution by Abramowitz, Stegun, formula 26.2.17. Rates and
 *   ranges are those of the BlackScholes sample of NVIDIA's CUDA SDK.
 *   FAST 1: native_exp, native_log, native_sqrt and native_divide; 0: the precise functions.
 *   VEC: options in a vector. WORK: vectors an item. STRIDED 1: neighbouring items load neighbouring vectors; 0: the
 *     vectors of an item lie side by side.
 *   SPLIT 0: all items use the first formula; otherwise item / SPLIT even: the first, odd: the second. With 1 the two
 *     halves of every warp part, with 32 or more each warp is of one kind.
 *   SCENARIOS: the prices are means over so many volatilities.
 * Shapes: price, strike, years, call and put have VEC * WORK floats an item.
 * Precision: prices are below 100. A native function of a GPU has about 20 good bits, and 1e-3 is the 17th bit of
 *   100. */
#ifndef FAST
#define FAST      0
#define VEC       1
#define WORK      1
#define STRIDED   1
#define SPLIT     0
#define SCENARIOS 1
#endif
#define RATE             0.02f
#define VOLATILITY(step) (0.30f + 0.05f * (step))

#if VEC == 4
#define VECTOR float4
#elif VEC == 2
#define VECTOR float2
#else
#define VECTOR float
#endif

#if FAST
#define EXP          native_exp
#define LOG          native_log
#define ROOT         native_sqrt
#define DIVIDE(a, b) native_divide((VECTOR)(a), b)
#else
#define EXP          exp
#define LOG          log
#define ROOT         sqrt
#define DIVIDE(a, b) ((a) / (b))
#endif

VECTOR density(VECTOR x) {
  return 0.398942280f * EXP(-0.5f * x * x);
}

VECTOR distribution(VECTOR x) {
  const VECTOR t = DIVIDE(1.0f, 1.0f + 0.2316419f * fabs(x));
  const VECTOR series =
      t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const VECTOR tail = density(x) * series;
  return select(1.0f - tail, tail, x < 0.0f);
}

void black_scholes(VECTOR price, VECTOR strike, VECTOR years, VECTOR *call, VECTOR *put) {
  const VECTOR discounted = strike * EXP(-RATE * years);
  const VECTOR root = ROOT(years), logarithm = LOG(DIVIDE(price, strike));
  for (int step = 0; step < SCENARIOS; ++step) {
    const float volatility = VOLATILITY(step);
    const VECTOR d1 = DIVIDE(logarithm + (RATE + 0.5f * volatility * volatility) * years, volatility * root);
    const VECTOR d2 = d1 - volatility * root;
    *call += price * distribution(d1) - discounted * distribution(d2);
    *put += discounted * distribution(-d2) - price * distribution(-d1);
  }
}

void bachelier(VECTOR price, VECTOR strike, VECTOR years, VECTOR *call, VECTOR *put) {
  const VECTOR discount = EXP(-RATE * years);
  const VECTOR root = ROOT(years), gain = price - strike;
  for (int step = 0; step < SCENARIOS; ++step) {
    const VECTOR spread = VOLATILITY(step) * price * root;
    const VECTOR d = DIVIDE(gain, spread);
    const VECTOR value = discount * (gain * distribution(d) + spread * density(d));
    *call += value;
    *put += value - discount * gain;
  }
}

__kernel void options(__global const VECTOR *price, __global const VECTOR *strike, __global const VECTOR *years,
                      __global VECTOR *call, __global VECTOR *put) {
  const uint item = get_global_id(0);
#if STRIDED
  const uint first = item, stride = get_global_size(0);
#else
  const uint first = item * WORK, stride = 1;
#endif
  for (uint w = 0; w < WORK; ++w) {
    const uint at = first + w * stride;
    VECTOR calls = 0.0f, puts = 0.0f;
#if SPLIT > 0
    if (item / SPLIT % 2)
      bachelier(price[at], strike[at], years[at], &calls, &puts);
    else
#endif
      black_scholes(price[at], strike[at], years[at], &calls, &puts);
    call[at] = calls * (1.0f / SCENARIOS);
    put[at] = puts * (1.0f / SCENARIOS);
  }
}

double serial_density(double x) {
  return 0.398942280 * exp(-0.5 * x * x);
}

double serial_distribution(double x) {
  const double t = 1.0 / (1.0 + 0.2316419 * fabs(x));
  const double series =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double tail = serial_density(x) * series;
  return x < 0.0 ? tail : 1.0 - tail;
}

/* The unchecked elements of what is expected are those that were found; sixteen at a time, since one item does it. */
void copy(__global const float *from, __global float *to, uint count) {
  uint i = 0;
  for (; i + 16 <= count; i += 16)
    vstore16(vload16(0, from + i), 0, to + i);
  for (; i < count; ++i)
    to[i] = from[i];
}

/* Computes every `step`-th option in double precision. `items` is the global size. */
__kernel void options_check(__global const float *price, __global const float *strike, __global const float *years,
                            __global const float *call, __global const float *put, __global float *call_expected,
                            __global float *put_expected, uint count, uint items, uint step) {
  copy(call, call_expected, count);
  copy(put, put_expected, count);
  for (uint i = 0; i < count; i += step) {
#if STRIDED
    const uint item = i / VEC % items;
#else
    const uint item = i / VEC / WORK;
#endif
    double calls = 0.0, puts = 0.0;
    const double discount = exp(-(double)RATE * years[i]), root = sqrt((double)years[i]);
    const double gain = (double)price[i] - strike[i];
    for (int s = 0; s < SCENARIOS; ++s) {
      const double volatility = VOLATILITY(s);
#if SPLIT > 0
      if (item / SPLIT % 2) {
        const double spread = volatility * price[i] * root, d = gain / spread;
        const double value = discount * (gain * serial_distribution(d) + spread * serial_density(d));
        calls += value;
        puts += value - discount * gain;
        continue;
      }
#endif
      const double d1 =
          (log((double)price[i] / strike[i]) + (RATE + 0.5 * volatility * volatility) * years[i]) / (volatility * root);
      const double d2 = d1 - volatility * root, discounted = strike[i] * discount;
      calls += price[i] * serial_distribution(d1) - discounted * serial_distribution(d2);
      puts += discounted * serial_distribution(-d2) - price[i] * serial_distribution(-d1);
    }
    call_expected[i] = (float)(calls / SCENARIOS);
    put_expected[i] = (float)(puts / SCENARIOS);
  }
}
