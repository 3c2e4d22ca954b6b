/* Branches with random conditions, operands and active lanes go where a plain reference says, and no work-item of a
 * work-group passes a barrier before all of them have reached it: at least 10,000 cases of each row of the table. */
#include "expect_error.h"

#include <stdio.h>

#include "base/random.h"
#include "clause_packer.h"
#include "fuzzed_rows.h"
#include "reference_alu.h"
#include "tracegen/bifrost/exec/warp.h"

#define CODE          ((uint64_t)0x100000000)
#define MOST_CLAUSES  12
#define CODE_BYTES    (MOST_CLAUSES * PACKED_CLAUSE_BYTES)
#define FMA_NOP       0x701963
#define ADD_NOP       0x3d964
#define ADD_BARRIER   0xd7874
#define FIRST         1 /* the sources are registers 1 and 2 */
#define GLOBAL_ID     60
#define CONSTANT      0x40 /* FAU byte of a clause's first constant */
#define TO_CONSTANT   5    /* selector of its upper half */
#define READ_TWO      12   /* control of a first block that reads and does not write, and of the next ones */
#define READ_NEXT     11
#define CASES_EACH    80 /* of an encoding */
#define MOST_BARRIERS 3

/* A program: clauses of one tuple, of which some are branches of three. */
struct program {
  struct clause clauses[MOST_CLAUSES];
  unsigned quadword[MOST_CLAUSES + 1]; /* where each begins */
  unsigned count;
};

struct bench {
  uint8_t code[CODE_BYTES + PACKED_CLAUSE_BYTES];
  struct bifrost_region region;
  struct bifrost_memory memory;
  struct bifrost_dispatch dispatch;
  struct random_state random;
  struct program program;
};

static uint64_t block(bool is_first, uint8_t fau, unsigned read) {
  return fau | (uint64_t)read << 20 | (uint64_t)(read + 1) << 25 | (uint64_t)(is_first ? READ_TWO : READ_NEXT) << 31;
}

static void add_plain(struct program *p, uint32_t add, enum bifrost_flow flow) {
  struct clause *clause = &p->clauses[p->count++];
  *clause = (struct clause){.tuple_count = 1, .header = {.flow = flow}};
  clause->tuples[0] = (struct clause_tuple){block(true, 0, FIRST), FMA_NOP, add};
}

/* Adds a clause that branches `quadwords` on from its start; 0 quadwords: to address 0, where work-items end. */
static void add_branch(struct program *p, uint32_t branch, unsigned read, int quadwords, bool ends) {
  struct clause *clause = &p->clauses[p->count++];
  *clause = (struct clause){.tuple_count = 3, .constant_count = 1, .header = {.flow = FLOW_NEXT}};
  for (unsigned i = 0; i < 3; i++)
    clause->tuples[i] = (struct clause_tuple){block(i == 0, CONSTANT, read), FMA_NOP, i == 2 ? branch : ADD_NOP};
  clause->constants[0] = ends ? 0 : (uint64_t)((uint32_t)(quadwords * QUADWORD_BYTES) & 0xfffffff) << 32;
  clause->origins[0] = ends ? ORIGIN_NONE : ORIGIN_HIGH;
}

static void pack(struct bench *bench) {
  unsigned at = 0;
  memset(bench->code, 0, sizeof bench->code);
  for (unsigned i = 0; i < bench->program.count; i++) {
    bench->program.quadword[i] = at;
    at += pack_clause(&bench->program.clauses[i], bench->code + (size_t)at * QUADWORD_BYTES);
  }
}

static uint32_t random_operand(struct random_state *random) {
  static const uint32_t special[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000,
                                     0x7fc00000, 0x7f800000, 0xff800000, 0x3c003c00, 0x7e00fc00, 0x80000001};
  const uint32_t bits = (uint32_t)random_next(random);
  return random_below(random, 2) ? special[random_below(random, sizeof special / sizeof *special)] : bits;
}

/* Returns a random encoding of a row whose compared sources are registers and whose last source is the constant; 0:
 * these bits are reserved, or mean another row. */
