/* The place is the header's. */
static float scale(float x, int n) {
  if (n == 0)
    return x;
  return scale(2 * x, n - 1);
}
