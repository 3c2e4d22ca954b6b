/* Operations packed into bundles and clauses cost what a grain-by-grain packing says, run by run, on random code,
 * random bundles and random prices; bundles, clauses and the shares of operations add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_trace.h"
#include "reference_bundles.h"
#include "rounds.h"

#define CASES 3000

static struct bundle_rule random_rule(struct random_state *r) {
  static const uint32_t most[] = {1, 2, 3, 8, BUNDLE_MOST};
  struct bundle_rule rule = {.pipe_count = 1 + random_below(r, 4),
                             .most = most[random_below(r, 5)],
                             .slots = random_below(r, 3) ? 1024 * random_below(r, 5) : random_below(r, 5000)};
  for (uint32_t p = 0; p < rule.pipe_count; p++)
    rule.slots_of[p] = 1 + random_below(r, 3);
  for (int i = 0; i < ISA_PIPE_COUNT; i++)
    rule.pipe_of[i] = (uint8_t)random_below(r, rule.pipe_count);
  rule.pipe_of[ISA_PIPE_ANY] = BUNDLE_NO_PIPE;
  return rule;
}

/* None, whole, or in halves; now and then more than a clause takes. */
static uint64_t random_slots(struct random_state *r) {
  switch (random_below(r, 8)) {
  case 0:
    return 0;
  case 1:
    return 512 * random_below(r, 8);
  case 2:
    return 1024 * random_below(r, 100);
  default:
    return 1024 * (1 + random_below(r, 2));
  }
}

struct packing {
  struct trace_code *code;
  struct bundle_rule rule;
  uint8_t *pipes;
  bool *used;
  uint64_t *slots, *priced, *paid;
  struct bundle_count *got, *want;
};

static void packing_make(struct packing *p, struct trace_code *code, struct random_state *r) {
  p->code = code;
  p->rule = random_rule(r);
  p->pipes = calloc(code->op_count, sizeof *p->pipes);
  p->used = calloc(code->op_count, sizeof *p->used);
  p->slots = calloc(code->op_count, sizeof *p->slots);
  p->priced = calloc(code->op_count, sizeof *p->priced);
  p->paid = calloc(code->op_count, sizeof *p->paid);
  p->got = calloc(code->block_count, sizeof *p->got);
  p->want = calloc(code->block_count, sizeof *p->want);
  for (uint32_t i = 0; i < code->op_count; i++) {
    p->pipes[i] = (uint8_t)random_below(r, ISA_PIPE_COUNT);
    p->used[i] = random_below(r, 10) == 0;
    p->slots[i] = p->priced[i] = random_slots(r);
  }
}

static void packing_clear(struct packing *p) {
  free(p->pipes);
  free(p->used);
  free(p->slots);
  free(p->priced);
  free(p->paid);
  free(p->got);
  free(p->want);
}

static bool ends_run(const struct trace_op *op) {
  return op->op_class == OP_LOAD || op->op_class == OP_STORE || op->op_class == OP_ATOMIC || op->op_class == OP_BARRIER;
}

static void check_block(const struct packing *p, uint32_t b) {
  uint32_t first = p->code->blocks[b].first_op, end = first + p->code->blocks[b].op_count;
  uint64_t got = 0, want = 0, all = 0;
  for (uint32_t i = first; i < end; i++) {
    got += p->priced[i];
    want += p->paid[i];
    all += p->priced[i];
    assert_true(p->slots[i] > 0 || p->priced[i] == 0);
    if (!ends_run(&p->code->ops[i]) && i + 1 < end && !p->used[i + 1])
      continue;
    assert_int_equal(got, want);
    got = want = 0;
  }
  assert_int_equal(p->got[b].bundles, p->want[b].bundles);
  assert_int_equal(p->got[b].clauses, p->want[b].clauses);
  assert_int_equal(all, p->got[b].bundles * p->rule.slots);
}

static void check_case(uint32_t seed) {
  struct random_state r = {seed};
  struct random_trace_options options = {.seed = seed, .groups = 1, .max_local = 1};
  struct raw_execution *execution = random_execution(&options);
  struct packing p;
  packing_make(&p, &execution->code, &r);
  assert_int_equal(bundle_price(&p.rule, p.code, p.pipes, p.used, p.priced, p.got, NULL), 0);
  reference_bundles(&p.rule, p.code, p.pipes, p.used, p.slots, p.paid, p.want);
  for (uint32_t b = 0; b < p.code->block_count; b++)
    check_block(&p, b);
  packing_clear(&p);
  raw_execution_destroy(execution);
}

static void test_equals_grains(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed <= rounds(CASES); seed++)
    check_case(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_equals_grains)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
