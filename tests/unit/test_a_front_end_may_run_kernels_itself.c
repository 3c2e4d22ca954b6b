/* A front end that neither clang nor LLVM knows: a source is one line, "add NUMBER", and its only kernel adds the
 * number to each element of a buffer. It fills the tables by hand and interprets them. */
#include "expect_error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "emulate_text.h"
#include "trace/trace.h"

#define ITEMS 64

struct adder {
  struct kernel_program program;
  int addend;
};

static void run_item(struct item_context *item, const struct kernel_argument *arguments) {
  const struct adder *adder = (const void *)item->program;
  uint16_t *blocks = item->blocks;
  uint32_t *addresses = item->addresses;
  uint64_t address;
  memcpy(&address, arguments[0].value, sizeof address);
  address += 4 * item->query[QUERY_GLOBAL_ID][0];
  *blocks++ = 0;
  for (uint64_t access = 0; access < 2; access++) {
    emulation_checked_access(item, access, address);
    *addresses++ = (uint32_t)address;
  }
  *(int *)(uintptr_t)address += adder->addend;
  *item->ends++ = (struct trace_item_end){blocks, addresses};
}

static const char *version(void) {
  return "adder 1";
}

static int begin(const char *source, const char *options, struct error *error) {
  (void)source;
  return *options ? error_set(error, ERROR_INPUT, "an adder has no options") : 0;
}

static int finish(const char *source, struct front_module *out, struct error *error) {
  *out = (struct front_module){.source = source};
  return file_read(source, 100, &out->bytes, &out->length, error);
}

static int kernel_list_of(const struct front_module *module, char ***names, size_t *count, struct error *error) {
  (void)module, (void)error;
  *names = malloc(sizeof **names);
  **names = strdup("add");
  *count = 1;
  return 0;
}

static struct trace_op op(enum trace_op_class op_class, enum trace_type type, uint16_t bytes) {
  return (struct trace_op){.op_class = (uint8_t)op_class,
                           .type = (uint8_t)type,
                           .width = 1,
                           .bytes = bytes,
                           .first_use = op_class == OP_LOAD ? 1 : TRACE_NO_OP,
                           .name = TRACE_NO_NAME,
                           .line = 1};
}

static int build(const struct front_module *module, const struct front_request *request, struct kernel_program **out,
                 struct error *error) {
  static struct trace_block block = {.op_count = 4, .mem_count = 2, .ipdom = TRACE_NO_BLOCK};
  static struct kernel_access accesses[] = {
      {.op = 0, .bytes = 4, .root = {.kind = ROOT_ARGUMENT, .space = SPACE_GLOBAL}, .alignment = 4},
      {.op = 2, .bytes = 4, .root = {.kind = ROOT_ARGUMENT, .space = SPACE_GLOBAL}, .alignment = 4}};
  static uint32_t mem_ops[] = {0, 2}, counted_ops[] = {4};
  static struct kernel_opaque no_opaque;
  static char name[] = "x", type[] = "int*", kernel[] = "add";
  static struct kernel_parameter parameter = {
      .name = name, .type_name = type, .is_pointer = true, .space = SPACE_GLOBAL};
  static struct trace_op ops[4];
  struct adder *adder = calloc(1, sizeof *adder);
  if (!adder || strcmp(request->kernel, kernel) != 0 || sscanf(module->bytes, "add %d", &adder->addend) != 1)
    return error_at(error, ERROR_INPUT, module->source, 1, 0, NULL, "expected \"add NUMBER\"");
  ops[0] = op(OP_LOAD, TYPE_I32, 4);
  ops[1] = op(OP_INT_ADD, TYPE_I32, 0);
  ops[2] = op(OP_STORE, TYPE_I32, 4);
  ops[3] = op(OP_BRANCH, TYPE_VOID, 0);
  adder->program = (struct kernel_program){
      .name = kernel,
      .source = strdup(module->source),
      .line = 1,
      .code = {.ops = ops, .op_count = 4, .blocks = &block, .block_count = 1, .mem_ops = mem_ops, .mem_count = 2},
      .accesses = accesses,
      .parameters = &parameter,
      .parameter_count = 1,
      .opaques = &no_opaque,
      .counted_ops = counted_ops,
      .records = true,
      .entry = run_item};
  *out = &adder->program;
  return 0;
}

static const struct front_end adders = {
    .version = version, .begin = begin, .finish = finish, .kernel_names = kernel_list_of, .build = build};

static int run(struct emulate_text *t, const char *source, int count, unsigned jobs) {
  char body[200];
  const struct emulate_options options = {.front_end = &adders, .trace_directory = "adders", .jobs = jobs};
  snprintf(body, sizeof body,
           "buffers:\n  X: {type: int, count: %d, init: index}\n"
           "launches:\n  - {kernel: add, global: %d, local: 16, args: [{buffer: X}]}\n",
           count, ITEMS);
  return emulate_text_run(t, "adder", source, body, &options);
}

static void its_kernels_compute_and_are_traced(void **state) {
  struct emulate_text t;
  struct trace *trace;
  (void)state;
  for (unsigned jobs = 1; jobs < 3; jobs++) {
    assert_int_equal(run(&t, "add 5\n", ITEMS, jobs), 0);
    for (int i = 0; i < ITEMS; i++)
      assert_int_equal(((const int *)t.result.buffers[0])[i], i + 5);
    assert_int_equal(t.result.launches[0].work_item_instructions, 4 * ITEMS);
    assert_int_equal(trace_load(t.result.launches[0].trace_path, &trace, &t.error), 0);
    assert_string_equal(trace->header.front_end, "adder 1");
    assert_int_equal(trace->group_count, ITEMS / 16);
    trace_destroy(trace);
    emulate_text_clear(&t);
  }
}

static void their_mistakes_are_named(void **state) {
  struct emulate_text t;
  (void)state;
  assert_int_equal(run(&t, "add 5\n", ITEMS / 2, 1), -1);
  assert_string_equal(t.error.text,
                      "kernel add, work-item (32, 0, 0): load of 4 bytes at byte offset 128 of buffer \"X\" "
                      "(argument 1, x), which holds 128 bytes");
  emulate_text_clear(&t);
  assert_int_equal(run(&t, "subtract 5\n", ITEMS, 1), -1);
  assert_string_equal(t.error.text, "expected \"add NUMBER\"");
  emulate_text_clear(&t);
}

static void the_list_is_complete(void **state) {
  size_t i = 0;
  (void)state;
  for (; front_ends[i]; i++) {
    assert_non_null(front_end_names[i]);
    assert_non_null(strstr(front_end_help, front_end_names[i]));
    assert_true(*front_ends[i]->version());
    assert_true(front_ends[i]->begin && front_ends[i]->finish && front_ends[i]->kernel_names && front_ends[i]->build);
  }
  assert_null(front_end_names[i]);
  assert_string_equal(front_end_names[0], "clang");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(its_kernels_compute_and_are_traced),
                                     cmocka_unit_test(their_mistakes_are_named),
                                     cmocka_unit_test(the_list_is_complete)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
