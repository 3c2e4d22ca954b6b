__kernel void k(sampler_t s) {
}
