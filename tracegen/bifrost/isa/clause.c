#include "tracegen/bifrost/isa/clause.h"

#include <string.h>

/* A quadword's subwords: a tag of 8 bits and 60 + 15 + 30 + 15 bits, which a format gives their meaning. */
struct quadword {
  uint8_t tag;
  uint64_t low;    /* bits 8 to 67 */
  uint32_t middle; /* bits 68 to 82 */
  uint32_t high;   /* bits 83 to 112 */
  uint32_t top;    /* bits 113 to 127 */
};

static uint64_t bytes_to_word(const uint8_t *bytes) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; i--)
    word = word << 8 | bytes[i];
  return word;
}

static struct quadword quadword_at(const uint8_t *code) {
  uint64_t low = bytes_to_word(code), high = bytes_to_word(code + 8);
  return (struct quadword){.tag = (uint8_t)low,
                           .low = low >> 8 | (high & 0xf) << 56,
                           .middle = high >> 4 & 0x7fff,
                           .high = high >> 19 & 0x3fffffff,
                           .top = (uint32_t)(high >> 49)};
}

/* Sets a tuple from the 60 + 15 bits that stand together, and the 3 bits that stand apart. */
static void set_tuple(struct clause_tuple *tuple, const struct quadword *word, uint32_t upper) {
  tuple->registers = word->low & 0x7ffffffff;
  tuple->fma = word->low >> 35 & 0x7fffff;
  tuple->add = (uint32_t)(word->low >> 58 & 3) | word->middle << 2 | upper << 17;
}

/* Sets bits 0 to 44 of a tuple whose other bits stand in the next quadword. */
static void set_low_bits(struct clause_tuple *tuple, const struct quadword *word) {
  uint64_t bits = word->high | (uint64_t)word->top << 30;
  tuple->registers = bits & 0x7ffffffff;
  tuple->fma = bits >> 35 & 0x3ff;
}

static void set_high_bits(struct clause_tuple *tuple, const struct quadword *word, uint32_t upper) {
  tuple->fma |= (word->high & 0x1fff) << 10;
  tuple->add = word->high >> 13 | upper << 17;
}

static struct clause_header header_of(uint64_t bits) {
  return (struct clause_header){.flush_to_zero = bits >> 5 & 3,
                                .suppresses_inf = bits >> 7 & 1,
                                .suppresses_nan = bits >> 8 & 1,
                                .exceptions = bits >> 9 & 3,
                                .flow = bits >> 11 & 7,
                                .ends_discarded = bits >> 15 & 1,
                                .prefetches = bits >> 16 & 1,
                                .waits_for_staging = bits >> 17 & 1,
                                .staging_register = bits >> 18 & 63,
                                .dependency_wait = bits >> 24 & 255,
                                .dependency_slot = bits >> 32 & 7,
                                .message = bits >> 35 & 31,
                                .next_message = bits >> 40 & 31};
}

/* Sets the origins of one or two constants from the numbers that the packing of constants hides in them. */
static int set_origins(uint8_t *origins, unsigned first, unsigned second, bool single) {
  static const uint8_t plain[7][2] = {
      {ORIGIN_NONE, ORIGIN_NONE}, {ORIGIN_LOW, ORIGIN_NONE},  {ORIGIN_LOW, ORIGIN_LOW}, {ORIGIN_NONE, ORIGIN_NONE},
      {ORIGIN_HIGH, ORIGIN_NONE}, {ORIGIN_HIGH, ORIGIN_HIGH}, {ORIGIN_LOW, ORIGIN_NONE}};
  static const uint8_t both[4][2] = {
      {ORIGIN_BOTH, ORIGIN_NONE}, {ORIGIN_BOTH, ORIGIN_HIGH}, {ORIGIN_BOTH, ORIGIN_BOTH}, {ORIGIN_BOTH, ORIGIN_HIGH}};
  const uint8_t none[2] = {ORIGIN_NONE, ORIGIN_NONE};
  const uint8_t *pair = first >= 8 ? none : first == 7 ? both[second & 3] : plain[first];
  if (first == 3 || (first == 7 && second >= 4))
    return -1;
  memcpy(origins, pair, single ? 1 : 2);
  return 0;
}

/* Two constants: where they stand among the clause's constants follows from their position and the number of tuples. */
static int add_constants(struct clause *clause, const struct quadword *word, const uint8_t *code) {
  static const struct {
    uint8_t index, tuples;
  } positions[16] = {{0, 1}, {0, 2}, {0, 4}, {1, 3}, {1, 5}, {2, 4}, {0, 7}, {1, 6},
                     {3, 5}, {1, 8}, {2, 7}, {3, 6}, {3, 8}, {4, 7}, {5, 6}, {0, 0}};
  unsigned index = positions[word->tag & 15].index;
  uint64_t low = bytes_to_word(code), high = bytes_to_word(code + 8);
  if (positions[word->tag & 15].tuples != clause->tuple_count)
    return -1;
  clause->constants[index] = word->low << 4;
  clause->constants[index + 1] = high & ~(uint64_t)15;
  if (clause->constant_count < index + 2)
    clause->constant_count = (uint8_t)(index + 2);
  return set_origins(clause->origins + index, ((high & 15) - (high >> 60)) & 15,
                     ((low >> 32 & 15) - (high >> 28 & 15)) & 15, false);
}

