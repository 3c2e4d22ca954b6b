kernel void k(global float *a) { a[0] = b; }
