/* Every arithmetic operation, with random modifiers and operands, gives what a plain reference gives: at least 10,000
 * cases of each. An instruction is packed into a clause, decoded, and run by a warp. */
#include "expect_error.h"

#include <stdio.h>

#include "base/random.h"
#include "clause_packer.h"
#include "fuzzed_rows.h"
#include "reference_operations.h"
#include "tracegen/bifrost/exec/warp.h"

#define CODE     ((uint64_t)0x100000000)
#define FMA_NOP  0x701963
#define ADD_NOP  0x3d964
#define RESULT   4 /* the register that the instruction writes */
#define FIRST    1 /* the sources are three registers and a uniform */
#define IN_SLOTS 3

static const uint8_t selectors[] = {0, 1, 2, 4};

/* Numbers at which arithmetic is special, or any. */
static uint32_t random_operand(struct random_state *random) {
  static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                                     0x00000001, 0x007fffff, 0x7f7fffff, 0x00800000, 0x3c003c00, 0x7c00fc00, 0x7e000001,
                                     0x04000001, 0x7bff7bff, 0x7fffffff, 0xffffffff, 0x40490fdb, 0x00ff00ff};
  uint32_t bits = (uint32_t)random_next(random);
  switch (random_below(random, 4)) {
  case 0:
    return special[random_below(random, sizeof special / sizeof *special)];
  case 1: /* a float around 1 */
    return (bits & 0x807fffff) | (120 + random_below(random, 16)) << 23;
  case 2: /* halves around 1 */
    return (bits & 0x83ff83ff) | (11 + random_below(random, 8)) << 26 | (11 + random_below(random, 8)) << 10;
  default:
    return bits;
  }
}

/* The state that the tests of one operation share. */
struct bench {
  uint8_t code[PACKED_CLAUSE_BYTES];
  struct bifrost_region region;
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
  unsigned cases;
};

static void pack(struct bench *bench, enum bifrost_unit unit, uint32_t bits) {
  struct clause clause = {.tuple_count = 1};
  uint64_t control = unit == UNIT_FMA ? 3 : 6; /* slot 2 is read, slot 3 writes the unit's result */
  uint64_t registers =
      0x80 | RESULT << 8 | (FIRST + 2) << 14 | (uint64_t)FIRST << 20 | (uint64_t)(FIRST + 1) << 25 | control << 31;
  clause.tuples[0] =
      (struct clause_tuple){registers, unit == UNIT_FMA ? bits : FMA_NOP, unit == UNIT_FMA ? ADD_NOP : bits};
  pack_clause(&clause, bench->code);
}

/* Returns an encoding of the operation whose sources are different, in a random order; 0: this one is reserved. */
static uint32_t random_encoding(struct bench *bench, const struct operation *row, struct instruction *in) {
  uint32_t bits =
      ((uint32_t)random_next(&bench->random) & (row->unit == UNIT_FMA ? 0x7fffff : 0xfffff) & ~row->mask) | row->bits;
  unsigned first = random_below(&bench->random, 4), step = random_below(&bench->random, 2) ? 1 : 3, i = 0;
  for (const char *source = row->sources; *source; source++, i++) {
    unsigned at = (unsigned)(*source - '0');
    bits = (bits & ~(7u << at)) | (uint32_t)selectors[(first + i * step) % 4] << at;
  }
  bits = (bits & ~row->mask) | row->bits; /* the selector of a source that is always zero is fixed */
  return instruction_decode(row->unit, bits, in) && in->operation == row ? bits : 0;
}

static struct reference_result whole_result(const struct reference_case *c) {
  struct reference_result result = {0};
  unsigned bits = type_bits(c->in->operation->type);
  for (unsigned part = 0; part < 32 / bits; part++) {
    int64_t value;
    assert_true(whole_operation(c, part, &value));
    result.bits |= ((uint32_t)value & (uint32_t)(((uint64_t)1 << bits) - 1)) << (part * bits);
  }
  return result;
}

static bool is_float_type(uint8_t type) {
  return type == SOURCE_F32 || type == SOURCE_H2;
}

static bool part_result(const struct reference_case *c, unsigned part, uint32_t *out, bool *is_float) {
  bool is_half = type_bits(c->in->operation->type) == 16;
  double value;
  *is_float = true;
  if (is_float_type(c->in->operation->type) && (float_operation(c, part, &value) || scale_operation(c, part, &value))) {
    uint8_t round = is_named(c->in, "FROUND") ? V_NONE : c->in->modifier[T_ROUND];
    *out = is_half ? half_rounded(value, round) : single_rounded(value, round);
    return true;
  }
  *is_float = c->in->operation->op_class == OP_CONVERT;
  return mixed_operation(c, part, out);
}

static struct reference_result float_result(const struct reference_case *c) {
  struct reference_result result = {0};
  unsigned bits = type_bits(c->in->operation->type);
  for (unsigned part = 0; part < 32 / bits; part++) {
    uint32_t value = 0;
    if (!part_result(c, part, &value, &result.is_float))
      fail_msg("%s has no reference", c->in->operation->name);
    result.bits |= (value & (uint32_t)(((uint64_t)1 << bits) - 1)) << (part * bits);
  }
  return result;
}

static uint32_t narrowed_pair(const struct reference_case *c) {
  uint32_t low = half_rounded(limited(number(c, 0, 0), c->in->modifier[T_CLAMP]), c->in->modifier[T_ROUND]);
  return low | half_rounded(limited(number(c, 1, 0), c->in->modifier[T_CLAMP]), c->in->modifier[T_ROUND]) << 16;
}