/* A constant and the rest of tuple `tuple`. */
static int add_constant_and_tuple(struct clause *clause, const struct quadword *word, unsigned tuple) {
  set_high_bits(&clause->tuples[tuple], word, word->top >> 12);
  clause->tuple_count = (uint8_t)(tuple + 1);
  clause->constants[0] = word->low << 4;
  clause->constant_count = 1;
  return set_origins(clause->origins, word->middle & 15, word->middle >> 4 & 15, true);
}

/* The rest of tuple `tuple`, and the tuple behind it. */
static int add_two_tuples(struct clause *clause, const struct quadword *word, unsigned tuple, bool last) {
  set_high_bits(&clause->tuples[tuple], word, word->top >> 12);
  set_tuple(&clause->tuples[tuple + 1], word, word->top >> 9 & 7);
  clause->tuple_count = last ? (uint8_t)(tuple + 2) : 0;
  return 0;
}

/* Formats whose tag begins with 000: the number in its low 3 bits says which it is. Returns 1 if the clause may end
 * behind it, 0 if not, -1 if it is none. */
static int add_small_format(struct clause *clause, const struct quadword *word) {
  switch (word->tag & 7) {
  case 1:
    return add_two_tuples(clause, word, 2, false);
  case 3:
    set_tuple(&clause->tuples[1], word, word->top >> 12);
    clause->tuple_count = 2;
    return 1;
  case 4:
    return add_constant_and_tuple(clause, word, 2) ? -1 : 1;
  case 5:
    return add_two_tuples(clause, word, 2, true) ? -1 : 1;
  case 6:
    return add_constant_and_tuple(clause, word, 5) ? -1 : 1;
  case 7:
    return add_two_tuples(clause, word, 5, true) ? -1 : 1;
  default:
    return -1;
  }
}

/* The clause's last tuple, and the rest of its first constant. */
static int add_last_tuple(struct clause *clause, const struct quadword *word, unsigned tuple) {
  set_tuple(&clause->tuples[tuple], word, word->tag & 7);
  clause->constants[0] |= (word->high | (uint64_t)word->top << 30) << 19;
  clause->constant_count = 1;
  clause->tuple_count = (uint8_t)(tuple + 1);
  return 1;
}

static int add_first_tuple(struct clause *clause, const struct quadword *word, bool single) {
  set_tuple(&clause->tuples[0], word, word->tag & 7);
  clause->header = header_of(word->high | (uint64_t)word->top << 30);
  clause->tuple_count = single ? 1 : 0;
  return single;
}

/* A tuple, the rest of the one before it, and the first bits of a constant. */
static int add_tuples_and_constant(struct clause *clause, const struct quadword *word) {
  unsigned tuple = word->tag & 0x40 ? 5 : 2;
  set_high_bits(&clause->tuples[tuple], word, word->tag & 7);
  set_tuple(&clause->tuples[tuple + 1], word, word->tag >> 3 & 7);
  clause->constants[0] = (uint64_t)word->top << 4;
  return 0;
}

static int add_tuple_and_low_bits(struct clause *clause, const struct quadword *word) {
  unsigned tuple = word->tag & 0x40 ? 4 : 1;
  set_tuple(&clause->tuples[tuple], word, word->tag & 7);
  set_low_bits(&clause->tuples[tuple + 1], word);
  return 0;
}

/* Takes in a quadword by its tag. Returns 1 if the clause may end behind it, 0 if not, -1 if the tag has no meaning. */
static int add_quadword(struct clause *clause, const uint8_t *code) {
  struct quadword word = quadword_at(code);
  if (word.tag & 0x80)
    return add_tuples_and_constant(clause, &word);
  switch (word.tag >> 3 & 7) {
  case 0:
    return add_small_format(clause, &word);
  case 1:
    return add_first_tuple(clause, &word, true);
  case 2:
    return add_last_tuple(clause, &word, 4);
  case 3:
    return add_last_tuple(clause, &word, 7);
  case 4:
    return add_tuple_and_low_bits(clause, &word);
  case 5:
    return add_first_tuple(clause, &word, false);
  default:
    return add_constants(clause, &word, code) ? -1 : 1;
  }
}

/* The most quadwords: five with tuples, and three with constants. */
#define MAX_QUADWORDS 8

int clause_unpack(const uint8_t *code, size_t size, struct clause *out, struct error *error) {
  int last = 0;
  *out = (struct clause){0};
  for (unsigned i = 0; i < MAX_QUADWORDS; i++) {
    const uint8_t *word = code + (size_t)i * QUADWORD_BYTES;
    if (size < (size_t)(i + 1) * QUADWORD_BYTES)
      return error_set(error, ERROR_INPUT, "the code ends inside a clause, behind %zu bytes", size);
    last = add_quadword(out, word);
    if (last < 0 || (i == 0 && (*word >> 3 & 7) != 1 && (*word >> 3 & 7) != 5))
      return error_set(error, ERROR_INPUT, "quadword %u of a clause has the tag 0x%02x, which is not possible there", i,
                       *word);
    out->quadword_count = (uint8_t)(i + 1);
    if (last && *word & 0x40)
      return 0;
  }
  return error_set(error, ERROR_INPUT, "a clause has more than %d quadwords", MAX_QUADWORDS);
}

static int64_t sign_extend(uint64_t value, unsigned bits) {
  return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

int64_t constant_distance(uint64_t constant, enum constant_origin origin, bool high) {
  if (origin == ORIGIN_LOW)
    return sign_extend(constant, 60);
  return sign_extend(constant >> (origin == ORIGIN_HIGH || high ? 32 : 0), 28);
}
