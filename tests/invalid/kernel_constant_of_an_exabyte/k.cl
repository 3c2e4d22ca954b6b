__constant char table[1000000000000000000UL] = {0};

__kernel void k(__global int *a) {
  a[get_global_id(0)] = table[a[0]];
}
