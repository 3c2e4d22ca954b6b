/* Each shipped profile prices every class, type, space and width, each by a rule with a source; prices scale with
 * width; an operation without a rule is an error that names it; the first match wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "model/isa/isa.h"

static char sqrt_name[] = "sqrt", exp_name[] = "native_exp", other_name[] = "some_function",
            id_name[] = "get_global_id";
static char *names[] = {sqrt_name, exp_name, other_name, id_name};
static struct trace_code code = {.names = names, .name_count = 4};

static double slots_of(const struct isa_profile *isa, struct trace_op op) {
  struct error error = ERROR_INIT;
  double slots = -1;
  unsigned rule = ~0u;
  if (isa_op_slots(isa, &code, &op, &slots, &rule, &error))
    print_message("%s\n", error.text);
  assert_int_equal(error.kind, ERROR_NONE);
  assert_true(slots >= 0);
  assert_true(strlen(isa_rule_source(isa, rule)) > 0);
  return slots;
}

static struct isa_profile *load(const char *name) {
  struct isa_profile *isa;
  struct error error = ERROR_INIT;
  int status = isa_load(name, &isa, &error);
  if (status)
    error_print(&error, stderr);
  assert_int_equal(status, 0);
  return isa;
}

/* Moves cost nothing, and neither do shuffles: of all types on Midgard, whose operations swizzle their operands, and of
 * types that fill registers elsewhere. Every operation of machine code is a slot. */
static bool is_free(const struct isa_profile *isa, int op_class, int type) {
  if (strcmp(isa_name(isa), "bifrost-machine") == 0)
    return false;
  const bool is_packed = type == TYPE_I8 || type == TYPE_I16 || type == TYPE_F16;
  return op_class == OP_MOVE || (op_class == OP_SHUFFLE && (!is_packed || strcmp(isa_name(isa), "midgard") == 0));
}

static void check_class(const struct isa_profile *isa, int op_class, int type, int space) {
  for (uint16_t width = 1; width <= 16; width++)
    for (uint32_t name = 0; name < 5; name++) {
      struct trace_op op = {.op_class = (uint8_t)op_class,
                            .type = (uint8_t)type,
                            .space = (uint8_t)space,
                            .width = width,
                            .name = name < 4 ? name : TRACE_NO_NAME};
      assert_true((slots_of(isa, op) > 0) == !is_free(isa, op_class, type));
    }
}

static void test_shipped_profiles_are_complete(void **state) {
  (void)state;
  char **profiles;
  size_t count;
  struct error error = ERROR_INIT;
  assert_int_equal(data_list(DATA_ISA, &profiles, &count, &error), 0);
  assert_true(count >= 3);
  for (size_t i = 0; i < count; i++) {
    struct isa_profile *isa = load(profiles[i]);
    assert_string_equal(isa_name(isa), profiles[i]);
    for (int c = 0; c < OP_CLASS_COUNT; c++)
      for (int t = 0; t < TYPE_COUNT; t++)
        for (int s = 0; s < SPACE_COUNT; s++)
          check_class(isa, c, t, s);
    isa_destroy(isa);
  }
  data_list_free(profiles, count);
}

static struct trace_op op_of(int op_class, int type, uint16_t width) {
  return (struct trace_op){.op_class = (uint8_t)op_class, .type = (uint8_t)type, .width = width, .name = TRACE_NO_NAME};
}

static void test_bifrost_is_a_scalar_32_bit_machine(void **state) {
  (void)state;
  struct isa_profile *isa = load("bifrost");
  assert_true(slots_of(isa, op_of(OP_FLOAT_FMA, TYPE_F32, 1)) == 1);
  assert_true(slots_of(isa, op_of(OP_FLOAT_FMA, TYPE_F32, 4)) == 4);
  assert_true(slots_of(isa, op_of(OP_FLOAT_ADD, TYPE_F16, 2)) == 1);
  assert_true(slots_of(isa, op_of(OP_FLOAT_ADD, TYPE_F16, 3)) == 2);
  assert_true(slots_of(isa, op_of(OP_INT_ADD, TYPE_I64, 1)) == 2);
  assert_true(slots_of(isa, op_of(OP_INT_ADD, TYPE_I8, 4)) == 1);
  assert_true(slots_of(isa, op_of(OP_LOAD, TYPE_F32, 4)) == 1);
  assert_true(slots_of(isa, op_of(OP_LOAD, TYPE_F32, 8)) == 2);
  assert_true(slots_of(isa, op_of(OP_ADDRESS, TYPE_PTR, 1)) == 2);
  struct trace_op root = op_of(OP_MATH, TYPE_F32, 2);
  root.name = 0; /* sqrt */
  assert_true(slots_of(isa, root) == 14);
  isa_destroy(isa);
}

