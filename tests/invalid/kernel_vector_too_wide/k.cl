typedef float wide __attribute__((ext_vector_type(512)));
__kernel void k(__global wide *a) {
  a[get_global_id(0)] += 1.0f;
}
