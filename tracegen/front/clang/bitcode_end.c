#include "tracegen/front/clang/bitcode_end.h"

#include <stdint.h>
#include <string.h>

#define STRTAB_BLOCK 23

static uint32_t word_at(const char *data) {
  const unsigned char *byte = (const unsigned char *)data;
  return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/* A block of the top level starts with two words. The first has two bits that say "block", eight of its number and four
 * of the width of its abbreviations; the second is its length in words. */
bool bitcode_is_complete(const char *data, size_t length) {
  uint32_t block = 0;
  size_t at = 4; /* after the magic number */
  if (length < at || memcmp(data, "BC\xC0\xDE", 4) != 0)
    return false;
  while (at <= length && length - at >= 8) {
    block = word_at(data + at) >> 2 & 0xff;
    at += 8 + 4 * (size_t)word_at(data + at + 4);
  }
  return at == length && block == STRTAB_BLOCK;
}
