/* Each factor of prices moves the operations of its kind alone; together they move all; a block's price follows; and a
 * recorded replay stands for no GPU with another factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <string.h>

#include "default_spec.h"
#include "model/isa/price.h"
#include "model/isa/price_factors.h"
#include "model/retime/retime_family.h"
#include "with_isa.h"

/* Calls `check` with each row whose key ends in "_price" and a GPU on which it is 3. */
static unsigned for_each_price(void (*check)(const char *key, const struct gpu_spec *spec, void *user), void *user) {
  unsigned count = 0;
  for (size_t i = 0; i < gpu_params.count; i++) {
    const char *key = gpu_params.list[i].key, *end = strstr(key, "_price");
    if (!end || strcmp(end, "_price") != 0)
      continue;
    struct gpu_spec spec = default_spec();
    assert_int_equal(params_set_number(&gpu_params.list[i], &spec, 3, NULL), 0);
    check(key, &spec, user);
    count++;
  }
  return count;
}

static void add_moved(const char *key, const struct gpu_spec *spec, void *user) {
  double factors[OP_CLASS_COUNT];
  unsigned *moved = user, own = 0;
  price_factors_of(spec, factors);
  for (int c = 0; c < OP_CLASS_COUNT; c++) {
    assert_true(factors[c] == 1 || factors[c] == 3);
    moved[c] += factors[c] == 3;
    own += factors[c] == 3;
  }
  if (own == 0)
    fail_msg("%s moves no class of operations", key);
}

static void test_each_class_has_one_factor(void **state) {
  (void)state;
  unsigned moved[OP_CLASS_COUNT] = {0};
  assert_int_equal(for_each_price(add_moved, moved), 7);
  for (int c = 0; c < OP_CLASS_COUNT; c++)
    assert_int_equal(moved[c], 1);
}

/* A block of an integer addition, a load and a branch: under one factor the total moves by what that operation
 * costs. */
static struct trace_op ops[] = {{.op_class = OP_INT_ADD, .type = TYPE_I32, .width = 1, .name = TRACE_NO_NAME},
                                {.op_class = OP_LOAD, .type = TYPE_F32, .width = 1, .bytes = 4, .name = TRACE_NO_NAME},
                                {.op_class = OP_BRANCH, .width = 1, .name = TRACE_NO_NAME}};
static uint32_t accesses[] = {1};
static struct trace_block block = {.op_count = 3, .mem_count = 1};
static struct trace_code code = {
    .ops = ops, .op_count = 3, .blocks = &block, .block_count = 1, .mem_ops = accesses, .mem_count = 1};

static uint64_t total_of(const struct gpu_spec *spec) {
  double factors[OP_CLASS_COUNT];
  struct price_list prices;
  struct error error = ERROR_INIT;
  price_factors_of(spec, factors);
  for (size_t i = 0; i < 3; i++)
    ops[i].first_use = TRACE_NO_OP;
  assert_int_equal(price_list_init(&prices, &code, isa, &(struct price_rules){.factors = factors}, &error), 0);
  const uint64_t total = prices.blocks[0].total;
  price_list_clear(&prices);
  return total;
}

static void test_a_block_costs_what_its_operations_do(void **state) {
  (void)state;
  struct gpu_spec spec = default_spec();
  const uint64_t one = total_of(&spec);
  spec.integer_price = 3;
  const uint64_t dear_integers = total_of(&spec);
  spec.memory_price = 0;
  const uint64_t free_loads = total_of(&spec);
  double slots;
  assert_int_equal(isa_op_slots(isa, &code, &ops[0], &slots, NULL, NULL), 0);
  assert_int_equal(dear_integers - one, (uint64_t)(2 * slots * PRICE_ONE));
  assert_int_equal(isa_op_slots(isa, &code, &ops[1], &slots, NULL, NULL), 0);
  assert_int_equal(dear_integers - free_loads, (uint64_t)(slots * PRICE_ONE));
}

static void expect_not_served(const char *key, const struct gpu_spec *spec, void *user) {
  (void)user;
  const struct gpu_spec recorded = default_spec();
  if (retime_serves(&recorded, spec))
    fail_msg("a recording is said to stand for another %s", key);
  assert_true(retime_serves(spec, spec));
}

static void test_recordings_have_one_price(void **state) {
  (void)state;
  for_each_price(expect_not_served, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_class_has_one_factor),
                                     cmocka_unit_test(test_a_block_costs_what_its_operations_do),
                                     cmocka_unit_test(test_recordings_have_one_price)};
  return cmocka_run_group_tests(tests, load_isa, free_isa);
}
