/* Operations that read other lanes, that the two units of a tuple share, and that do nothing: with random operands,
 * modifiers and active lanes they leave in all registers what a plain reference does, at least 10,000 cases of each row
 * of the table. And the executor refuses every row that no test runs. */
#include "expect_error.h"

#include <stdio.h>

#include "base/random.h"
#include "clause_packer.h"
#include "fuzzed_rows.h"
#include "reference_alu.h"
#include "tracegen/bifrost/exec/warp.h"

#define CODE       ((uint64_t)0x100000000)
#define FIRST      1 /* the sources are three registers and a uniform's halves */
#define READ       3
#define RESULT     8 /* the registers that the FMA and the ADD unit write */
#define SELECTORS  5
#define ROUNDS     5  /* of an encoding */
#define READ_ALONE 12 /* control of a first block: slot 2 is read */
#define WRITE_FMA  1  /* controls of the next block: slot 3 writes, with equal slots */
#define WRITE_ADD  5
#define WRITE_NONE 11
#define WRITE_BOTH 15 /* slot 2 writes the FMA unit's result, slot 3 the ADD unit's */
#define HAS_FMA(c) (strcmp((c)->in[UNIT_FMA].operation->name, "NOP") != 0)
#define HAS_ADD(c) (strcmp((c)->in[UNIT_ADD].operation->name, "NOP") != 0)

/* A tuple, the values of its sources by selector, and what its units give in each lane. */
struct tuple_case {
  struct instruction in[2]; /* by enum bifrost_unit */
  uint32_t bits[2];
  struct lanes sources[SELECTORS];
  uint8_t active;
  uint32_t wanted[2][WARP_LANES];
};

struct bench {
  uint8_t code[PACKED_CLAUSE_BYTES];
  struct bifrost_region region;
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
};

static const uint8_t selectors[SELECTORS] = {0, 1, 2, 4, 5};

static uint32_t source(const struct tuple_case *c, enum bifrost_unit unit, unsigned i, unsigned lane) {
  const unsigned selector = c->in[unit].source[i];
  return c->sources[selector < 3 ? selector : selector - 1].at[lane];
}

/* Source i as a whole number, of which a modifier may take a part. */
static uint64_t taken(const struct tuple_case *c, enum bifrost_unit unit, unsigned i, unsigned lane) {
  struct reference_case one = {.in = &c->in[unit]};
  one.source[i] = source(c, unit, i, lane);
  return (uint64_t)whole(&one, i, 0);
}

/* Returns the number of lanes of a group. */
static unsigned group_lanes(const struct tuple_case *c) {
  const char *name = bifrost_value_text(c->in[UNIT_ADD].modifier[T_SUBGROUP]);
  const unsigned lanes = *name ? (unsigned)strtoul(name + strlen("subgroup"), NULL, 10) : 4;
  return lanes < WARP_LANES ? lanes : WARP_LANES;
}

/* Returns the value that a lane reads from an inactive lane. */
static uint32_t inactive_value(uint8_t result) {
  static const struct {
    uint8_t name;
    uint32_t value;
  } values[] = {{V_UMAX, 0xffffffff},   {V_I1, 1},
                {V_V2I1, 0x00010001},   {V_SMIN, 0x80000000},
                {V_SMAX, 0x7fffffff},   {V_V2SMIN, 0x80008000},
                {V_V2SMAX, 0x7fff7fff}, {V_V4SMIN, 0x80808080},
                {V_V4SMAX, 0x7f7f7f7f}, {V_F1, 0x3f800000},
                {V_V2F1, 0x3c003c00},   {V_INFN, 0xff800000},
                {V_INF, 0x7f800000},    {V_V2INFN, 0xfc00fc00},
                {V_V2INF, 0x7c007c00}};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
    if (values[i].name == result)
      return values[i].value;
  return 0;
}

static void permute(struct tuple_case *c, unsigned lane) {
  const unsigned lanes = group_lanes(c), first = lane / lanes * lanes, named = source(c, UNIT_ADD, 1, lane) % lanes;
  const bool flips = c->in[UNIT_ADD].modifier[T_LANE_OP] == V_XOR;
  const unsigned from = first + (flips ? (lane - first) ^ named : named);
  c->wanted[UNIT_ADD][lane] = c->active >> from & 1 ? source(c, UNIT_ADD, 0, from)
                                                    : inactive_value(c->in[UNIT_ADD].modifier[T_INACTIVE_RESULT]);
}

