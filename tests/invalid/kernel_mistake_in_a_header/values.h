/* Functions of a header belong to the line that calls them. */
static inline int value_at(__global const int *values, int i) {
  return values[i];
}
