#include "model/policy/smallest_key.h"

#include <stdlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* A vector load must wait until a key that was just written can be read with its neighbours, so a few keys are searched
 * faster one by one. */
#define FEW_KEYS 8

static inline uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Returns the smallest key, computed lane by lane, so that lanes do not depend on each other. */
uint64_t first_key_plain(const uint64_t *keys, uint32_t count) {
  uint64_t a = keys[0], b = keys[1], c = keys[2], d = keys[3];
  for (uint32_t i = FIRST_KEY_LANES; i < count; i += FIRST_KEY_LANES) {
    a = smaller(a, keys[i]);
    b = smaller(b, keys[i + 1]);
    c = smaller(c, keys[i + 2]);
    d = smaller(d, keys[i + 3]);
  }
  return smaller(smaller(a, b), smaller(c, d));
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static inline __m256i smaller_four(__m256i a, __m256i b) {
  return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}

__attribute__((target("avx2"))) static uint64_t first_key_avx2(const uint64_t *keys, uint32_t count) {
  __m256i first = _mm256_loadu_si256((const __m256i *)keys);
  for (uint32_t i = FIRST_KEY_LANES; i < count; i += FIRST_KEY_LANES)
    first = smaller_four(first, _mm256_loadu_si256((const __m256i *)(keys + i)));
  first = smaller_four(first, _mm256_permute4x64_epi64(first, _MM_SHUFFLE(1, 0, 3, 2)));
  first = smaller_four(first, _mm256_shuffle_epi32(first, _MM_SHUFFLE(1, 0, 3, 2)));
  return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(first));
}

first_key_function *first_key_choose(void) {
  return __builtin_cpu_supports("avx2") ? first_key_avx2 : first_key_plain;
}

#else

first_key_function *first_key_choose(void) {
  return first_key_plain;
}

#endif

static uint32_t room(uint32_t count) {
  return (count + FIRST_KEY_LANES - 1) / FIRST_KEY_LANES * FIRST_KEY_LANES;
}

static uint64_t *no_keys(uint32_t count) {
  uint64_t *keys = malloc(count * sizeof *keys);
  for (uint32_t i = 0; i < count && keys; i++)
    keys[i] = FIRST_KEY_NONE;
  return keys;
}

bool first_keys_init(struct first_keys *all, uint32_t count) {
  const uint32_t groups = (count + FIRST_KEY_GROUP - 1) / FIRST_KEY_GROUP;
  *all = (struct first_keys){.first = FIRST_KEY_NONE,
                             .key_room = groups > 1 ? FIRST_KEY_GROUP : room(count),
                             .group_room = groups > 1 ? room(groups) : 0,
                             .smallest = count <= FEW_KEYS ? first_key_plain : first_key_choose()};
  all->keys = no_keys(groups * FIRST_KEY_GROUP);
  all->groups = no_keys(all->group_room + 1);
  return all->keys && all->groups;
}

void first_keys_clear(struct first_keys *all) {
  free(all->keys);
  free(all->groups);
  *all = (struct first_keys){0};
}
