kernel void scale(global float *a) { a[get_global_id(0)] *= 2; }
