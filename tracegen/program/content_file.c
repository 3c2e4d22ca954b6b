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

static uint64_t rotate(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

/* One step is a bijection of the lane for each word, and of the word for each lane: a single changed word always changes
 * the lane. The rotation brings the high bits of a product, which depend on all bits of the word, to the low ones. */
static uint64_t step(uint64_t lane, uint64_t word) {
  return rotate((lane ^ word) * UINT64_C(0x9e3779b97f4a7c15), 29);
}

static void add_words(uint64_t lanes[LANES], const unsigned char *bytes) {
  uint64_t words[LANES];
  memcpy(words, bytes, sizeof words);
  for (int i = 0; i < LANES; i++)
    lanes[i] = step(lanes[i], words[i]);
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
  for (; length >= sizeof rest; length -= sizeof rest, at += sizeof rest)
    add_words(lanes, at);
  if (length > 0) {
    memcpy(rest, at, length);
    add_words(lanes, rest);
  }
  for (int i = 0; i < LANES; i++) {
    digest.halves[0] = step(digest.halves[0], mix(lanes[i]));
    digest.halves[1] = step(digest.halves[1], mix(lanes[i] + (uint64_t)i + 1));
  }
  return digest;
}