static uint32_t random_encoding(struct bench *bench, const struct operation *row, struct instruction *in) {
  uint32_t bits = ((uint32_t)random_next(&bench->random) & 0xfffff & ~row->mask) | row->bits;
  for (const char *at = row->sources; *at; at++)
    bits = (bits & ~(7u << (*at - '0'))) | (at[1] ? random_below(&bench->random, 2) : TO_CONSTANT) << (*at - '0');
  bits = (bits & ~row->mask) | row->bits;
  return instruction_decode(UNIT_ADD, bits, in) && in->operation == row ? bits : 0;
}

/* Returns whether a lane with these registers branches. */
static bool branches(const struct instruction *in, const uint32_t *registers) {
  struct reference_case c = {.in = in};
  const bool is_float = in->operation->type == SOURCE_F32;
  if (in->source_count == 1)
    return true;
  for (unsigned i = 0; i + 1 < in->source_count; i++)
    c.source[i] = registers[in->source[i]];
  const double first = is_float ? number(&c, 0, 0) : (double)whole(&c, 0, 0);
  const double second = in->source_count < 3 ? 0 : is_float ? number(&c, 1, 0) : (double)whole(&c, 1, 0);
  return holds(first, second, in->modifier[T_CMPF]);
}

static void run_branch(struct bench *bench, const struct bifrost_shader *shader, const struct instruction *in) {
  struct bifrost_runner *runner;
  uint8_t taken, wanted = 0;
  assert_int_equal(bifrost_runner_create(shader, &bench->dispatch, NULL, &runner, NULL), 0);
  memset(runner->warps, 0, sizeof *runner->warps);
  runner->warps[0].alive = 0xff;
  runner->at.lanes = (uint8_t)(1 + random_below(&bench->random, 255));
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint32_t first = random_operand(&bench->random);
    const uint32_t registers[2] = {first, random_below(&bench->random, 3) ? random_operand(&bench->random) : first};
    for (unsigned i = 0; i < 2; i++)
      runner->warps[0].values[FIRST + i].at[lane] = registers[i];
    wanted |= (uint8_t)(branches(in, registers) << lane);
  }
  wanted &= runner->at.lanes;
  assert_int_equal(clause_run(runner, &runner->warps[0], &shader->clauses[1], &taken), 0);
  if (taken != wanted)
    fail_msg("%s.%s: lanes 0x%02x of 0x%02x branch, expected 0x%02x", in->operation->name,
             bifrost_value_text(in->modifier[T_CMPF]), taken, runner->at.lanes, wanted);
  bifrost_runner_destroy(runner);
}

/* Runs a random encoding between other clauses, of which one is its target. Returns how many cases that were. */
static unsigned try_branch(struct bench *bench, const struct operation *row) {
  static const int distance[] = {-1, 0, 3, 4}; /* quadwords from the branch's clause to clauses 0 to 3 */
  const unsigned target = random_below(&bench->random, 5);
  struct bifrost_shader *shader;
  struct instruction in;
  const uint32_t bits = random_encoding(bench, row, &in);
  unsigned cases = 0;
  if (!bits)
    return 0;
  bench->program.count = 0;
  add_plain(&bench->program, ADD_NOP, FLOW_NEXT);
  add_branch(&bench->program, bits, FIRST, target < 4 ? distance[target] : 0, target == 4);
  add_plain(&bench->program, ADD_NOP, FLOW_NEXT);
  add_plain(&bench->program, ADD_NOP, FLOW_END);
  pack(bench);
  assert_int_equal(bifrost_shader_create(&bench->dispatch, &shader, NULL), 0);
  assert_int_equal(shader->clauses[1].target, target < 4 ? target : END_CLAUSE);
  for (; cases < CASES_EACH; cases += WARP_LANES)
    run_branch(bench, shader, &in);
  bifrost_shader_destroy(shader);
  return cases;
}

static void every_branch_equals_its_reference(void **state) {
  static struct bench bench;
  unsigned rows = 0;
  (void)state;
  bench = (struct bench){.random = {21}};
  bench.region = (struct bifrost_region){CODE, CODE_BYTES, bench.code, true};
  bench.memory = (struct bifrost_memory){&bench.region, 1};
  bench.dispatch = (struct bifrost_dispatch){.memory = &bench.memory,
                                             .architecture = 7,
                                             .warp_lanes = 8,
                                             .groups = {1, 1, 1},
                                             .local = {8, 1, 1},
                                             .shader = CODE};
  for (const struct operation *row = bifrost_operations; row < bifrost_operations + bifrost_operation_count; row++) {
    if (fuzz_of(row) != FUZZ_BRANCHES)
      continue;
    for (unsigned cases = 0, tries = 0; cases < FUZZ_CASES; tries++) {
      cases += try_branch(&bench, row);
      if (tries > 100000)
        fail_msg("%s has no encoding", row->name);
    }
    rows++;
  }
  assert_int_equal(rows, 29);
}

