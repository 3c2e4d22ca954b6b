/* Divergence, reconvergence, loops, barriers and ends of warps, in small programs that are put together here. A
 * listener writes down which lanes run which clause. */
#include "expect_error.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "clause_packer.h"
#include "tracegen/bifrost/exec/execute.h"

#define CODE       ((uint64_t)0x100000000)
#define CODE_BYTES 512
#define FMA_NOP    0x701963
#define ADD_NOP    0x3d964
#define ADD_MOV    0x3d968 /* MOV.i32 of slot 0 */
#define BARRIER    0xd7874
#define CONSTANT   0x40 /* FAU byte of a clause's first constant */
#define UNIFORM    0x80
#define GLOBAL_ID  60 /* register */

/* Returns an encoding of an operation with these source selectors, whose modifier `target` is `value`; it takes
 * its sources whole. */
static uint32_t encoded(const char *name, const uint8_t *selectors, uint8_t target, uint8_t value) {
  struct random_state random = {8};
  for (unsigned tries = 0; tries < 1000000; tries++) {
    const struct operation *row = &bifrost_operations[random_below(&random, (uint32_t)bifrost_operation_count)];
    struct instruction in;
    uint32_t bits;
    if (strcmp(row->name, name) != 0)
      continue;
    bits = ((uint32_t)random_next(&random) & (row->unit == UNIT_FMA ? 0x7fffff : 0xfffff) & ~row->mask) | row->bits;
    for (unsigned i = 0; row->sources[i]; i++)
      bits = (bits & ~(7u << (row->sources[i] - '0'))) | (uint32_t)selectors[i] << (row->sources[i] - '0');
    if (instruction_decode(row->unit, bits, &in) && in.operation == row && in.modifier[target] == value &&
        in.modifier[T_PART0] <= V_NONE && in.modifier[T_PART1] <= V_NONE)
      return bits;
  }
  fail_msg("%s cannot be encoded", name);
  return 0;
}

/* A register block that reads `read`, and writes the last result of the ADD unit to `write` (0: it does not). */
static uint64_t block(bool first, uint8_t fau, unsigned read, unsigned write) {
  unsigned control = first ? (write ? 13 : 8) : write ? 5 : 11;
  return fau | (uint64_t)write << 8 | (uint64_t)write << 14 | (uint64_t)(read & 31) << 20 |
         (uint64_t)(control << 2 | read >> 5) << 25;
}

/* A clause of three tuples that jumps `quadwords` on from its start, when `branch` says so of register `read`. */
static struct clause branching(uint32_t branch, unsigned read, int quadwords) {
  struct clause clause = {.tuple_count = 3, .constant_count = 1, .header = {.flow = FLOW_NEXT}};
  for (unsigned i = 0; i < 3; i++)
    clause.tuples[i] = (struct clause_tuple){block(i == 0, CONSTANT, read, 0), FMA_NOP, i == 2 ? branch : ADD_NOP};
  clause.constants[0] = (uint64_t)((uint32_t)(quadwords * QUADWORD_BYTES) & 0xfffffff) << 32;
  clause.origins[0] = ORIGIN_HIGH;
  return clause;
}

static struct clause plain(uint32_t add, enum bifrost_flow flow) {
  struct clause clause = {.tuple_count = 1, .header = {.flow = flow}};
  clause.tuples[0] = (struct clause_tuple){block(true, 0, GLOBAL_ID, 0), FMA_NOP, add};
  return clause;
}

/* The events as text: "0:ff 1:fe ..." (clause and lanes), "w" and a number where a warp begins, "!" at a barrier. */
struct story {
  char text[1000];
  uint32_t warp;
};

static void append(struct story *story, const char *format, unsigned a, unsigned b) {
  size_t length = strlen(story->text);
  snprintf(story->text + length, sizeof story->text - length, format, a, b);
}

static void hear_clause(void *context, const struct bifrost_position *at) {
  struct story *story = context;
  if (at->warp != story->warp)
    append(story, "w%u ", at->warp, 0);
  story->warp = at->warp;
  append(story, "%u:%02x ", at->clause, at->lanes);
}

static void hear_branch(void *context, const struct bifrost_position *at, uint8_t taken) {
  (void)at;
  append(context, ">%02x ", taken, 0);
}

static void hear_barrier(void *context, const struct bifrost_position *at) {
  (void)at;
  append(context, "! ", 0, 0);
}

/* Runs a program by `items` work-items, and returns what was heard. An error's text goes into it, too. The job of a
 * program of no clause names address 0, as the driver's do. */
static struct story run(const struct clause *clauses, unsigned count, uint32_t lanes, uint32_t items) {
  uint8_t code[CODE_BYTES + PACKED_CLAUSE_BYTES] = {0};
  struct bifrost_region region = {CODE, CODE_BYTES, code, true};
  const struct bifrost_memory memory = {&region, 1};
  const struct bifrost_dispatch dispatch = {.memory = &memory,
                                            .architecture = 7,
                                            .warp_lanes = lanes,
                                            .groups = {1, 1, 1},
                                            .local = {items, 1, 1},
                                            .shader = count ? CODE : 0,
                                            .preload = BIFROST_PRELOAD_GLOBAL_X,
                                            .fau_count = 1,
                                            .fau = {1}};
  struct story story = {.warp = 0};
  const struct bifrost_listener listener = {
      .context = &story, .clause = hear_clause, .branch = hear_branch, .barrier = hear_barrier};
  const struct bifrost_run_options options = {&listener, 30};
  struct error error = ERROR_INIT;
  size_t at = 0;
  for (unsigned i = 0; i < count; i++)
    at += pack_clause(&clauses[i], code + at) * QUADWORD_BYTES;
  if (bifrost_execute(&dispatch, &options, &error))
    snprintf(story.text, sizeof story.text, "%.900s", error.text);
  return story;
}

