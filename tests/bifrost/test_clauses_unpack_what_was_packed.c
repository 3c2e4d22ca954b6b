/* Random clauses of all sizes and numbers of constants are packed in all formats and unpacked again. */
#include "expect_error.h"

#include "base/random.h"
#include "clause_packer.h"
#include "tracegen/bifrost/isa/register_block.h"

static uint64_t low_bits(struct random_state *random, unsigned count) {
  return random_next(random) & (((uint64_t)1 << count) - 1);
}

/* Returns the number of constants that a clause of so many tuples can have. */
static unsigned most_constants(unsigned tuples) {
  static const uint8_t most[9] = {0, 2, 2, 3, 4, 5, 7, 6, 5};
  return most[tuples];
}

static struct clause random_clause(struct random_state *random, unsigned tuples) {
  unsigned embedded = (unsigned)has_embedded_constant(tuples);
  unsigned pairs = (unsigned)(random_next(random) % ((most_constants(tuples) - embedded) / 2 + 1));
  struct clause clause = {.tuple_count = (uint8_t)tuples, .constant_count = (uint8_t)(embedded + 2 * pairs)};
  for (unsigned i = 0; i < tuples; i++)
    clause.tuples[i] =
        (struct clause_tuple){low_bits(random, 35), (uint32_t)low_bits(random, 23), (uint32_t)low_bits(random, 20)};
  for (unsigned i = 0; i < clause.constant_count; i++)
    clause.constants[i] = low_bits(random, 60) & ~(uint64_t)15; /* equal upper bits: nothing is relative */
  clause.header = (struct clause_header){.flush_to_zero = low_bits(random, 2),
                                         .exceptions = low_bits(random, 2),
                                         .flow = low_bits(random, 3),
                                         .staging_register = low_bits(random, 6),
                                         .dependency_wait = low_bits(random, 8),
                                         .dependency_slot = low_bits(random, 3),
                                         .message = low_bits(random, 5),
                                         .next_message = low_bits(random, 5),
                                         .suppresses_inf = low_bits(random, 1),
                                         .prefetches = low_bits(random, 1),
                                         .waits_for_staging = low_bits(random, 1)};
  return clause;
}

static void assert_same(const struct clause *a, const struct clause *b) {
  assert_int_equal(a->tuple_count, b->tuple_count);
  assert_int_equal(a->constant_count, b->constant_count);
  assert_int_equal(header_bits(&a->header), header_bits(&b->header));
  for (unsigned i = 0; i < a->tuple_count; i++) {
    assert_int_equal(a->tuples[i].registers, b->tuples[i].registers);
    assert_int_equal(a->tuples[i].fma, b->tuples[i].fma);
    assert_int_equal(a->tuples[i].add, b->tuples[i].add);
  }
  for (unsigned i = 0; i < a->constant_count; i++)
    assert_int_equal(a->constants[i], b->constants[i]);
}

static void every_size_comes_back(void **state) {
  struct random_state random;
  uint8_t code[PACKED_CLAUSE_BYTES];
  (void)state;
  random.s = 1;
  for (unsigned i = 0; i < 8000; i++) {
    struct clause packed = random_clause(&random, 1 + i % CLAUSE_MAX_TUPLES), unpacked;
    struct error error = ERROR_INIT;
    unsigned quadwords = pack_clause(&packed, code);
    assert_int_equal(clause_unpack(code, sizeof code, &unpacked, &error), 0);
    assert_int_equal(unpacked.quadword_count, quadwords);
    assert_same(&packed, &unpacked);
    assert_int_equal(clause_unpack(code, quadwords * QUADWORD_BYTES - 1, &unpacked, &error), -1);
  }
}

static void branch_constants_are_relative(void **state) {
  struct clause packed = {.tuple_count = 3, .constant_count = 1, .constants = {(uint64_t)0x0ffffff0 << 32}}, unpacked;
  uint8_t code[PACKED_CLAUSE_BYTES];
  (void)state;
  packed.origins[0] = ORIGIN_HIGH;
  pack_clause(&packed, code);
  assert_int_equal(clause_unpack(code, sizeof code, &unpacked, NULL), 0);
  assert_int_equal(unpacked.origins[0], ORIGIN_HIGH);
  assert_int_equal(constant_distance(unpacked.constants[0], ORIGIN_HIGH, true), -16);
}

/* Slots 0 and 1 of registers above 31 are stored as 63 - number, with slot 0 the larger number of the two stored. */
static void register_blocks_read_and_write(void **state) {
  struct register_block block;
  uint64_t both = (uint64_t)3 << 31 | (uint64_t)(63 - 40) << 20 | (uint64_t)(63 - 50) << 25 | 7 << 14 | 9 << 8 | 0x85;
  (void)state;
  assert_true(register_block_decode(both, false, &block));
  assert_true(block.reads[0] && block.reads[1] && block.reads[2]);
  assert_int_equal(block.read[0], 40);
  assert_int_equal(block.read[1], 50);
  assert_int_equal(block.read[2], 7);
  assert_int_equal(block.fma.number, 9);
  assert_int_equal(block.fma.use, SLOT_WRITE);
  assert_int_equal(block.add.number, NO_REGISTER);
  assert_int_equal(block.fau, 0x85);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_size_comes_back),
                                     cmocka_unit_test(branch_constants_are_relative),
                                     cmocka_unit_test(register_blocks_read_and_write)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
