/* Packs clauses of Bifrost machine code, for tests. It is the inverse of clause_unpack, written from the description of
 * the formats. pack_clause returns the number of quadwords. */
#ifndef TEST_CLAUSE_PACKER_H
#define TEST_CLAUSE_PACKER_H

#include <stdint.h>
#include <string.h>

#include "tracegen/bifrost/isa/clause.h"

#define PACKED_CLAUSE_BYTES (8 * QUADWORD_BYTES)

static inline void put_bits(uint8_t *word, unsigned at, unsigned count, uint64_t value) {
  for (unsigned i = 0; i < count; i++)
    if (value >> i & 1)
      word[(at + i) / 8] |= (uint8_t)(1 << (at + i) % 8);
}

static inline uint64_t tuple_bits(const struct clause_tuple *tuple, unsigned at, unsigned count) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < count; i++) {
    unsigned from = at + i;
    uint64_t part = from < 35   ? tuple->registers >> from
                    : from < 58 ? tuple->fma >> (from - 35)
                                : tuple->add >> (from - 58);
    bits |= (part & 1) << i;
  }
  return bits;
}

static inline uint64_t header_bits(const struct clause_header *h) {
  return (uint64_t)h->flush_to_zero << 5 | (uint64_t)h->suppresses_inf << 7 | (uint64_t)h->suppresses_nan << 8 |
         (uint64_t)h->exceptions << 9 | (uint64_t)h->flow << 11 | (uint64_t)h->ends_discarded << 15 |
         (uint64_t)h->prefetches << 16 | (uint64_t)h->waits_for_staging << 17 | (uint64_t)h->staging_register << 18 |
         (uint64_t)h->dependency_wait << 24 | (uint64_t)h->dependency_slot << 32 | (uint64_t)h->message << 35 |
         (uint64_t)h->next_message << 40;
}

/* These functions write the parts of a quadword: a tuple's first 75 bits, bits 0 to 44 or 45 to 74 of another, and so
 * on. */
static inline void put_tuple(uint8_t *word, const struct clause_tuple *tuple) {
  put_bits(word, 8, 60, tuple_bits(tuple, 0, 60));
  put_bits(word, 68, 15, tuple_bits(tuple, 60, 15));
}

static inline uint64_t upper_bits(const struct clause_tuple *tuple) {
  return tuple_bits(tuple, 75, 3);
}

static inline void put_high_bits(uint8_t *word, const struct clause_tuple *tuple) {
  put_bits(word, 83, 30, tuple_bits(tuple, 45, 30));
  put_bits(word, 125, 3, upper_bits(tuple));
}

/* Returns 1 if there is room for a constant among the tuples, else 0. */
static inline int has_embedded_constant(unsigned tuples) {
  return tuples == 3 || tuples == 5 || tuples == 6 || tuples == 8;
}

static inline void pack_quadword(uint8_t *word, const struct clause *c, unsigned at, unsigned last) {
  const struct clause_tuple *t = c->tuples;
  unsigned n = c->tuple_count, base = at >= 3 ? 3 : 0;
  if (at == 0) {
    put_tuple(word, t);
    put_bits(word, 0, 8, upper_bits(t) | (n == 1 ? 1 : 5) << 3);
    put_bits(word, 83, 45, header_bits(&c->header));
  } else if (at == 1 && n == 2) {
    put_tuple(word, t + 1);
    put_bits(word, 0, 8, 3);
    put_bits(word, 125, 3, upper_bits(t + 1));
  } else if ((at == 1 && n > 2) || (at == 3 && n > 5)) { /* a tuple, and the first bits of the next */
    put_tuple(word, t + base + 1);
    put_bits(word, 0, 8, upper_bits(t + base + 1) | 4 << 3 | (uint64_t)(base ? 1 : 0) << 6);
    put_bits(word, 83, 45, tuple_bits(t + base + 2, 0, 45));
  } else if ((at == 2 && n == 3) || (at == 4 && n == 6)) { /* the rest of the tuple before, and a constant */
    put_bits(word, 0, 8, base ? 6 : 4);
    put_bits(word, 8, 60, c->constants[0] >> 4);
    put_bits(word, 68, 4, c->origins[0] == ORIGIN_HIGH ? 4 : 0);
    put_high_bits(word, t + base + 2);
  } else if ((at == 2 && n == 5) || (at == 4 && n == 8)) { /* two tuples, and the first bits of a constant */
    put_tuple(word, t + base + 3);
    put_bits(word, 0, 8, upper_bits(t + base + 2) | upper_bits(t + base + 3) << 3 | (uint64_t)(base ? 3 : 2) << 6);
    put_bits(word, 83, 30, tuple_bits(t + base + 2, 45, 30));
    put_bits(word, 113, 15, c->constants[0] >> 4);
  } else if ((at == 3 && n == 5) || (at == 5 && n == 8)) { /* the last tuple, and the rest of the constant */
    put_tuple(word, t + n - 1);
    put_bits(word, 0, 8, upper_bits(t + n - 1) | (uint64_t)(n == 5 ? 2 : 3) << 3);
    put_bits(word, 83, 45, c->constants[0] >> 19);
  } else { /* two tuples */
    put_tuple(word, t + base + 3);
    put_bits(word, 0, 8, base ? 7 : n == 4 ? 5 : 1);
    put_high_bits(word, t + base + 2);
    put_bits(word, 122, 3, upper_bits(t + base + 3));
  }
  put_bits(word, 6, 1, last);
}

static inline void pack_constants(uint8_t *word, const struct clause *c, unsigned index, unsigned last) {
  static const uint8_t positions[9][6] = {
      {0}, {0}, {1}, {0, 3}, {2, 0, 5}, {0, 4, 0, 8}, {0, 7, 0, 11, 0, 14}, {6, 0, 10, 0, 13}, {0, 9, 0, 12}};
  put_bits(word, 0, 8, positions[c->tuple_count][index] | 3 << 4);
  put_bits(word, 8, 60, c->constants[index] >> 4);
  put_bits(word, 68, 60, c->constants[index + 1] >> 4);
  put_bits(word, 6, 1, last);
}

static inline unsigned pack_clause(const struct clause *c, uint8_t *code) {
  static const uint8_t quadwords[9] = {0, 1, 2, 3, 3, 4, 5, 5, 6};
  unsigned count = quadwords[c->tuple_count], embedded = has_embedded_constant(c->tuple_count) ? 1 : 0;
  memset(code, 0, PACKED_CLAUSE_BYTES);
  for (unsigned i = 0; i < count; i++)
    pack_quadword(code + i * QUADWORD_BYTES, c, i, i + 1 == count && c->constant_count <= embedded);
  for (unsigned i = embedded; i < c->constant_count; i += 2)
    pack_constants(code + count++ * QUADWORD_BYTES, c, i, i + 2 >= c->constant_count);
  return count;
}

#endif
