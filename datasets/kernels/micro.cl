/* Micro-kernels: each one keeps a single part of a GPU busy, so that its rate or latency can be read off the time.
 * Written for this project. The loops repeat `n` times; a rate is the work of the repetitions by which two launches
 * differ, over the difference of their times. */

#define FOUR(STEP) STEP STEP STEP STEP

/* 32 multiply-adds an iteration, in eight independent chains: as two vectors of four, for machines whose registers hold
 * vectors. */
__kernel void fma_rate(__global float4 *out, int n, float4 factor) {
  const size_t id = get_global_id(0);
  float4 a = id, b = a + 1.0f;

  for (int i = 0; i < n; ++i) {
    FOUR(a = fma(a, factor, factor); b = fma(b, factor, factor);)
  }
  out[id] = a + b;
}

/* 32 additions an iteration, in the same chains. */
__kernel void fadd_rate(__global float4 *out, int n, float4 step) {
  const size_t id = get_global_id(0);
  float4 a = id, b = a + 1.0f;

  for (int i = 0; i < n; ++i) {
    FOUR(a += step; b += step;)
  }
  out[id] = a + b;
}

/* 16 multiplications and 16 additions of integers an iteration, in four independent chains. */
__kernel void integer_rate(__global uint4 *out, int n, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  uint4 a = (uint)id;

  for (int i = 0; i < n; ++i) {
    FOUR(a = a * factor + step;)
  }
  out[id] = a;
}

/* A work-group of 64 loads a piece of 8 KiB in each iteration, eight vectors a work-item, and goes round and round
 * through `spread` pieces, which all work-groups share. Work-groups start at different pieces. */
__kernel void load_repeatedly(__global const int4 *in, __global int *out, int n, uint spread) {
  const size_t item = get_local_id(0);
  uint piece = (uint)get_group_id(0) * 37 % spread;
  int4 sum = 0;

  for (int i = 0; i < n; ++i) {
    __global const int4 *from = in + (size_t)piece * 512 + item;
    sum |= from[0] | from[64] | from[128] | from[192] | from[256] | from[320] | from[384] | from[448];
    piece = piece + 1 < spread ? piece + 1 : 0;
  }
  out[get_global_id(0)] = sum.x | sum.y | sum.z | sum.w;
}

/* Streams: `n` vectors a work-item, those of neighbouring work-items side by side. */
__kernel void load_stream(__global const int4 *in, __global int *out, int n) {
  const size_t id = get_global_id(0), items = get_global_size(0);
  int4 sum = 0;

  in += id;
  for (int i = 0; i < n; ++i, in += items)
    sum |= *in;
  out[id] = sum.x | sum.y | sum.z | sum.w;
}

__kernel void store_stream(__global int4 *out, int n) {
  const size_t items = get_global_size(0);

  out += get_global_id(0);
  for (int i = 0; i < n; ++i, out += items)
    *out = i;
}

__kernel void copy_stream(__global const int4 *in, __global int4 *out, int n) {
  const size_t id = get_global_id(0), items = get_global_size(0);

  in += id;
  out += id;
  for (int i = 0; i < n; ++i, in += items, out += items)
    *out = *in;
}

/* A ring of places, each `step` behind the one before; as many as there are work-items. */
__kernel void link_ring(__global ulong *next, ulong step) {
  const ulong id = get_global_id(0), items = get_global_size(0);

  next[id * step] = (id + 1) % items * step;
}

/* One work-item follows the ring, 16 loads an iteration, each from the address that the load before it gave. */
__kernel void chase(__global const ulong *next, __global ulong *out, int n) {
  ulong at = 0;

  for (int i = 0; i < n; ++i) {
    FOUR(FOUR(at = next[at];))
  }
  *out = at;
}

/* Eight atomic additions an iteration: all on one word, or every work-item on a word of its own. */
__kernel void atomic_one(__global int *sum, int n) {
  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(sum, 1); atomic_add(sum, 1);)
  }
}

__kernel void atomic_spread(__global int *sums, int n) {
  __global int *sum = sums + get_global_id(0);

  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(sum, 1); atomic_add(sum, 1);)
  }
}

/* Loads of words from L1, eight an iteration and work-item, those of neighbouring work-items `stride` words apart: all
 * work-groups go over the same `words` words (a power of two). */