static struct reference_result expected(const struct reference_case *c) {
  struct reference_result result = {.is_float = true};
  long double value;
  if (word_operation(c, &result.bits)) {
    result.is_float = false;
    return result;
  }
  if (is_named(c->in, "V2F32_TO_V2F16"))
    result.bits = narrowed_pair(c);
  else if (special_operation(c, &value, &result.places))
    result.bits =
        strstr(c->in->operation->name, ".f16") ? half_rounded((double)value, V_NONE) : single_bits((float)value);
  else if (is_float_type(c->in->operation->type) || c->in->operation->op_class == OP_CONVERT)
    return float_result(c);
  else
    return whole_result(c);
  return result;
}

/* Returns whether two words are equal but for the bits of NaN, and for the last places of special functions. */
static bool agree(const struct reference_case *c, const struct reference_result *wanted, uint32_t got) {
  int64_t distance = (int64_t)(int32_t)got - (int32_t)wanted->bits;
  if (got == wanted->bits)
    return true;
  if (!wanted->is_float)
    return false;
  if (isnan(single_value(got)) && isnan(single_value(wanted->bits)) && c->in->operation->type != SOURCE_H2)
    return true;
  if (llabs(distance) <= (int64_t)wanted->places)
    return true;
  for (unsigned at = 0; at < 32; at += 16)
    if ((got >> at & 0xffff) != (wanted->bits >> at & 0xffff) &&
        !(isnan(half_number(got >> at)) && isnan(half_number(wanted->bits >> at))))
      return false;
  return c->in->operation->type != SOURCE_F32 || strstr(c->in->operation->name, "16");
}

static void check_lane(const struct reference_case *c, uint32_t got) {
  const struct reference_result wanted = expected(c);
  if (!agree(c, &wanted, got)) {
    print_error("modifiers:");
    for (unsigned i = 0; i < T_COUNT; i++)
      if (c->in->modifier[i] > V_NONE)
        print_error(" %s", bifrost_value_text(c->in->modifier[i]));
    fail_msg("%c%s of 0x%08x, 0x%08x, 0x%08x, 0x%08x gives 0x%08x, expected 0x%08x",
             c->in->operation->unit == UNIT_FMA ? '*' : '+', c->in->operation->name, c->source[0], c->source[1],
             c->source[2], c->source[3], got, wanted.bits);
  }
}

/* Runs the packed clause on random operands, and checks each lane. */
static void run_case(struct bench *bench, const struct bifrost_shader *shader, const struct instruction *in) {
  struct bifrost_runner *runner;
  struct lanes operands[4];
  uint8_t taken;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      operands[i].at[lane] = i == IN_SLOTS ? (uint32_t)bench->dispatch.fau[0] : random_operand(&bench->random);
  assert_int_equal(bifrost_runner_create(shader, &bench->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  memcpy(&runner->warps[0].values[FIRST], operands, IN_SLOTS * sizeof *operands);
  runner->warps[0].alive = runner->at.lanes = 0xff;
  assert_int_equal(clause_run(runner, &runner->warps[0], shader->clauses, &taken), 0);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    struct reference_case c = {.in = in};
    for (unsigned i = 0; i < in->source_count; i++)
      c.source[i] = in->source[i] == 3 ? 0 : operands[in->source[i] == 4 ? IN_SLOTS : in->source[i]].at[lane];
    check_lane(&c, runner->warps[0].values[RESULT].at[lane]);
  }
  bench->cases += WARP_LANES;
  bifrost_runner_destroy(runner);
}

/* Returns whether the encoding can be run: modifiers without a documented meaning cannot. */
static bool try_encoding(struct bench *bench, const struct operation *row) {
  struct bifrost_shader *shader;
  struct instruction in;
  struct error error = ERROR_INIT;
  uint32_t bits = random_encoding(bench, row, &in);
  bool runs;
  if (!bits)
    return false;
  pack(bench, row->unit, bits);
  bench->dispatch.fau[0] = random_operand(&bench->random);
  if (bifrost_shader_create(&bench->dispatch, &shader, &error))
    fail_msg("%s: %s", row->name, error.text);
  runs = shader->tuples[0].slots[row->unit].action == ACTION_ALU;
  for (unsigned i = 0; i < 4 && runs; i++)
    run_case(bench, shader, &in);
  bifrost_shader_destroy(shader);
  return runs;
}

static void every_operation_equals_its_reference(void **state) {
  struct bench bench = {.random = {6}};
  unsigned operations = 0, cannot_run = 0;
  (void)state;
  bench.region = (struct bifrost_region){CODE, PACKED_CLAUSE_BYTES, bench.code, true};
  bench.memory = (struct bifrost_memory){&bench.region, 1};
  bench.dispatch = (struct bifrost_dispatch){.memory = &bench.memory,
                                             .architecture = 7,
                                             .warp_lanes = 8,
                                             .groups = {1, 1, 1},
                                             .local = {8, 1, 1},
                                             .shader = CODE,
                                             .fau_count = 1};
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_ARITHMETIC)
      continue;
    bench.cases = 0;
    for (unsigned tries = 0; bench.cases < FUZZ_CASES && (bench.cases || tries < 1000); tries++)
      try_encoding(&bench, row);
    bench.cases ? operations++ : cannot_run++;
  }
  assert_true(operations > 180);
  assert_int_equal(cannot_run, 1); /* FADD.f32.rto: its rounding is not documented */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_equals_its_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