static void mask(struct tuple_case *c, unsigned lane) {
  const unsigned lanes = group_lanes(c), first = lane / lanes * lanes;
  for (unsigned i = 0; i < lanes; i++) {
    const bool runs = c->active >> (first + i) & 1, is_set = source(c, UNIT_ADD, 0, first + i) != 0;
    c->wanted[UNIT_ADD][lane] |= (runs ? is_set : c->in[UNIT_ADD].number[NUMBER_FILL]) << i;
  }
}

static void add_shifted(struct tuple_case *c, unsigned lane) {
  const unsigned shift = c->in[UNIT_FMA].number[NUMBER_SHIFT];
  const uint64_t sum = (source(c, UNIT_FMA, 0, lane) | (uint64_t)source(c, UNIT_ADD, 0, lane) << 32) +
                       (taken(c, UNIT_FMA, 1, lane) << shift) + ((uint64_t)source(c, UNIT_ADD, 1, lane) << 32 << shift);
  c->wanted[UNIT_FMA][lane] = (uint32_t)sum;
  c->wanted[UNIT_ADD][lane] = (uint32_t)(sum >> 32);
}

static void add_segment(struct tuple_case *c, unsigned lane) {
  const struct instruction *in = &c->in[UNIT_FMA];
  const uint64_t offset = source(c, UNIT_FMA, 0, lane);
  const bool stays = in->modifier[T_PRESERVE_NULL] == V_PRESERVE_NULL && !offset;
  const uint64_t base = stays ? 0 : in->modifier[T_SEG] == V_TL ? PRIVATE_WINDOW : LOCAL_WINDOW;
  const uint64_t sum = base + offset + ((uint64_t)source(c, UNIT_ADD, 0, lane) << 32);
  c->wanted[UNIT_FMA][lane] = (uint32_t)sum;
  c->wanted[UNIT_ADD][lane] = (uint32_t)(sum >> 32);
}

static void combine(struct tuple_case *c, unsigned lane) {
  const char *opcode = bifrost_value_text(c->in[UNIT_FMA].modifier[T_ATOM_OPC]);
  const uint32_t a = source(c, UNIT_FMA, 0, lane), b = source(c, UNIT_FMA, 1, lane);
  const bool takes_first =
      opcode[1] == 's' ? ((int32_t)a < (int32_t)b) == (opcode[3] == 'i') : (a < b) == (opcode[3] == 'i');
  c->wanted[UNIT_FMA][lane] = strcmp(opcode, "aadd") == 0   ? a + b
                              : strcmp(opcode, "aand") == 0 ? a & b
                              : strcmp(opcode, "aor") == 0  ? a | b
                              : strcmp(opcode, "axor") == 0 ? a ^ b
                              : takes_first                 ? a
                                                            : b;
}

static void do_nothing(struct tuple_case *c, unsigned lane) {
  (void)c, (void)lane;
}

/* The two instructions of a tuple, by the beginnings of their names. */
struct rule {
  const char *names[2];
  void (*reference)(struct tuple_case *c, unsigned lane);
};

static const struct rule rules[] = {{{"NOP", "CLPER"}, permute},           {{"NOP", "WMASK"}, mask},
                                    {{"SHADDXL", "SHADDXH"}, add_shifted}, {{"SEG_ADD", "SEG_ADD"}, add_segment},
                                    {{"ATOM_POST.i32", "NOP"}, combine},   {{"NOP", "NOP"}, do_nothing}};

static bool begins(const struct operation *row, const char *name) {
  return strncmp(row->name, name, strlen(name)) == 0;
}

static const struct rule *rule_of(const struct operation *row) {
  size_t i = sizeof rules / sizeof *rules;
  while (i-- > 0)
    if (begins(row, rules[i].names[row->unit]))
      return &rules[i];
  fail_msg("%s has no reference", row->name);
  return NULL;
}

/* Returns a row of the unit whose name begins so. */
static const struct operation *partner(struct bench *bench, enum bifrost_unit unit, const char *name) {
  const struct operation *row;
  do
    row = &bifrost_operations[random_below(&bench->random, (uint32_t)bifrost_operation_count)];
  while (row->unit != unit || !begins(row, name));
  return row;
}

