// A transposition with a tile whose columns lie in one bank, the same with padded rows, and one without a tile; each
// work-item moves an element.
#define TRANSPOSE(NAME, WIDTH)                                                          \
  kernel void NAME(global const float *in, global float *out, int n) {                  \
    local float tile[32 * WIDTH];                                                       \
    const int i = get_local_id(0), j = get_local_id(1);                                 \
    const int x = get_group_id(0) * 32, y = get_group_id(1) * 32;                       \
    tile[j * WIDTH + i] = in[(y + j) * n + x + i];                                      \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    out[(x + j) * n + y + i] = tile[i * WIDTH + j];                                     \
  }

TRANSPOSE(tiled, 32)
TRANSPOSE(padded, 33)

kernel void naive(global const float *in, global float *out, int n) {
  out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)];
}
