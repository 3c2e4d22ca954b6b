/* Shuffles of halves are moves where arithmetic on halves, conversions to floats and other such shuffles alone take
 * their results; the reference follows each result to its last users. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "graphics/tile/tile_code.h"

enum { MOST = 40, ROUNDS = 5000 };

struct made_code {
  struct trace_op ops[MOST];
  uint32_t operand_end[MOST], operands[2 * MOST];
  struct trace_code code;
};

/* Adds an operation on earlier ones; operands beyond `count` are left out. */
static uint32_t add(struct made_code *m, uint8_t op_class, uint8_t type, uint16_t width, unsigned count, uint32_t a,
                    uint32_t b) {
  const uint32_t i = m->code.op_count++, first = i > 0 ? m->operand_end[i - 1] : 0;
  m->ops[i] = (struct trace_op){.op_class = op_class, .type = type, .width = width};
  m->operands[first] = a;
  m->operands[first + 1] = b;
  m->operand_end[i] = first + count;
  m->code.ops = m->ops;
  m->code.operand_end = m->operand_end;
  m->code.operands = m->operands;
  return i;
}

static void drop(const struct made_code *m, struct trace_op *ops) {
  struct error error = ERROR_INIT;
  memcpy(ops, m->ops, sizeof m->ops);
  assert_int_equal(half_swizzles_drop(&m->code, ops, &error), 0);
}

static void elements_and_repeated_halves_are_operands(void **unused) {
  struct made_code m = {.code = {0}};
  struct trace_op ops[MOST];
  const uint32_t vector = add(&m, OP_LOAD, TYPE_F16, 4, 0, 0, 0);
  const uint32_t x = add(&m, OP_SHUFFLE, TYPE_F16, 1, 1, vector, 0), y = add(&m, OP_SHUFFLE, TYPE_F16, 1, 1, vector, 0);
  const uint32_t sum = add(&m, OP_FLOAT_ADD, TYPE_F16, 1, 2, x, y);
  const uint32_t first = add(&m, OP_SHUFFLE, TYPE_F16, 4, 1, sum, 0),
                 all = add(&m, OP_SHUFFLE, TYPE_F16, 4, 1, first, 0);
  add(&m, OP_FLOAT_MUL, TYPE_F16, 4, 2, vector, all);
  const uint32_t stored = add(&m, OP_SHUFFLE, TYPE_F16, 1, 1, vector, 0);
  add(&m, OP_STORE, TYPE_F16, 1, 1, stored, 0);
  const uint32_t joined = add(&m, OP_SHUFFLE, TYPE_F16, 2, 2, sum, sum);
  const uint32_t turned = add(&m, OP_SHUFFLE, TYPE_F16, 4, 1, vector, 0); /* halves of two registers in one */
  add(&m, OP_FLOAT_ADD, TYPE_F16, 2, 2, joined, turned);
  drop(&m, ops);
  for (uint32_t i = 0; i < m.code.op_count; i++)
    assert_int_equal(ops[i].op_class == OP_MOVE, i == x || i == y || i == first || i == all);
  (void)unused;
}

/* The reference. */

static uint32_t first_of(const struct made_code *m, uint32_t i) {
  return i > 0 ? m->operand_end[i - 1] : 0;
}

static bool is_one_half(const struct made_code *m, uint32_t i) {
  const bool shuffles = m->ops[i].op_class == OP_SHUFFLE && m->ops[i].type == TYPE_F16;
  const uint32_t first = first_of(m, i);
  return m->ops[i].width == 1 || (shuffles && m->operand_end[i] == first + 1 && is_one_half(m, m->operands[first]));
}

static bool is_swizzle(const struct made_code *m, uint32_t i) {
  const bool shuffles = m->ops[i].op_class == OP_SHUFFLE && m->ops[i].type == TYPE_F16;
  bool free = shuffles && is_one_half(m, i);
  for (uint32_t user = i + 1; free && user < m->code.op_count; user++)
    for (uint32_t k = first_of(m, user); free && k < m->operand_end[user]; k++)
      if (m->operands[k] == i) {
        const struct trace_op *op = &m->ops[user];
        const bool computes = op->op_class == OP_FLOAT_ADD || op->op_class == OP_FLOAT_MUL;
        free = (computes && op->type == TYPE_F16) || (op->op_class == OP_CONVERT && op->type == TYPE_F32) ||
               is_swizzle(m, user);
      }
  return free;
}

static void random_code_equals_the_reference(void **unused) {
  static const uint8_t classes[] = {OP_SHUFFLE,   OP_SHUFFLE, OP_SHUFFLE, OP_FLOAT_ADD,
                                    OP_FLOAT_MUL, OP_CONVERT, OP_MATH};
  static const uint8_t types[] = {TYPE_F16, TYPE_F16, TYPE_F16, TYPE_F32};
  unsigned found = 0;
  srand(11);
  for (int round = 0; round < ROUNDS; round++) {
    struct made_code m = {.code = {0}};
    struct trace_op ops[MOST];
    add(&m, OP_LOAD, TYPE_F16, 4, 0, 0, 0);
    while (m.code.op_count < 12) {
      const uint32_t count = m.code.op_count;
      add(&m, classes[rand() % 7], types[rand() % 4], (uint16_t)(rand() % 2 ? 1 : 4), 1 + (unsigned)rand() % 2,
          (uint32_t)rand() % count, (uint32_t)rand() % count);
    }
    drop(&m, ops);
    for (uint32_t i = 0; i < m.code.op_count; i++) {
      assert_int_equal(ops[i].op_class == OP_MOVE, is_swizzle(&m, i));
      found += ops[i].op_class == OP_MOVE;
    }
  }
  assert_true(found > ROUNDS);
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_and_repeated_halves_are_operands),
                                     cmocka_unit_test(random_code_equals_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
