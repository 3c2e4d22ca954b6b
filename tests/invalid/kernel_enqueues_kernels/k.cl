__kernel void child(__global int *a) {
  a[get_global_id(0)]++;
}
__kernel void parent(__global int *a) {
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), ^{
    child(a);
  });
}