__kernel void load_strided(__global const int *in, __global int *out, int n, uint stride, uint words) {
  uint at = (uint)get_local_id(0) * stride;
  int sum = 0;

  for (int i = 0; i < n; ++i) {
    FOUR(sum |= in[at & (words - 1)]; at += 1; sum |= in[at & (words - 1)]; at += 1;)
  }
  out[get_global_id(0)] = sum;
}

/* Loads of words from local memory, eight an iteration and work-item, those of neighbouring work-items `stride` words
 * apart: a stride of two to the power of k makes as many lanes meet in one bank. */
#define LOCAL_WORDS 2048
__kernel void local_strided(__global int *out, int n, uint stride) {
  __local int words[LOCAL_WORDS];
  uint at = (uint)get_local_id(0) * stride;
  int sum = 0;

  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
    words[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    FOUR(sum |= words[at & (LOCAL_WORDS - 1)]; at += 1; sum |= words[at & (LOCAL_WORDS - 1)]; at += 1;)
  }
  out[get_global_id(0)] = sum;
}

/* One work-item follows a ring of all words of local memory, `step` apart (an odd number), 16 loads an iteration. */
__kernel void local_chase(__global int *out, int n, uint step) {
  __local uint next[LOCAL_WORDS];
  uint at = 0;

  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
    next[i] = (i + step) & (LOCAL_WORDS - 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    for (int i = 0; i < n; ++i) {
      FOUR(FOUR(at = next[at];))
    }
  out[get_global_id(0)] = at;
}

/* Four barriers an iteration, each after one store to local memory. */
__kernel void barrier_rate(__global int *out, __local int *word, int n) {
  const int id = get_local_id(0);

  for (int i = 0; i < n; ++i) {
    FOUR(word[id] = i; barrier(CLK_LOCAL_MEM_FENCE);)
  }
  out[get_global_id(0)] = word[id];
}

/* Sixteen native_exp2 an iteration, in four independent chains. */
__kernel void special_rate(__global float4 *out, int n, float4 start) {
  const size_t id = get_global_id(0);
  float4 a = start + (float)id;

  for (int i = 0; i < n; ++i) {
    FOUR(a = native_exp2(a);)
  }
  out[id] = a;
}

/* Work-items whose number has a bit of `mask` take one path, the others another; both have 16 multiply-adds in four
 * chains. The paths use different constants, so that no compiler makes one of them. */
__kernel void divergent_rate(__global float4 *out, int n, uint mask, float4 factor) {
  const size_t id = get_global_id(0);
  float4 a = id;

  for (int i = 0; i < n; ++i) {
    if (id & mask) {
      FOUR(a = fma(a, factor, (float4)(0.25f));)
    } else {
      FOUR(a = fma(a, a, factor);)
    }
  }
  out[id] = a;
}

__kernel void empty(__global int *unused) {
}

/* Expected sum of atomic_one over two launches. */
__kernel void atomic_one_check(__global int *expected, int items, int first, int second) {
  *expected = items * 8 * (first + second);
}

/* Where a walk ends that begins at 0 and takes 16 * n steps around a ring of so many places. */
__kernel void chase_check(__global ulong *expected, ulong places, ulong step, int n) {
  *expected = 16 * n % places * step;
}

/* Rows of `width` words, one row an iteration, which all work-groups read at the same time: a work-item adds up four
 * words of the row, 32 words apart, in a part of the row that the number of its work-group modulo `parts` chooses. The
 * words are 0 and the next row depends on them, so that a work-item waits in each iteration. */
__kernel void read_rows(__global const int *in, __global int *out, int n, int rows, int width, int parts) {
  const int column = (int)(get_group_id(0) % parts) * 128 + (int)get_local_id(1);
  int row = 0;

  for (int i = 0; i < n; ++i) {
    __global const int *from = in + row * width + column;
    const int words = from[0] | from[32] | from[64] | from[96];
    row = (row + 1 + words) & (rows - 1);
  }
  out[(get_group_id(0) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0)] = row;
}

/* Eight atomic additions an iteration. `share` neighbouring work-items use one word; the words are `step` apart and
 * begin anew behind the word `mask` (a power of two, less 1). That one word is used by a whole warp, where it is, no
 * compiler can know. */
__kernel void atomic_words(__global int *words, int n, uint share, uint step, uint mask) {
  __global int *word = words + ((uint)get_global_id(0) / share * step & mask);

  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(word, n); atomic_add(word, n);)
  }
}

