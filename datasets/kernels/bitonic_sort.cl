/* Bitonic sort in place, upwards: one launch a pass, one work-item a pair; log n (log n + 1) / 2 passes for n keys.
 * Defined by: Batcher, "Sorting networks and their applications" (AFIPS 1968). Stage s merges runs of 2^s into runs
 *   of 2^(s + 1); its passes compare keys 2^pass apart, from pass s down to 0. n is a power of two, half of it the
 *   global size. */

/* Sets up: the keys to sort. */
__kernel void bitonic_copy(__global const uint *unsorted, __global uint *keys) {
  keys[get_global_id(0)] = unsorted[get_global_id(0)];
}

__kernel void bitonic_sort(__global uint *keys, int stage, int pass) {
  const int pair = get_global_id(0);
  const int distance = 1 << pass;
  const int left = (pair / distance) * 2 * distance + pair % distance;
  const int right = left + distance;
  const bool upwards = (pair >> stage) % 2 == 0;

  const uint a = keys[left], b = keys[right];
  if ((a > b) == upwards) {
    keys[left] = b;
    keys[right] = a;
  }
}

/* By insertion. */
__kernel void sort_check(__global const uint *unsorted, __global uint *expected, int n) {
  for (int i = 0; i < n; ++i) {
    int at = i;
    for (; at > 0 && expected[at - 1] > unsorted[i]; --at)
      expected[at] = expected[at - 1];
    expected[at] = unsorted[i];
  }
}
