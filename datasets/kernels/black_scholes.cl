/* Prices of European options, four a work-item, from one random number each.
 * Defined by: Black, Scholes, "The pricing of options and corporate liabilities" (1973), with the normal distribution
 *   by Abramowitz, Stegun, formula 26.2.17; ranges as in the BlackScholes sample of the AMD APP SDK 2.5.
 * Shapes: random, call and put hold width x height float4; random is in [0, 1). */
float4 between(float low, float high, float4 share) {
  return low * share + high * (1.0f - share);
}

float4 normal_distribution(float4 x) {
  const float4 distance = fabs(x);
  const float4 t = 1.0f / (1.0f + 0.2316419f * distance);
  const float4 series =
      t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
  const float4 tail = 0.398942280f * exp(-0.5f * distance * distance) * series;
  return select(1.0f - tail, tail, x < 0.0f);
}

__kernel void blackScholes(__global const float4 *random, int width, __global float4 *call, __global float4 *put) {
  const size_t at = get_global_id(1) * width + get_global_id(0);
  const float4 share = random[at];
  const float4 price = between(10.0f, 100.0f, share);
  const float4 strike = between(10.0f, 100.0f, share);
  const float4 years = between(1.0f, 10.0f, share);
  const float4 rate = between(0.01f, 0.05f, share);
  const float4 volatility = between(0.01f, 0.10f, share);

  const float4 spread = volatility * sqrt(years);
  const float4 d1 = (log(price / strike) + (rate + volatility * volatility * 0.5f) * years) / spread;
  const float4 d2 = d1 - spread;
  const float4 discounted = strike * exp(-rate * years);
  call[at] = price * normal_distribution(d1) - discounted * normal_distribution(d2);
  put[at] = discounted * normal_distribution(-d2) - price * normal_distribution(-d1);
}

double serial_between(double low, double high, double share) {
  return low * share + high * (1.0 - share);
}

double serial_distribution(double x) {
  const double distance = x < 0.0 ? -x : x;
  const double t = 1.0 / (1.0 + 0.2316419 * distance);
  const double series =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double tail = 0.398942280 * exp(-0.5 * distance * distance) * series;
  return x < 0.0 ? tail : 1.0 - tail;
}

__kernel void black_scholes_check(__global const float *random, __global float *call, __global float *put, int count) {
  for (int i = 0; i < count; ++i) {
    const double price = serial_between(10, 100, random[i]), strike = price;
    const double years = serial_between(1, 10, random[i]), rate = serial_between(0.01, 0.05, random[i]);
    const double volatility = serial_between(0.01, 0.10, random[i]);
    const double spread = volatility * sqrt(years);
    const double d1 = (log(price / strike) + (rate + volatility * volatility * 0.5) * years) / spread;
    const double d2 = d1 - spread, discounted = strike * exp(-rate * years);
    call[i] = (float)(price * serial_distribution(d1) - discounted * serial_distribution(d2));
    put[i] = (float)(discounted * serial_distribution(-d2) - price * serial_distribution(-d1));
  }
}