enum { SOURCE_FIRST = 0, FAU_LOW_HALF = 4, FAU_HIGH_HALF = 5 };
static const uint8_t to_constant[] = {SOURCE_FIRST, FAU_HIGH_HALF, 0}, from_constant[] = {FAU_HIGH_HALF, 0, 0};

static void lanes_that_jump_wait_for_the_others(void **state) {
  const uint32_t if_zero = encoded("BRANCHZ.i32", to_constant, T_CMPF, V_EQ);
  const struct clause program[] = {branching(if_zero, GLOBAL_ID, 4), plain(ADD_NOP, FLOW_NEXT),
                                   plain(ADD_NOP, FLOW_END)};
  (void)state;
  assert_string_equal(run(program, 3, 8, 8).text, "0:ff >01 1:fe 2:ff ");
  assert_string_equal(run(program, 3, 4, 6).text, "0:0f >01 1:0e 2:0f w1 0:03 >00 1:03 2:03 ");
}

/* r0 = id; do r0 -= 1; while (r0 > 0) */
static void loops_last_until_the_last_lane_leaves(void **state) {
  const uint8_t decrement[] = {SOURCE_FIRST, FAU_LOW_HALF};
  struct clause program[] = {plain(ADD_MOV, FLOW_NEXT),
                             branching(encoded("BRANCHZ.s32", to_constant, T_CMPF, V_GT), 1, 0),
                             plain(ADD_NOP, FLOW_END)};
  (void)state;
  program[0].tuples[0].registers = block(true, 0, GLOBAL_ID, 1);
  program[1].tuples[0].add = encoded("ISUB.s32", decrement, T_SATURATE, V_NONE);
  program[1].tuples[0].registers = block(true, UNIFORM, 1, 0);
  program[1].tuples[1].registers = block(false, CONSTANT, 1, 1);
  assert_string_equal(run(program, 3, 8, 4).text, "0:0f 1:0f >0c 1:0c >08 1:08 >00 2:0f ");
}

static void a_branch_to_nothing_ends_its_lanes(void **state) {
  const uint8_t to_zero[] = {SOURCE_FIRST, FAU_HIGH_HALF};
  struct clause program[] = {plain(encoded("BRANCHZ.i32", to_zero, T_CMPF, V_EQ), FLOW_NEXT), plain(ADD_NOP, FLOW_END)};
  (void)state;
  assert_string_equal(run(program, 2, 4, 4).text, "0:0f >01 1:0e ");
}

static void warps_meet_at_barriers(void **state) {
  struct clause program[] = {plain(BARRIER, FLOW_NEXT), plain(ADD_NOP, FLOW_END)};
  (void)state;
  assert_string_equal(run(program, 2, 4, 7).text, "0:0f ! w1 0:07 ! w0 1:0f w1 1:07 ");
}

static void a_kernel_without_operations_ends(void **state) {
  (void)state;
  assert_string_equal(run(NULL, 0, 4, 7).text, "0:0f w1 0:07 ");
}

static void mistakes_are_named(void **state) {
  const uint32_t if_zero = encoded("BRANCHZ.i32", to_constant, T_CMPF, V_EQ),
                 always = encoded("JUMP", from_constant, T_CMPF, V_NO_VALUE);
  const struct clause parted[] = {branching(if_zero, GLOBAL_ID, 4), plain(BARRIER, FLOW_NEXT),
                                  plain(ADD_NOP, FLOW_END)};
  const struct clause endless[] = {branching(always, GLOBAL_ID, 0), plain(ADD_NOP, FLOW_END)};
  const struct clause astray[] = {branching(always, GLOBAL_ID, 2), plain(ADD_NOP, FLOW_END)};
  const struct clause open[] = {plain(ADD_NOP, FLOW_NEXT)};
  (void)state;
  assert_string_equal(run(parted, 3, 4, 4).text, "clause_3, work-item (1, 0, 0) of work-group (0, 0, 0): not all "
                                                 "work-items of the warp reach the barrier together");
  assert_string_equal(run(endless, 2, 4, 4).text,
                      "clause_0, work-item (0, 0, 0) of work-group (0, 0, 0): the warp ran 30 clauses without end");
  assert_string_equal(run(astray, 2, 4, 4).text,
                      "clause_0 branches to GPU address 0x100000020, where no clause begins");
  assert_string_equal(run(open, 1, 4, 4).text,
                      "the end, work-item (0, 0, 0) of work-group (0, 0, 0): the program runs past its last clause");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_that_jump_wait_for_the_others), cmocka_unit_test(loops_last_until_the_last_lane_leaves),
      cmocka_unit_test(a_branch_to_nothing_ends_its_lanes),  cmocka_unit_test(warps_meet_at_barriers),
      cmocka_unit_test(a_kernel_without_operations_ends),    cmocka_unit_test(mistakes_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
