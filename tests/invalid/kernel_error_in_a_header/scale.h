/* The place is the header's. */
static float scale(float x) {
  return x * factor;
}
