__kernel void k(__global volatile int *a) {
  if (get_global_id(0) % 3)
    atomic_add(a, 1);
  else
    printf("%d\n", atomic_max(a + 1, 2));
}