/* CUDA C++ Programming Guide, throughput of native arithmetic instructions, 7.x: 64 over the results a cycle. */
static void test_nvidia_like_follows_the_guide(void **state) {
  (void)state;
  struct isa_profile *isa = load("nvidia-like");
  assert_true(slots_of(isa, op_of(OP_FLOAT_FMA, TYPE_F32, 1)) == 1);
  assert_true(slots_of(isa, op_of(OP_FLOAT_FMA, TYPE_F64, 1)) == 2);
  assert_true(slots_of(isa, op_of(OP_FLOAT_ADD, TYPE_F16, 2)) == 1);
  assert_true(slots_of(isa, op_of(OP_INT_MUL, TYPE_I32, 1)) == 1);
  assert_true(slots_of(isa, op_of(OP_CONVERT, TYPE_F64, 1)) == 4);
  assert_true(slots_of(isa, op_of(OP_FLOAT_FMA, TYPE_F32, 4)) == 4);
  isa_destroy(isa);
}

static enum isa_pipe pipe_of(const struct isa_profile *isa, int op_class, int type) {
  struct trace_op op = op_of(op_class, type, 1);
  double slots;
  unsigned rule;
  assert_int_equal(isa_op_slots(isa, &code, &op, &slots, &rule, NULL), 0);
  return isa_rule_pipe(isa, rule);
}

static void test_rules_name_their_pipe(void **state) {
  (void)state;
  struct isa_profile *bifrost = load("bifrost"), *nvidia = load("nvidia-like");
  assert_int_equal(pipe_of(bifrost, OP_FLOAT_FMA, TYPE_F32), ISA_PIPE_FMA);
  assert_int_equal(pipe_of(bifrost, OP_FLOAT_ADD, TYPE_F32), ISA_PIPE_ANY);
  assert_int_equal(pipe_of(bifrost, OP_LOAD, TYPE_F32), ISA_PIPE_MESSAGE);
  assert_int_equal(pipe_of(bifrost, OP_BRANCH, TYPE_VOID), ISA_PIPE_BRANCH);
  assert_int_equal(pipe_of(nvidia, OP_FLOAT_FMA, TYPE_F64), ISA_PIPE_DOUBLE);
  assert_int_equal(pipe_of(nvidia, OP_INT_ADD, TYPE_I32), ISA_PIPE_INT);
  assert_string_equal(isa_pipe_name(ISA_PIPE_SPECIAL), "special");
  isa_destroy(bifrost);
  isa_destroy(nvidia);
}

/* A profile in a file of its own. */
static int load_text(const char *rules, struct isa_profile **isa, struct error *error) {
  char path[64];
  snprintf(path, sizeof path, "test_isa-%d.yaml", (int)getpid());
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "schema: reassemble.isa/1\nname: small\nrules:\n%s", rules);
  fclose(f);
  int status = isa_load(path, isa, error);
  unlink(path);
  return status;
}

static uint32_t bytes_of(const struct isa_profile *isa, struct trace_op op) {
  uint32_t bytes;
  assert_int_equal(isa_op_bytes(isa, &code, &op, &bytes, NULL), 0);
  return bytes;
}

static void test_code_has_a_length(void **state) {
  (void)state;
  struct isa_profile *bifrost = load("bifrost"), *nvidia = load("nvidia-like"), *valhall = load("valhall");
  assert_int_equal(bytes_of(bifrost, op_of(OP_FLOAT_FMA, TYPE_F32, 4)), 24);
  assert_int_equal(bytes_of(bifrost, op_of(OP_MOVE, TYPE_F32, 1)), 0);
  assert_int_equal(bytes_of(nvidia, op_of(OP_FLOAT_FMA, TYPE_F32, 2)), 32);
  assert_int_equal(bytes_of(nvidia, op_of(OP_CONVERT, TYPE_F32, 1)), 16); /* four slots, one instruction */
  assert_int_equal(bytes_of(valhall, op_of(OP_INT_MUL, TYPE_I32, 2)), 16);
  isa_destroy(bifrost);
  isa_destroy(nvidia);
  isa_destroy(valhall);
}

