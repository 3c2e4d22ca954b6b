__kernel void k(__global int *a) {
  __constant char *text = a[0] ? "one" : (__constant char *)12345;
  printf("%s\n", text);
  a[get_global_id(0)] = 1;
}