/* The same in local memory, where each work-group begins at the first word. */
__kernel void atomic_local(__global int *out, int n, uint share, uint step) {
  __local int words[LOCAL_WORDS];
  __local int *word = words + (get_local_id(0) / share * step & (LOCAL_WORDS - 1));

  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
    words[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(word, n); atomic_add(word, n);)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = words[get_local_id(0)];
}

/* The same where each addition adds one, for which a GPU may have an instruction of its own. */
__kernel void atomic_local_count(__global int *out, int n, uint share, uint step) {
  __local int words[LOCAL_WORDS];
  __local int *word = words + (get_local_id(0) / share * step & (LOCAL_WORDS - 1));

  for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
    words[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    FOUR(atomic_inc(word); atomic_inc(word);)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = words[get_local_id(0)];
}

/* Eight atomic additions an iteration and work-item to one word of local memory, which any compiler can see. */
__kernel void atomic_local_one(__global int *out, int n) {
  __local int word;

  if (get_local_id(0) == 0)
    word = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; ++i) {
    FOUR(atomic_add(&word, n); atomic_add(&word, n);)
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = word;
}

/* Eight operations an iteration on one word, of another kind than an addition whose result nothing uses. */
__kernel void atomic_maximum(__global int *word, __global int *out, int n) {
  const int id = get_global_id(0);

  for (int i = 0; i < n; ++i) {
    FOUR(atomic_max(word, id + i); atomic_max(word, id - i);)
  }
}

/* The last exchange of every work-item leaves the same value, so that the result does not depend on their order. */
__kernel void exchange_one(__global int *word, __global int *out, int n) {
  const int id = get_global_id(0);

  for (int i = 0; i < n; ++i) {
    FOUR(atomic_xchg(word, id + i); atomic_xchg(word, id - i);)
  }
  atomic_xchg(word, n);
}

__kernel void atomic_take(__global int *word, __global int *out, int n) {
  int last = 0;

  for (int i = 0; i < n; ++i) {
    FOUR(last ^= atomic_add(word, 1); last ^= atomic_add(word, 1);)
  }
  out[get_global_id(0)] = last < 0; /* never, but no compiler knows: what was added before depends on the order */
}

/* One work-item waits for each of 16 operations an iteration: the address of one is the result of the one before. */
__kernel void atomic_chase(__global int *words, __global int *out, int n) {
  int at = 0;

  for (int i = 0; i < n; ++i) {
    FOUR(FOUR(at = atomic_add(words + at, 0);))
  }
  *out = at;
}

__kernel void atomic_local_chase(__global int *words, __global int *out, int n) {
  __local int word[64];
  int at = 0;

  for (uint i = 0; i < 64; i++)
    word[i] = words[0];
  for (int i = 0; i < n; ++i) {
    FOUR(FOUR(at = atomic_add(word + at, 0);))
  }
  *out = at;
}

/* 16 exclusive ors and 16 additions of integers an iteration, in four independent chains. */
__kernel void logic_rate(__global uint4 *out, int n, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  uint4 a = (uint)id;

  for (int i = 0; i < n; ++i) {
    FOUR(a = (a ^ factor) + step;)
  }
  out[id] = a;
}

/* Operations of two kinds side by side, in chains that are independent of each other: 16 multiply-adds of floats and as
 * many of integers an iteration. */
__kernel void fma_beside_integers(__global uint4 *out, int n, float4 times, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  float4 f = id;
  uint4 a = (uint)id;

  for (int i = 0; i < n; ++i) {
    FOUR(f = fma(f, times, times); a = a * factor + step;)
  }
  out[id] = as_uint4(f) + a;
}

/* 16 multiply-adds of floats, 16 exclusive ors and 16 additions. */
__kernel void fma_beside_logic(__global uint4 *out, int n, float4 times, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  float4 f = id;
  uint4 a = (uint)id;

  for (int i = 0; i < n; ++i) {
    FOUR(f = fma(f, times, times); a = (a ^ factor) + step;)
  }
  out[id] = as_uint4(f) + a;
}

/* 64 multiply-adds and 16 native_exp2. */
__kernel void fma_beside_special(__global uint4 *out, int n, float4 times, uint4 factor, uint4 step) {
  const size_t id = get_global_id(0);
  float4 f = id, s = -f;

  for (int i = 0; i < n; ++i) {
    FOUR(FOUR(f = fma(f, times, times);) s = native_exp2(s);)
  }
  out[id] = as_uint4(f) + as_uint4(s);
}
