#include "tracegen/program/content_file.h"

#include <string.h>

#define LEAST_CHUNK ((uint64_t)16 << 10)
#define MOST_CHUNKS 2048

uint64_t content_chunk_bytes(uint64_t bytes) {
  uint64_t size = LEAST_CHUNK;
  while (bytes / size >= MOST_CHUNKS)
    size *= 2;
  return size;
}

uint64_t content_chunk_count(uint64_t bytes) {
  const uint64_t size = content_chunk_bytes(bytes);
  return bytes / size + (bytes % size != 0);
}

uint64_t content_chunk_size(uint64_t bytes, uint64_t index) {
  const uint64_t size = content_chunk_bytes(bytes), left = bytes - index * size;
  return left < size ? left : size;
}

uint64_t content_data_offset(uint64_t count) {
  const uint64_t end = sizeof(struct content_header) + count * sizeof(struct content_chunk);
  return (end + CONTENT_ALIGNMENT - 1) / CONTENT_ALIGNMENT * CONTENT_ALIGNMENT;
}

enum { LANES = 8 };

typedef uint64_t lanes_of_words __attribute__((vector_size(LANES * sizeof(uint64_t)), aligned(sizeof(uint64_t))));

static uint64_t rotate(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

/* One step is a bijection of the lane for each word, and of the word for each lane: a single changed word always
 * changes the lane. The rotation brings the high bits of a product, which depend on all bits of the word, to the low
 * ones. */
static uint64_t step(uint64_t lane, uint64_t word) {
  return rotate((lane ^ word) * UINT64_C(0x9e3779b97f4a7c15), 29);
}

/* Takes the step of each lane for each of `count` times LANES words. */
static inline void take_steps(uint64_t lanes[LANES], const unsigned char *bytes, size_t count) {
  lanes_of_words all, words;
  memcpy(&all, lanes, sizeof all);
  for (size_t i = 0; i < count; i++) {
    memcpy(&words, bytes + i * sizeof words, sizeof words);
    all = (all ^ words) * UINT64_C(0x9e3779b97f4a7c15);
    all = all << 29 | all >> 35;
  }
  memcpy(lanes, &all, sizeof all);
}

/* The same, compiled for processors that multiply eight words at once: four times as fast. Digests of what launches may
 * have written are a third of the processor time of programs with large buffers. */
#ifdef __x86_64__
__attribute__((target("avx512f,avx512dq"))) static void take_wide_steps(uint64_t lanes[LANES],
                                                                        const unsigned char *bytes, size_t count) {
  take_steps(lanes, bytes, count);
}

static bool multiplies_eight_words(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}
#else
static void take_wide_steps(uint64_t lanes[LANES], const unsigned char *bytes, size_t count) {
  take_steps(lanes, bytes, count);
}

static bool multiplies_eight_words(void) {
  return false;
}
#endif

static void add_words(uint64_t lanes[LANES], const unsigned char *bytes, size_t count) {
  if (count > 1 && multiplies_eight_words())
    take_wide_steps(lanes, bytes, count);
  else
    take_steps(lanes, bytes, count);
}

/* Mixes every bit of the value into all others (the finalizer of S. Vigna's splitmix64). */
static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

struct content_digest content_digest(const void *bytes, size_t length) {
  const unsigned char *at = bytes;
  unsigned char rest[LANES * sizeof(uint64_t)] = {0};
  struct content_digest digest = {{length, ~(uint64_t)length}};
  uint64_t lanes[LANES];
  for (uint64_t i = 0; i < LANES; i++)
    lanes[i] = mix(i + 1);
  add_words(lanes, at, length / sizeof rest);
  if (length % sizeof rest > 0) {
    memcpy(rest, at + length / sizeof rest * sizeof rest, length % sizeof rest);
    add_words(lanes, rest, 1);
  }
  for (int i = 0; i < LANES; i++) {
    digest.halves[0] = step(digest.halves[0], mix(lanes[i]));
    digest.halves[1] = step(digest.halves[1], mix(lanes[i] + (uint64_t)i + 1));
  }
  return digest;
}
