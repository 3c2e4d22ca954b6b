/* Programs of random instructions end without an access outside of the GPU's memory: they run, or an error names what
 * they do. */
#include "expect_error.h"

#include <string.h>

#include "base/random.h"
#include "clause_packer.h"
#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/isa/operations.h"

#define CODE_BYTES 4096
#define CODE       ((uint64_t)0x100000000)
#define DATA       ((uint64_t)0x200000000)
#define DATA_BYTES 256

/* A random encoding of a random operation, most often of one that computes something. */
static uint32_t random_instruction(struct random_state *random, enum bifrost_unit unit) {
  const struct operation *row;
  struct instruction decoded;
  uint32_t bits;
  do {
    row = &bifrost_operations[random_below(random, (uint32_t)bifrost_operation_count)];
    bits = ((uint32_t)random_next(random) & (unit == UNIT_FMA ? 0x7fffff : 0xfffff) & ~row->mask) | row->bits;
  } while (row->unit != unit || !(row->alu || random_below(random, 16) == 0) ||
           !instruction_decode(unit, bits, &decoded));
  return bits;
}

/* Registers that are written when the block is the first of its clause: idle, or a mode that writes. */
static uint64_t random_registers(struct random_state *random) {
  uint64_t bits = random_next(random) & 0x7fffffff, control = 1 + random_below(random, 6);
  return (bits & ~(uint64_t)0xff) | control << 31 | (random_next(random) % 2 ? 0x80 + random_below(random, 4) : 0);
}

static struct clause random_clause(struct random_state *random, bool last) {
  struct clause clause = {.tuple_count = (uint8_t)(1 + random_below(random, 8))};
  clause.constant_count = (uint8_t)has_embedded_constant(clause.tuple_count);
  clause.header.flow = last ? FLOW_END : FLOW_NEXT;
  clause.header.staging_register = random_below(random, 64);
  clause.header.flush_to_zero = random_below(random, 4);
  for (unsigned i = 0; i < clause.tuple_count; i++)
    clause.tuples[i] = (struct clause_tuple){random_registers(random), random_instruction(random, UNIT_FMA),
                                             random_instruction(random, UNIT_ADD)};
  return clause;
}

static void write_program(struct random_state *random, uint8_t *code) {
  size_t at = 0;
  unsigned clauses = 1 + random_below(random, 4);
  memset(code, 0, CODE_BYTES);
  for (unsigned i = 0; i < clauses; i++) {
    const struct clause clause = random_clause(random, i + 1 == clauses);
    at += pack_clause(&clause, code + at) * QUADWORD_BYTES;
  }
}

struct heard {
  unsigned clauses, accesses;
};

static void hear_clause(void *context, const struct bifrost_position *at) {
  ((struct heard *)context)->clauses++;
  assert_true(at->lanes != 0);
}

static void hear_access(void *context, const struct bifrost_position *at, const struct bifrost_access *access) {
  ((struct heard *)context)->accesses++;
  assert_true(at->clause < at->shader->clause_count && access->bytes > 0);
}

static void programs_run_or_are_refused(void **state) {
  static uint8_t code[CODE_BYTES], data[DATA_BYTES];
  struct bifrost_region regions[] = {{CODE, CODE_BYTES, code, true}, {DATA, DATA_BYTES, data, false}};
  const struct bifrost_memory memory = {regions, 2};
  struct bifrost_dispatch dispatch = {.memory = &memory,
                                      .product = 0x6000,
                                      .architecture = 6,
                                      .warp_lanes = 4,
                                      .groups = {2, 1, 1},
                                      .local = {6, 1, 1},
                                      .shader = CODE,
                                      .preload = ~0u,
                                      .fau_count = 4,
                                      .fau = {DATA, 8, DATA + 16, 0},
                                      .tls_bytes = 32,
                                      .wls_bytes = 64};
  struct heard heard = {0};
  const struct bifrost_listener listener = {.context = &heard, .clause = hear_clause, .access = hear_access};
  const struct bifrost_run_options options = {&listener, 100};
  struct random_state random = {5};
  unsigned ran = 0;
  (void)state;
  for (unsigned i = 0; i < 20000; i++) {
    struct error error = ERROR_INIT;
    dispatch.warp_lanes = i % 2 ? 4 : 8;
    write_program(&random, code);
    if (bifrost_execute(&dispatch, &options, &error) == 0)
      ran++;
    else
      assert_true(*error.text);
  }
  assert_true(ran > 300);
  assert_true(heard.clauses > 10000);
  assert_true(heard.accesses > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs_run_or_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
