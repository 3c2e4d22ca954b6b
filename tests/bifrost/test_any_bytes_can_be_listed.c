/* The decoder accepts any bytes: random ones, and clauses with random bits changed. Their listings are written in
 * full. */
#include "expect_error.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "clause_packer.h"
#include "tracegen/bifrost/isa/disassemble.h"
#include "tracegen/bifrost/isa/operations.h"

static size_t listed(const uint8_t *code, size_t size) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct error error = ERROR_INIT;
  if (program_disassemble(code, size, out, &error))
    assert_true(*error.text);
  fclose(out);
  free(text);
  return length;
}

static void random_bytes_are_listed_or_refused(void **state) {
  struct random_state random;
  uint8_t code[160];
  size_t length = 0;
  (void)state;
  random.s = 2;
  for (unsigned i = 0; i < 20000; i++) {
    for (unsigned k = 0; k < sizeof code; k++)
      code[k] = (uint8_t)random_next(&random);
    code[0] = (uint8_t)(i % 2 ? code[0] : (code[0] & 0x47) | (i % 4 ? 8 : 40)); /* the tags that clauses begin with */
    length += listed(code, random_next(&random) % (sizeof code + 1));
  }
  assert_true(length > 100000);
}

static void every_instruction_is_listed(void **state) {
  struct random_state random;
  struct clause clause = {.tuple_count = 1};
  uint8_t code[PACKED_CLAUSE_BYTES];
  (void)state;
  random.s = 3;
  for (unsigned i = 0; i < 30000; i++) {
    clause.tuples[0] = (struct clause_tuple){random_next(&random) & 0x7ffffffff, random_next(&random) & 0x7fffff,
                                             random_next(&random) & 0xfffff};
    assert_true(listed(code, pack_clause(&clause, code) * QUADWORD_BYTES) > 20);
  }
}

static bool is_reached(const struct operation *row, struct random_state *random) {
  uint32_t all = row->unit == UNIT_FMA ? 0x7fffff : 0xfffff;
  struct instruction in;
  for (unsigned i = 0; i < 3000; i++)
    if (instruction_decode(row->unit, ((uint32_t)random_next(random) & all & ~row->mask) | row->bits, &in) &&
        in.operation == row)
      return true;
  return false;
}

/* A row whose encodings all belong to other rows would be a mistake in its fixed bits. */
static void every_row_is_reached(void **state) {
  struct random_state random;
  (void)state;
  random.s = 4;
  for (size_t i = 0; i < bifrost_operation_count; i++)
    assert_true(is_reached(&bifrost_operations[i], &random));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_bytes_are_listed_or_refused),
                                     cmocka_unit_test(every_instruction_is_listed),
                                     cmocka_unit_test(every_row_is_reached)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
