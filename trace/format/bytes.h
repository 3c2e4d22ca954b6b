/* Growing byte strings, and the two encodings of numbers in traces: varint (LEB128) and zigzag. Internal to trace/.
 *
 * Ownership: struct bytes owns its memory; start from zero, bytes_clear frees.
 * Errors:    `failed` stays set once memory ran out, and a byte_reader stays `bad` once a number did not fit. Both
 *            may be checked once, at the end. Source: docs/trace-format.md. */
#ifndef TRACE_BYTES_H
#define TRACE_BYTES_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
  unsigned char *data;
  size_t length, capacity;
  bool failed;
};

#define BYTES_VARINT_MAX 10

/* Makes room for `more` further bytes. Returns false and sets `failed` when memory ran out. */
bool bytes_reserve(struct bytes *b, size_t more);
void bytes_append(struct bytes *b, const void *data, size_t length);
void bytes_varint(struct bytes *b, uint64_t value);
void bytes_text(struct bytes *b, const char *text);
void bytes_clear(struct bytes *b);

/* Writes a varint at `to`, which has room for BYTES_VARINT_MAX, and returns the place behind it. Most numbers are below
 * 2^28. They are written without a branch, because a processor cannot predict their lengths. */
static inline unsigned char *varint_put(unsigned char *to, uint64_t value) {
  if (value < 1u << 28) {
    static const uint32_t more_follow[] = {0, 0x80, 0x8080, 0x808080};
    const uint32_t number = (uint32_t)value, halves = (number & 0x3fff) | (number & 0xfffc000) << 2;
    const unsigned more = (unsigned)(number >= 0x80) + (unsigned)(number >= 0x4000) + (unsigned)(number >= 0x200000);
    const uint32_t bytes = htole32((halves & 0x7f007f) | (halves & 0x3f803f80) << 1 | more_follow[more]);
    memcpy(to, &bytes, sizeof bytes);
    return to + more + 1;
  }
  while (value >= 0x80) {
    *to++ = (unsigned char)(value | 0x80);
    value >>= 7;
  }
  *to++ = (unsigned char)value;
  return to;
}

static inline uint64_t zigzag(int64_t value) {
  return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static inline unsigned char *varint_put_zigzag(unsigned char *to, int64_t value) {
  return varint_put(to, zigzag(value));
}

/* Writes the difference of two addresses modulo 2^32 as a zigzag number. */
static inline unsigned char *varint_put_difference(unsigned char *to, uint32_t value, uint32_t before) {
  return varint_put_zigzag(to, (int32_t)(value - before));
}

struct byte_reader {
  const unsigned char *at, *end;
  bool bad;
};

static inline size_t reader_left(const struct byte_reader *r) {
  return (size_t)(r->end - r->at);
}

/* The functions take_... return the next number, or 0 when the reader is bad. */
uint64_t take_varint_slow(struct byte_reader *r);
static inline uint64_t take_varint(struct byte_reader *r) {
  if (r->at < r->end && *r->at < 0x80)
    return *r->at++;
  return take_varint_slow(r);
}

static inline int64_t take_zigzag(struct byte_reader *r) {
  const uint64_t v = take_varint(r);
  return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

/* Takes a number of at most `maximum`; a larger one makes the reader bad. */
uint64_t take_at_most(struct byte_reader *r, uint64_t maximum);
/* Takes a text of at most `maximum` bytes without NUL. Returns it in new memory, or NULL when the reader is bad or
 * memory ran out. */
char *take_text(struct byte_reader *r, size_t maximum);

#endif
