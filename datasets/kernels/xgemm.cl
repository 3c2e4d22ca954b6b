/* C = A B in single precision, as a family of kernels: the tuning space of CLBlast's Xgemm.
 *
 * Written from the description of the algorithm in C. Nugteren, "CLBlast: A Tuned OpenCL BLAS Library", IWOCL 2018, and
 * K. Matsumoto, N. Nakasato, S. Sedukhin, "Performance Tuning of Matrix Multiplication in OpenCL on Different GPUs and
 * CPUs", SC Companion 2012.
 *
 * A is stored by columns of M values, B by rows of N values (B is stored transposed), C by columns of M values.
 *   MWG, NWG, KWG  a work-group computes MWG x NWG values of C in steps of KWG along K
 *   MDIMC, NDIMC   work-items of a work-group along M and N
 *   MDIMA, NDIMB   shape of the work-group while it loads tiles of A and B into local memory
 *   KWI            the loop along K is unrolled by KWI
 *   VWM, VWN       values of a vector along M and N
 *   STRM, STRN     1: a work-item's vectors lie a work-group apart; 0: side by side
 *   SA, SB         1: tiles of A (B) go through local memory
 * Sizes are multiples of the tile. */
#define GROUP (MDIMC * NDIMC)
#define KDIMA (GROUP / MDIMA)
#define KDIMB (GROUP / NDIMB)
#define MWI   (MWG / MDIMC / VWM) /* vectors of a work-item along M */
#define NWI   (NWG / NDIMC / VWN)

#define JOIN(a, b)   a##b
#define VECTOR(t, n) JOIN(t, n)
#if VWM == 1
typedef float vector_m;
#else
typedef VECTOR(float, VWM) vector_m;
#endif
#if VWN == 1
typedef float vector_n;
#define EACH_N(X, v) X(0, v)
#elif VWN == 2
typedef float2 vector_n;
#define EACH_N(X, v) X(0, v.s0) X(1, v.s1)
#elif VWN == 4
typedef float4 vector_n;
#define EACH_N(X, v) X(0, v.s0) X(1, v.s1) X(2, v.s2) X(3, v.s3)
#else
typedef float8 vector_n;
#define EACH_N(X, v)                                                                                                   \
  X(0, v.s0) X(1, v.s1) X(2, v.s2) X(3, v.s3) X(4, v.s4) X(5, v.s5) X(6, v.s6) X(7, v.s7)
#endif

/* The place of vector i of a work-item within the tile, in vectors. */
#define PLACE_M(i) (STRM ? (int)get_local_id(0) + (i) * MDIMC : (i) + (int)get_local_id(0) * MWI)
#define PLACE_N(i) (STRN ? (int)get_local_id(1) + (i) * NDIMC : (i) + (int)get_local_id(1) * NWI)

#if SA || SB
/* A tile of `depth` rows and `width` vectors, loaded by the work-group as `across` x `down` work-items. */
#define LOAD_TILE(type, tile, from, stride, width, across, down, strided)                                              \
  do {                                                                                                                 \
    const int column = item % (across), row = item / (across);                                                         \
    _Pragma("unroll") for (int m = 0; m < (width) / (across); m++)                                                     \
        _Pragma("unroll") for (int k = 0; k < KWG / (down); k++) {                                                     \
      const int x = (strided) ? column + m * (across) : m + column * ((width) / (across));                             \
      const int y = k + row * (KWG / (down));                                                                          \
      (tile)[y * (width) + x] = (from)[y * (stride) + x];                                                              \
    }                                                                                                                  \
  } while (0)
#endif

__attribute__((reqd_work_group_size(MDIMC, NDIMC, 1))) kernel void
xgemm(const int size_m, const int size_n, const int size_k, global const vector_m *restrict a,
      global const vector_n *restrict b, global vector_m *restrict c) {
  const int stride_a = size_m / VWM, stride_b = size_n / VWN;
  const int tile_m = get_group_id(0) * (MWG / VWM), tile_n = get_group_id(1) * (NWG / VWN);
#if SA
  local vector_m tile_a[KWG * (MWG / VWM)];
#endif
#if SB
  local vector_n tile_b[KWG * (NWG / VWN)];
#endif
#if SA || SB
  const int item = get_local_id(0) + MDIMC * get_local_id(1);
#endif
  vector_m sums[NWI * VWN][MWI];
#pragma unroll
  for (int n = 0; n < NWI * VWN; n++)
#pragma unroll
    for (int m = 0; m < MWI; m++)
      sums[n][m] = 0;

  for (int k_tile = 0; k_tile < size_k; k_tile += KWG) {
#if SA
    LOAD_TILE(vector_m, tile_a, a + k_tile * stride_a + tile_m, stride_a, MWG / VWM, MDIMA, KDIMA, STRM);
#endif
#if SB
    LOAD_TILE(vector_n, tile_b, b + k_tile * stride_b + tile_n, stride_b, NWG / VWN, NDIMB, KDIMB, STRN);
#endif
#if SA || SB
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int k_step = 0; k_step < KWG; k_step += KWI) {
#pragma unroll
      for (int k_item = 0; k_item < KWI; k_item++) {
        const int k = k_step + k_item;
        vector_m column[MWI];
        vector_n row[NWI];
#pragma unroll
        for (int m = 0; m < MWI; m++)
#if SA
          column[m] = tile_a[k * (MWG / VWM) + PLACE_M(m)];
#else
          column[m] = a[(k_tile + k) * stride_a + tile_m + PLACE_M(m)];
#endif
#pragma unroll
        for (int n = 0; n < NWI; n++)
#if SB
          row[n] = tile_b[k * (NWG / VWN) + PLACE_N(n)];
#else
          row[n] = b[(k_tile + k) * stride_b + tile_n + PLACE_N(n)];
#endif
#pragma unroll
        for (int n = 0; n < NWI; n++)
#pragma unroll
          for (int m = 0; m < MWI; m++) {
#define ADD(w, value) sums[n * VWN + w][m] += column[m] * value;
            EACH_N(ADD, row[n])
          }
      }
    }
#if SA || SB
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }

#pragma unroll
  for (int n = 0; n < NWI; n++)
#pragma unroll
    for (int w = 0; w < VWN; w++)
#pragma unroll
      for (int m = 0; m < MWI; m++)
        c[((get_group_id(1) * (NWG / VWN) + PLACE_N(n)) * VWN + w) * stride_a + tile_m + PLACE_M(m)] =
            sums[n * VWN + w][m];
}

/* The product stated plainly, by one work-item. */
kernel void xgemm_check(const int size_m, const int size_n, const int size_k, global const float *a,
                        global const float *b, global float *c) {
  for (int n = 0; n < size_n; n++)
    for (int m = 0; m < size_m; m++) {
      float sum = 0;
      for (int k = 0; k < size_k; k++)
        sum += a[k * size_m + m] * b[k * size_n + n];
      c[n * size_m + m] = sum;
    }
}
