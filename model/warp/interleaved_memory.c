#include "model/warp/interleaved_memory.h"

#include <stdlib.h>

uint32_t interleaved_capacity(const struct line_size *size, uint32_t lanes, uint32_t bytes) {
  return (bytes / INTERLEAVED_WORD + 2) * coalesce_capacity(size, lanes, INTERLEAVED_WORD);
}

/* Adds the lines of a lane whose first byte lies at `address`. Returns their number. */
static uint32_t lines_of_lane(const struct line_size *size, uint64_t address, uint32_t bytes,
                              uint32_t word_stride_bytes, uint32_t *lines) {
  const uint32_t skipped = (uint32_t)(address % INTERLEAVED_WORD);
  uint32_t n = 0;
  address -= skipped;
  for (uint32_t done = 0; done < skipped + bytes; done += INTERLEAVED_WORD, address += word_stride_bytes) {
    const uint32_t low = line_of(size, address), high = line_of(size, address + INTERLEAVED_WORD - 1);
    for (uint32_t line = low; line <= high; line++)
      if (n == 0 || line > lines[n - 1])
        lines[n++] = line;
  }
  return n;
}

static int compare_lines(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static uint32_t each_once(uint32_t *lines, uint32_t count) {
  uint32_t n = 0;
  qsort(lines, count, sizeof *lines, compare_lines);
  for (uint32_t i = 0; i < count; i++)
    if (n == 0 || lines[i] > lines[n - 1])
      lines[n++] = lines[i];
  return n;
}

/* Writes the lines of lanes that access the same word: each word of all lanes is a range. Returns their number. */
static uint32_t lines_of_words(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *lines) {
  const uint32_t skipped = (uint32_t)(lanes->first % INTERLEAVED_WORD), across = lanes->count * INTERLEAVED_WORD;
  uint64_t begin = lanes->first - skipped;
  uint32_t n = 0;
  for (uint32_t done = 0; done < skipped + lanes->bytes; done += INTERLEAVED_WORD, begin += lanes->word_stride_bytes)
    for (uint32_t line = line_of(size, begin), high = line_of(size, begin + across - 1); line <= high; line++)
      if (n == 0 || line > lines[n - 1])
        lines[n++] = line;
  return n;
}

uint32_t interleaved_lines(const struct line_size *size, const struct lane_addresses *lanes, bool coalesce,
                           uint32_t *lines) {
  uint32_t n = 0;
  if (coalesce && lanes->affine)
    return lines_of_words(size, lanes, lines);
  for (uint32_t k = 0; k < lanes->count; k++) {
    const uint64_t address = lanes->affine ? lanes->first + (uint64_t)(lanes->stride * k) : lanes->address[k];
    n += lines_of_lane(size, address, lanes->bytes, lanes->word_stride_bytes, lines + n);
  }
  return coalesce ? each_once(lines, n) : n;
}