/* The barriers that each warp of a work-group has reached. */
struct watch {
  unsigned reached[256], warps, crossings;
};

static void hear_barrier(void *context, const struct bifrost_position *at) {
  struct watch *watch = context;
  watch->reached[at->warp]++;
  watch->crossings += (unsigned)__builtin_popcount(at->lanes);
}

/* A warp that runs on behind its barrier number n: all warps have reached theirs. */
static void hear_clause(void *context, const struct bifrost_position *at) {
  const struct watch *watch = context;
  for (unsigned i = 0; i < watch->warps; i++)
    if (watch->reached[i] < watch->reached[at->warp])
      fail_msg("warp %u runs behind barrier %u, which warp %u has not reached", at->warp, watch->reached[at->warp], i);
}

/* Returns a branch that compares a lane's global id with zero, and so may part lanes. */
static uint32_t parting_branch(struct bench *bench) {
  struct instruction in;
  uint32_t bits = 0;
  while (!bits || strncmp(in.operation->name, "BRANCHZ.", 8) != 0) {
    const struct operation *row = &bifrost_operations[random_below(&bench->random, (uint32_t)bifrost_operation_count)];
    bits = row->unit == UNIT_ADD && fuzz_of(row) == FUZZ_BRANCHES ? random_encoding(bench, row, &in) : 0;
  }
  return bits;
}

/* A program with barriers, where lanes part between some of them. */
static unsigned choose_program(struct bench *bench) {
  const unsigned barriers = 1 + random_below(&bench->random, MOST_BARRIERS);
  bench->program.count = 0;
  for (unsigned i = 0; i < barriers; i++) {
    if (random_below(&bench->random, 2)) {
      add_branch(&bench->program, parting_branch(bench), GLOBAL_ID, 4, false);
      add_plain(&bench->program, ADD_NOP, FLOW_NEXT);
    }
    add_plain(&bench->program, ADD_BARRIER, FLOW_NEXT);
  }
  add_plain(&bench->program, ADD_NOP, FLOW_END);
  pack(bench);
  return barriers;
}

static unsigned try_barriers(struct bench *bench) {
  struct watch watch = {.crossings = 0};
  const struct bifrost_listener listener = {.context = &watch, .clause = hear_clause, .barrier = hear_barrier};
  const struct bifrost_run_options options = {&listener, 100};
  struct error error = ERROR_INIT;
  const unsigned barriers = choose_program(bench), items = 1 + random_below(&bench->random, 256);
  bench->dispatch.warp_lanes = random_below(&bench->random, 2) ? 4 : 8;
  bench->dispatch.local[0] = items;
  watch.warps = (items + bench->dispatch.warp_lanes - 1) / bench->dispatch.warp_lanes;
  if (bifrost_execute(&bench->dispatch, &options, &error))
    fail_msg("%s", error.text);
  assert_int_equal(watch.crossings, barriers * items);
  return watch.crossings;
}

static void every_barrier_waits_for_all(void **state) {
  static struct bench bench;
  (void)state;
  bench = (struct bench){.random = {22}};
  bench.region = (struct bifrost_region){CODE, CODE_BYTES, bench.code, true};
  bench.memory = (struct bifrost_memory){&bench.region, 1};
  bench.dispatch = (struct bifrost_dispatch){.memory = &bench.memory,
                                             .architecture = 7,
                                             .groups = {1, 1, 1},
                                             .local = {1, 1, 1},
                                             .shader = CODE,
                                             .preload = BIFROST_PRELOAD_GLOBAL_X};
  for (unsigned cases = 0; cases < FUZZ_CASES;)
    cases += try_barriers(&bench);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_branch_equals_its_reference),
                                     cmocka_unit_test(every_barrier_waits_for_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
