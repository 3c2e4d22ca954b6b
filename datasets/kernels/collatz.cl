/* Steps until the Collatz sequence of first + i reaches 1: every work-item loops a different number of times and takes its own
 * branch in each turn. Defined by: n -> n / 2 when n is even, 3 n + 1 when it is odd (Collatz 1937).
 * `limit` bounds the steps. */
__kernel void collatz(__global uint *steps, uint first, uint limit) {
  ulong n = first + get_global_id(0);
  uint count = 0;

  while (n != 1 && count < limit) {
    if (n % 2 == 0)
      n = n / 2;
    else
      n = 3 * n + 1;
    ++count;
  }
  steps[get_global_id(0)] = count;
}

/* By the recurrence over the table of smaller numbers: the steps of n are the steps until the sequence first falls below n, plus the
 * entry of the number it fell to. `expected` holds `count` entries for 1, 2, 3, ... */
__kernel void collatz_check(__global uint *expected, uint count) {
  expected[0] = 0;
  for (uint start = 2; start <= count; ++start) {
    ulong n = start;
    uint taken = 0;
    while (n >= start) {
      n = (n & 1) ? 3 * n + 1 : n >> 1;
      ++taken;
    }
    expected[start - 1] = taken + expected[n - 1];
  }
}