static void test_first_match_wins_and_gaps_are_named(void **state) {
  (void)state;
  struct isa_profile *isa;
  struct error error = ERROR_INIT;
  assert_int_equal(load_text("  - {class: math, name: [sqrt, 'native_*'], slots: 3, source: a}\n"
                             "  - {class: math, type: f32, slots: 5, per: operation, source: b}\n"
                             "  - {class: load, space: [local, private], slots: 7, per: element, source: c}\n",
                             &isa, &error),
                   0);
  struct trace_op math = op_of(OP_MATH, TYPE_F32, 2), load_op = op_of(OP_LOAD, TYPE_I32, 2);
  for (uint32_t name = 0; name < 4; name++) {
    math.name = name;
    assert_true(slots_of(isa, math) == (name < 2 ? 6 : 5));
  }
  load_op.space = SPACE_LOCAL;
  assert_true(slots_of(isa, load_op) == 14);
  load_op.space = SPACE_GLOBAL;
  double slots;
  assert_int_equal(isa_op_slots(isa, &code, &load_op, &slots, NULL, &error), -1);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_non_null(strstr(error.text, "'small' has no rule for load, type i32, space global"));
  isa_destroy(isa);
}

static void expect_refused(const char *rules, const char *says) {
  struct isa_profile *isa;
  struct error error = ERROR_INIT;
  assert_int_equal(load_text(rules, &isa, &error), -1);
  assert_null(isa);
  assert_int_equal(error.kind, ERROR_INPUT);
  assert_true(error.line > 0);
  if (!strstr(error.text, says) && !strstr(error.key, says))
    fail_msg("'%s' does not say '%s'", error.text, says);
}

static void test_bad_rules_are_refused_with_their_place(void **state) {
  (void)state;
  expect_refused("  - {class: int_ad, slots: 1, source: a}\n", "int_add");
  expect_refused("  - {class: int_add, slots: -1, source: a}\n", "slots");
  expect_refused("  - {class: int_add, slots: 1}\n", "source");
  expect_refused("  - {class: int_add, source: a}\n", "slots");
  expect_refused("  - {class: int_add, slots: 1, source: a, par: lane}\n", "per");
  expect_refused("  - {class: int_add, slots: 1, source: a, pipe: fam}\n", "fma");
  expect_refused("  - {class: math, name: [], slots: 1, source: a}\n", "empty list");
}

/* Operations that issue together. */
static void test_bad_bundles_are_refused_with_their_place(void **state) {
  (void)state;
#define ADD  "  - {class: int_add, slots: 1, pipe: add, source: a}\n"
#define REST "slots: 2, source: a}\n"
  expect_refused(ADD "bundle: {pipes: [{issues: fma, slots: 1}], " REST, "issues 'add'");
  expect_refused(ADD "bundle: {pipes: [{issues: [add, add], slots: 1}], " REST, "already");
  expect_refused(ADD "bundle: {pipes: [{issues: any, slots: 1}], " REST, "every pipe");
  expect_refused(ADD "bundle: {pipes: [{issues: adds, slots: 1}], " REST, "add");
  expect_refused(ADD "bundle: {pipes: [{issues: add, slots: 0}], " REST, "slots");
  expect_refused(ADD "bundle: {pipes: [{slots: 1}], " REST, "issues");
  expect_refused(ADD "bundle: {pipes: [], " REST, "0 pipes");
  expect_refused(ADD "bundle: {" REST, "pipes");
  expect_refused(ADD "bundle: {pipes: [{issues: add, slots: 1}], most: 0, " REST, "most");
  expect_refused(ADD "bundle: {pipes: [{issues: add, slots: 1}], source: a}\n", "slots");
  expect_refused(ADD "bundle: [add]\n", "bundle");
  expect_refused(ADD "code: {bytes_per_slot: -1, source: a}\n", "bytes_per_slot");
  expect_refused(ADD "code: {bytes_per_slot: 8}\n", "source");
  expect_refused(ADD "code: {source: a}\n", "bytes_per_slot");
  expect_refused("  - {class: int_add, slots: 1, bytes: -1, source: a}\n", "bytes");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_shipped_profiles_are_complete),
                                     cmocka_unit_test(test_bifrost_is_a_scalar_32_bit_machine),
                                     cmocka_unit_test(test_nvidia_like_follows_the_guide),
                                     cmocka_unit_test(test_rules_name_their_pipe),
                                     cmocka_unit_test(test_code_has_a_length),
                                     cmocka_unit_test(test_first_match_wins_and_gaps_are_named),
                                     cmocka_unit_test(test_bad_rules_are_refused_with_their_place),
                                     cmocka_unit_test(test_bad_bundles_are_refused_with_their_place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