/* Sets a random instruction of a row. Returns false where the bits are reserved. */
static bool choose(struct bench *bench, struct tuple_case *c, const struct operation *row) {
  uint32_t bits = (uint32_t)random_next(&bench->random) & (row->unit == UNIT_FMA ? 0x7fffff : 0xfffff);
  for (const char *at = row->sources; *at; at++)
    bits = (bits & ~(7u << (*at - '0'))) | (uint32_t)selectors[random_below(&bench->random, SELECTORS)] << (*at - '0');
  c->bits[row->unit] = (bits & ~row->mask) | row->bits;
  return instruction_decode((enum bifrost_unit)row->unit, c->bits[row->unit], &c->in[row->unit]) &&
         c->in[row->unit].operation == row;
}

/* Both halves of an address name the same segment. */
static bool fit(const struct tuple_case *c) {
  const uint8_t *fma = c->in[UNIT_FMA].modifier, *add = c->in[UNIT_ADD].modifier;
  return !HAS_FMA(c) || !HAS_ADD(c) || (fma[T_SEG] == add[T_SEG] && fma[T_PRESERVE_NULL] == add[T_PRESERVE_NULL]);
}

static void pack(struct bench *bench, const struct tuple_case *c) {
  const unsigned control = HAS_FMA(c) ? (HAS_ADD(c) ? WRITE_BOTH : WRITE_FMA) : HAS_ADD(c) ? WRITE_ADD : WRITE_NONE;
  const unsigned last = RESULT + (control != WRITE_FMA), first = control == WRITE_BOTH ? RESULT : last;
  struct clause clause = {.tuple_count = 2};
  clause.tuples[0] = (struct clause_tuple){0x80 | (FIRST + 2) << 14 | (uint64_t)FIRST << 20 |
                                               (uint64_t)(FIRST + 1) << 25 | (uint64_t)READ_ALONE << 31,
                                           c->bits[UNIT_FMA], c->bits[UNIT_ADD]};
  clause.tuples[1] = (struct clause_tuple){
      (uint64_t)last << 8 | (uint64_t)first << 14 | (uint64_t)1 << 25 | (uint64_t)control << 31, 0x701963, 0x3d964};
  pack_clause(&clause, bench->code);
}

static uint32_t random_word(struct random_state *random) {
  const uint32_t bits = (uint32_t)random_next(random);
  switch (random_below(random, 4)) {
  case 0:
    return 0;
  case 1:
    return bits % 16;
  case 2:
    return UINT32_MAX - bits % 4;
  default:
    return bits;
  }
}

