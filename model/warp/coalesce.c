#include "model/warp/coalesce.h"

struct line_size line_size_make(uint32_t bytes) {
  struct line_size size = {bytes, -1};
  if ((bytes & (bytes - 1)) == 0)
    size.shift = __builtin_ctz(bytes);
  return size;
}

uint32_t coalesce_capacity(const struct line_size *size, uint32_t lanes, uint32_t bytes) {
  return lanes * (bytes / size->bytes + 2);
}

static void sort_ascending(uint64_t *a, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    uint64_t x = a[i];
    uint32_t j = i;
    for (; j > 0 && a[j - 1] > x; j--)
      a[j] = a[j - 1];
    a[j] = x;
  }
}

static uint64_t address_of(const struct lane_addresses *lanes, uint32_t lane) {
  return lanes->affine ? lanes->first + (uint64_t)(lanes->stride * lane) : lanes->address[lane];
}

static uint32_t range_lines(const struct line_size *size, uint64_t first, uint64_t last, uint32_t *lines) {
  uint32_t low = line_of(size, first), high = line_of(size, last), n = 0;
  for (uint32_t line = low; line <= high; line++)
    lines[n++] = line;
  return n;
}

/* Writes distinct lines in one pass, and returns their number. Starts ascend and all lanes touch equally many bytes, so
 * that ends ascend, too. */
static uint32_t ascending_lines(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *lines) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    uint64_t start = address_of(lanes, k);
    uint32_t line = line_of(size, start), last = line_of(size, start + lanes->bytes - 1);
    if (n > 0 && line <= lines[n - 1])
      line = lines[n - 1] + 1;
    for (; line <= last; line++)
      lines[n++] = line;
  }
  return n;
}

uint32_t coalesce_lines(const struct line_size *size, struct lane_addresses *lanes, uint32_t *lines) {
  if (!lanes->affine) {
    sort_ascending(lanes->address, lanes->count);
    return ascending_lines(size, lanes, lines);
  }
  if (lanes->stride < 0) { /* begin at the other end */
    lanes->first += (uint64_t)(lanes->stride * (lanes->count - 1));
    lanes->stride = -lanes->stride;
  }
  if (lanes->stride <= size->bytes) /* the access touches every line between two lanes */
    return range_lines(size, lanes->first, address_of(lanes, lanes->count - 1) + lanes->bytes - 1, lines);
  return ascending_lines(size, lanes, lines);
}

uint32_t coalesce_off_lines(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *lines) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    uint64_t start = address_of(lanes, k);
    n += range_lines(size, start, start + lanes->bytes - 1, lines + n);
  }
  return n;
}
