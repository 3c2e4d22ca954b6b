__attribute__((reqd_work_group_size(8, 8, 1))) __kernel void k(__global int *a) {
  a[get_local_id(0)] = 1;
}