static void choose_values(struct bench *bench, struct tuple_case *c) {
  c->active = (uint8_t)(1 + random_below(&bench->random, 255));
  for (unsigned i = 0; i < SELECTORS; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      c->sources[i].at[lane] =
          i < READ ? random_word(&bench->random) : (uint32_t)(bench->dispatch.fau[0] >> (i == READ ? 0 : 32));
}

static void check(const struct tuple_case *c, const struct warp *before, const struct warp *after) {
  struct warp wanted = *before;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    for (unsigned unit = 0; unit < 2; unit++)
      if (c->active >> lane & 1 && (unit == UNIT_FMA ? HAS_FMA(c) : HAS_ADD(c)))
        wanted.values[RESULT + unit].at[lane] = c->wanted[unit][lane];
  for (unsigned i = 0; i < VALUE_TEMPORARIES; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      if (after->values[i].at[lane] != wanted.values[i].at[lane])
        fail_msg("*%s +%s, lanes 0x%02x: register %u of lane %u is 0x%08x, expected 0x%08x",
                 c->in[UNIT_FMA].operation->name, c->in[UNIT_ADD].operation->name, c->active, i, lane,
                 after->values[i].at[lane], wanted.values[i].at[lane]);
}

static void run_case(struct bench *bench, const struct bifrost_shader *shader, struct tuple_case *c,
                     const struct rule *rule) {
  struct bifrost_runner *runner;
  struct warp before = {.alive = 0xff};
  uint8_t taken_lanes;
  choose_values(bench, c);
  memset(c->wanted, 0, sizeof c->wanted);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    rule->reference(c, lane);
  assert_int_equal(bifrost_runner_create(shader, &bench->dispatch, NULL, &runner, NULL), 0);
  for (unsigned i = 0; i < VALUE_TEMPORARIES; i++)
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      before.values[i].at[lane] = (uint32_t)random_next(&bench->random);
  memcpy(&before.values[FIRST], c->sources, READ * sizeof *c->sources);
  runner->warps[0] = before;
  runner->at.lanes = c->active;
  assert_int_equal(clause_run(runner, &runner->warps[0], shader->clauses, &taken_lanes), 0);
  check(c, &before, &runner->warps[0]);
  bifrost_runner_destroy(runner);
}

static bool is_refused(const struct bifrost_shader *shader, enum bifrost_unit unit) {
  return shader->tuples[0].slots[unit].action == ACTION_UNSUPPORTED;
}

/* Runs a random tuple of a row some times. Returns how many cases that were. */
static unsigned try_row(struct bench *bench, const struct operation *row) {
  const struct rule *rule = rule_of(row);
  const enum bifrost_unit other = row->unit == UNIT_FMA ? UNIT_ADD : UNIT_FMA;
  struct bifrost_shader *shader;
  struct tuple_case c = {.active = 0};
  unsigned cases = 0;
  if (!choose(bench, &c, row) || !choose(bench, &c, partner(bench, other, rule->names[other])) || !fit(&c))
    return 0;
  pack(bench, &c);
  bench->dispatch.fau[0] = random_word(&bench->random) | (uint64_t)random_word(&bench->random) << 32;
  assert_int_equal(bifrost_shader_create(&bench->dispatch, &shader, NULL), 0);
  if (!is_refused(shader, UNIT_FMA) && !is_refused(shader, UNIT_ADD))
    for (; cases < ROUNDS * WARP_LANES; cases += WARP_LANES)
      run_case(bench, shader, &c, rule);
  bifrost_shader_destroy(shader);
  return cases;
}

static struct bench *new_bench(void) {
  static struct bench bench;
  bench = (struct bench){.random = {20}};
  bench.region = (struct bifrost_region){CODE, PACKED_CLAUSE_BYTES, bench.code, true};
  bench.memory = (struct bifrost_memory){&bench.region, 1};
  bench.dispatch = (struct bifrost_dispatch){.memory = &bench.memory,
                                             .architecture = 7,
                                             .warp_lanes = 8,
                                             .groups = {1, 1, 1},
                                             .local = {8, 1, 1},
                                             .shader = CODE,
                                             .fau_count = 1};
  return &bench;
}

static void every_row_equals_its_reference(void **state) {
  struct bench *bench = new_bench();
  unsigned rows = 0;
  (void)state;
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_WARPS)
      continue;
    for (unsigned cases = 0; cases < FUZZ_CASES;)
      cases += try_row(bench, row);
    rows++;
  }
  assert_int_equal(rows, 9); /* CLPER_OLD, CLPER, WMASK, SEG_ADD and NOP of both units, SHADDXH, ATOM_POST */
}

/* Rows that no test runs are those that the executor refuses, whatever their other bits are. */
static void no_other_row_runs(void **state) {
  struct bench *bench = new_bench();
  unsigned rows = 0;
  (void)state;
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    struct tuple_case c = {.active = 0};
    const enum bifrost_unit other = row->unit == UNIT_FMA ? UNIT_ADD : UNIT_FMA;
    struct bifrost_shader *shader;
    if (fuzz_of(row) != FUZZ_NONE)
      continue;
    rows++;
    for (unsigned tries = 0; tries < 100; tries++) {
      if (!choose(bench, &c, row) || !choose(bench, &c, partner(bench, other, "NOP")))
        continue;
      pack(bench, &c);
      assert_int_equal(bifrost_shader_create(&bench->dispatch, &shader, NULL), 0);
      if (!is_refused(shader, (enum bifrost_unit)row->unit))
        fail_msg("%s runs, and no test runs it on random operands (fuzzed_rows.h)", row->name);
      bifrost_shader_destroy(shader);
    }
  }
  assert_true(rows > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_equals_its_reference),
                                     cmocka_unit_test(no_other_row_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
