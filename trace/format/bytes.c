#include "trace/format/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/spill.h"

bool bytes_reserve(struct bytes *b, size_t more) {
  if (b->failed || more > SIZE_MAX / 2 - b->length) {
    b->failed = true;
    return false;
  }
  if (b->length + more <= b->capacity)
    return true;
  size_t capacity = b->capacity ? b->capacity : 256;
  while (capacity < b->length + more)
    capacity *= 2;
  unsigned char *data = spill_resize(b->data, b->capacity, capacity);
  if (!data) {
    b->failed = true;
    return false;
  }
  b->data = data;
  b->capacity = capacity;
  return true;
}

void bytes_append(struct bytes *b, const void *data, size_t length) {
  if (length == 0 || !bytes_reserve(b, length))
    return;
  if (length < SPILL_LEAST)
    memcpy(b->data + b->length, data, length);
  else
    spill_copy(b->data + b->length, data, length);
  b->length += length;
}

void bytes_varint(struct bytes *b, uint64_t value) {
  if (bytes_reserve(b, BYTES_VARINT_MAX))
    b->length = (size_t)(varint_put(b->data + b->length, value) - b->data);
}

void bytes_text(struct bytes *b, const char *text) {
  bytes_varint(b, strlen(text));
  bytes_append(b, text, strlen(text));
}

void bytes_clear(struct bytes *b) {
  spill_free(b->data, b->capacity);
  *b = (struct bytes){0};
}

uint64_t take_varint_slow(struct byte_reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (r->at == r->end)
      break;
    const unsigned char byte = *r->at++;
    if (shift == 63 && byte > 1)
      break;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  r->bad = true;
  r->at = r->end;
  return 0;
}

uint64_t take_at_most(struct byte_reader *r, uint64_t maximum) {
  const uint64_t value = take_varint(r);
  if (value <= maximum)
    return value;
  r->bad = true;
  r->at = r->end;
  return 0;
}

char *take_text(struct byte_reader *r, size_t maximum) {
  const size_t length = (size_t)take_at_most(r, maximum);
  if (r->bad || length > reader_left(r) || memchr(r->at, 0, length)) {
    r->bad = true;
    return NULL;
  }
  char *text = malloc(length + 1);
  if (!text) {
    r->bad = true;
    return NULL;
  }
  memcpy(text, r->at, length);
  text[length] = '\0';
  r->at += length;
  return text;
}
