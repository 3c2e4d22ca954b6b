#include "model/memory/atomics.h"

#include <string.h>

static uint64_t address_of(const struct lane_addresses *lanes, uint32_t lane) {
  return lanes->affine ? lanes->first + (uint64_t)(lanes->stride * lane) : lanes->address[lane];
}

/* Counts operations and rounds after coalescing: lanes of one address are neighbours, and so are lanes of one line. */
static uint32_t count_coalesced(const struct line_size *size, const struct lane_addresses *lanes, const uint32_t *lines,
                                uint32_t *in_line, uint32_t *rounds_of) {
  uint32_t at = 0, rounds = 0, same = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    uint64_t address = address_of(lanes, k);
    same = k > 0 && address == address_of(lanes, k - 1) ? same + 1 : 1;
    while (lines[at] < line_of(size, address))
      at++;
    in_line[at]++;
    if (same > rounds_of[at]) {
      rounds_of[at] = same;
      rounds++;
    }
  }
  return rounds;
}

/* Counts operations and rounds without coalescing: the lines of each lane follow one another, and the lane executes in
 * the first of them. */
static uint32_t count_alone(const struct line_size *size, const struct lane_addresses *lanes, uint32_t *in_line,
                            uint32_t *rounds_of) {
  uint32_t at = 0;
  for (uint32_t k = 0; k < lanes->count; k++) {
    uint64_t first = address_of(lanes, k);
    in_line[at] = rounds_of[at] = 1;
    at += line_of(size, first + lanes->bytes - 1) - line_of(size, first) + 1;
  }
  return lanes->count;
}

uint32_t atomics_count(const struct line_size *size, const struct lane_addresses *lanes, bool coalesced,
                       const uint32_t *lines, uint32_t transactions, uint32_t *in_line) {
  uint32_t *rounds_of = in_line + transactions;
  memset(in_line, 0, 2 * transactions * sizeof *in_line);
  return coalesced ? count_coalesced(size, lanes, lines, in_line, rounds_of)
                   : count_alone(size, lanes, in_line, rounds_of);
}
