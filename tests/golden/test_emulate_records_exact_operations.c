/* Small kernels: the trace holds exactly these operations, blocks and addresses. */
#include "expect_error.h"

#include <math.h>
#include <sys/stat.h>

#include "emulate_text.h"
#include "trace/trace.h"

static bool has_word(const char *text, const char *words) {
  char word[32];
  for (int length; sscanf(words, " %31s%n", word, &length) == 1; words += length)
    if (strstr(text, word))
      return true;
  return false;
}

/* Every operation comes with the instruction that it was made of. */
static void expect_listing(const struct trace *trace) {
  static const char *const words[OP_CLASS_COUNT] = {
      [OP_INT_ADD] = "add sub abs",
      [OP_INT_MUL] = "mul mad24",
      [OP_INT_SHIFT] = "shl shr",
      [OP_INT_CMP] = "icmp",
      [OP_FLOAT_ADD] = "fadd fsub fmin fmax",
      [OP_FLOAT_MUL] = "fmul",
      [OP_FLOAT_FMA] = "fma mad fmuladd",
      [OP_EXTEND] = "sext zext trunc",
      [OP_ADDRESS] = "getelementptr",
      [OP_QUERY] = "get_",
      [OP_BRANCH] = "br ret switch",
      [OP_BARRIER] = "barrier",
      [OP_LOAD] = "load read_image",
      [OP_STORE] = "store sincos write_image",
      [OP_ATOMIC] = "atomic cmpxchg",
  };
  assert_int_equal(trace->header.ir_count, trace->code.op_count);
  for (uint32_t i = 0; i < trace->code.op_count; i++) {
    const char *text = trace->header.ir[i], *expected = words[trace->code.ops[i].op_class];
    if ((expected && !has_word(text, expected)) || strchr(text, '\n') || strchr(text, '!') || strchr(text, '#'))
      fail_msg("operation %u, %s: \"%s\"", i, trace_op_class_name((enum trace_op_class)trace->code.ops[i].op_class),
               text);
  }
}

static struct trace *traced(struct emulate_text *t, const char *name, const char *kernel, const char *body) {
  const struct emulate_options options = {.trace_directory = "golden-traces"};
  struct trace *trace = NULL;
  if (emulate_text_run(t, name, kernel, body, &options) ||
      trace_load(t->result.launches[0].trace_path, &trace, &t->error))
    error_print(&t->error, stderr);
  assert_non_null(trace);
  assert_int_equal(trace->work_item_instructions, t->result.launches[0].work_item_instructions);
  expect_listing(trace);
  return trace;
}

/* Classes of a block's operations as text: "load float_add store". */
static void expect_block(const struct trace *trace, uint32_t block, const char *expected) {
  char text[1024] = "";
  const struct trace_block *b = &trace->code.blocks[block];
  for (uint32_t i = 0; i < b->op_count; i++) {
    const struct trace_op *op = &trace->code.ops[b->first_op + i];
    strcat(text, i ? " " : "");
    strcat(text, trace_op_class_name((enum trace_op_class)op->op_class));
    if (op->name != TRACE_NO_NAME)
      strcat(strcat(text, ":"), trace->code.names[op->name]);
  }
  assert_string_equal(text, expected);
}

static void saxpy_is_eight_operations(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "saxpy",
             "__kernel void saxpy(__global const float *x, __global float *y, float a) {\n"
             "  size_t i = get_global_id(0);\n"
             "  y[i] = a * x[i] + y[i];\n}\n",
             "buffers:\n  X: {type: float, count: 64, init: index}\n  Y: {type: float, count: 64, init: "
             "constant, value: 3}\n"
             "launches:\n  - {kernel: saxpy, global: 64, local: 16, args: [{buffer: X}, {buffer: Y}, "
             "{float: 2}]}\n");
  assert_int_equal(trace->code.block_count, 1);
  expect_block(trace, 0, "query:get_global_id address load address load float_fma store branch");
  assert_int_equal(trace->work_item_instructions, 64 * 8);
  /* Each load is first used by the multiply-add; lines come from the source. */
  assert_int_equal(trace->code.ops[2].first_use, 5);
  assert_int_equal(trace->code.ops[4].first_use, 5);
  assert_int_equal(trace->code.ops[6].line, 3);
  assert_int_equal(trace->code.ops[6].type, TYPE_F32);
  assert_int_equal(trace->code.ops[6].bytes, 4);
  assert_int_equal(trace->header.buffer_count, 2);
  const uint32_t x = trace->header.buffers[0].base, y = trace->header.buffers[1].base;
  for (uint32_t g = 0; g < 4; g++)
    for (uint32_t i = 0; i < 16; i++) {
      struct trace_cursor cursor;
      uint32_t block, addresses[3];
      trace_cursor_init(&cursor, trace, &trace->groups[g], i);
      assert_true(trace_cursor_next(&cursor, &block, addresses));
      assert_int_equal(addresses[0], x + 4 * (16 * g + i));
      assert_int_equal(addresses[1], y + 4 * (16 * g + i));
      assert_int_equal(addresses[2], y + 4 * (16 * g + i));
      assert_false(trace_cursor_next(&cursor, &block, addresses));
    }
  const float *result = t.result.buffers[1];
  for (int i = 0; i < 64; i++)
    assert_true(result[i] == 2.0f * (float)i + 3);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void a_loop_is_one_block_with_its_exit_behind(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "sum",
             "__kernel void sum(__global const float *x, __global float *y, int n) {\n"
             "  int i = get_global_id(0);\n  float s = 0;\n"
             "  for (int k = 0; k < n; k++)\n    s += x[i * n + k];\n  y[i] = s;\n}\n",
             "buffers:\n  X: {type: float, count: 80, init: index}\n  Y: {type: float, count: 16}\n"
             "launches:\n  - {kernel: sum, global: 16, local: 8, args: [{buffer: X}, {buffer: Y}, {int: "
             "5}]}\n");
  assert_int_equal(trace->code.block_count, 4);
  expect_block(trace, 2, "move move move extend:index address load float_add int_add int_add int_cmp branch");
  const struct trace_block *loop = &trace->code.blocks[2];
  assert_int_equal(loop->ipdom, 3);
  assert_int_equal(trace->code.blocks[0].ipdom, 3);
  assert_int_equal(trace->code.blocks[3].ipdom, TRACE_NO_BLOCK);
  assert_true(loop->code_address < trace->code.blocks[3].code_address);
  assert_int_equal(loop->code_bytes, 8 * 8); /* moves take no room */
  struct trace_cursor cursor;
  uint32_t block, addresses[4], step = 0;
  static const uint32_t path[] = {0, 1, 2, 2, 2, 2, 2, 3};
  trace_cursor_init(&cursor, trace, &trace->groups[1], 3);
  while (trace_cursor_next(&cursor, &block, addresses)) {
    assert_int_equal(block, path[step]);
    if (block == 2)
      assert_int_equal(addresses[0], trace->header.buffers[0].base + 4 * (11 * 5 + (step - 2)));
    step++;
  }
  assert_int_equal(step, 8);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

/* A switch is printed over several lines; the listing has it on one, and names blocks as the code table does. */
static void a_switch_is_one_line(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "choose",
             "__kernel void choose(__global int *a, int n) {\n"
             "  switch (a[n]) {\n  case 3: a[0] = n; break;\n  case 7: a[n] = 5; break;\n"
             "  case 12: a[1] *= n; break;\n  case 90: a[2] += n; break;\n  default: a[3] = 2;\n}\n}\n",
             "buffers:\n  A: {type: int, count: 40, init: index}\n"
             "launches:\n  - {kernel: choose, global: 1, local: 1, args: [{buffer: A}, {int: 7}]}\n");
  const struct trace_block *first = &trace->code.blocks[0];
  const char *text = trace->header.ir[first->first_op + first->op_count - 1];
  char label[32];
  assert_int_equal(strncmp(text, "switch i32 ", 11), 0);
  assert_non_null(strstr(text, " i32 90, label %block."));
  for (uint32_t i = 0; i < first->successor_count; i++) {
    snprintf(label, sizeof label, "%%block.%u ", trace->code.successors[first->first_successor + i]);
    assert_non_null(strstr(text, label));
  }
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

/* LLVM's vectoriser likes this loop; every access is one byte all the same. */
static void no_loop_is_vectorised(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "bytes",
             "__kernel void bytes(__global char *a, __global char *restrict b, int n) {\n"
             "  char c[40];\n  #pragma unroll 1\n  for (int i = 0; i < 40; i++)\n    c[i] = b[i * n];\n"
             "  a[0] = c[n];\n}\n",
             "buffers:\n  A: {type: char, count: 40}\n  B: {type: char, count: 40, init: index}\n"
             "launches:\n  - {kernel: bytes, global: 1, local: 1, args: [{buffer: A}, {buffer: B}, "
             "{int: 1}]}\n");
  for (uint32_t i = 0; i < trace->code.mem_count; i++)
    assert_int_equal(trace->code.ops[trace->code.mem_ops[i]].bytes, 1);
  assert_int_equal(trace->code.mem_count, 4);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void blocks_end_behind_barriers(void **state) {
  struct emulate_text t;
  struct trace *trace = traced(&t, "reverse",
                               "__kernel void reverse(__global float *a) {\n  __local float t[8];\n"
                               "  size_t i = get_local_id(0);\n  t[i] = a[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "  a[i] = t[7 - i];\n}\n",
                               "buffers:\n  A: {type: float, count: 8, init: index}\n"
                               "launches:\n  - {kernel: reverse, global: 8, local: 8, args: [{buffer: A}]}\n");
  assert_int_equal(trace->code.block_count, 2);
  expect_block(trace, 0, "query:get_local_id address load address store barrier branch");
  assert_true(trace->code.blocks[0].has_barrier && !trace->code.blocks[1].has_barrier);
  assert_int_equal(trace->header.local_bytes, 32);
  struct trace_cursor cursor;
  uint32_t block, addresses[2];
  trace_cursor_init(&cursor, trace, &trace->groups[0], 2);
  assert_true(trace_cursor_next(&cursor, &block, addresses));
  assert_int_equal(addresses[1], 8); /* local memory starts at 0 */
  assert_true(trace_cursor_next(&cursor, &block, addresses));
  assert_int_equal(addresses[0], 20);
  const float *result = t.result.buffers[0];
  for (int i = 0; i < 8; i++)
    assert_true(result[i] == (float)(7 - i));
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

static void built_ins_are_one_operation_vectors_keep_their_width(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "built",
             "__kernel void built(__global float *a, __global int *n) {\n"
             "  float4 v = vload4(0, a + 1);\n  v = exp(v);\n  vstore4(v, 1, a + 1);\n"
             "  a[0] = fma(a[1], a[2], a[3]);\n  float c;\n  a[20] = sincos(a[9], &c);\n  a[21] = c;\n"
             "  atomic_add(n, 3);\n}\n",
             "buffers:\n  A: {type: float, count: 32, init: constant, value: 0.5}\n  N: {type: int, count: 1}\n"
             "launches:\n  - {kernel: built, global: 2, local: 1, args: [{buffer: A}, {buffer: N}]}\n");
  assert_int_equal(trace->code.block_count, 1);
  unsigned math = 0, fma = 0, atomics = 0, wide_loads = 0, private_stores = 0;
  for (uint32_t i = 0; i < trace->code.op_count; i++) {
    const struct trace_op *op = &trace->code.ops[i];
    fma += op->op_class == OP_FLOAT_FMA;
    wide_loads += op->op_class == OP_LOAD && op->width == 4 && op->bytes == 16;
    private_stores += op->op_class == OP_STORE && op->space == SPACE_PRIVATE && op->bytes == 4;
    atomics += op->op_class == OP_ATOMIC && op->space == SPACE_GLOBAL && op->bytes == 4;
    if (op->op_class != OP_MATH)
      continue;
    math++;
    if (strcmp(trace->code.names[op->name], "exp") == 0)
      assert_int_equal(op->width, 4);
    else
      assert_string_equal(trace->code.names[op->name], "sincos");
  }
  assert_int_equal(math, 2);
  assert_int_equal(fma, 1);
  assert_int_equal(wide_loads, 1);
  assert_int_equal(private_stores, 1);
  assert_int_equal(atomics, 1);
  assert_int_equal(((const int *)t.result.buffers[1])[0], 6);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

/* One operation a call, then its texels: one where the filter is nearest, four where it is linear. What asks for the
 * size is a move: a uniform. */
static void an_image_read_is_one_operation_and_its_texels(void **state) {
  struct emulate_text t;
  struct trace *trace =
      traced(&t, "image",
             "__constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
             "__kernel void image(read_only image2d_t from, write_only image2d_t to, sampler_t nearest) {\n"
             "  int x = get_global_id(0), y = get_image_height(from) - 1;\n"
             "  float4 v = read_imagef(from, nearest, (int2)(x, y));\n"
             "  v += read_imagef(from, s, (float2)(x + 1, 2));\n"
             "  write_imagef(to, (int2)(y, x), v);\n}\n",
             "buffers:\n  A: {image: [8, 4], order: RG, type: unorm_int16, init: uniform, high: 65535}\n"
             "  B: {image: [4, 8], order: RGBA, type: float}\n"
             "launches:\n  - {kernel: image, global: 8, local: 8, args: [{image: A}, {image: B}, {sampler: []}]}\n");
  assert_int_equal(trace->code.block_count, 1);
  expect_block(trace, 0,
               "query:get_global_id extend move int_add shuffle shuffle math:read_imagef load:read_imagef int_add "
               "convert shuffle math:read_imagef load:read_imagef load:read_imagef load:read_imagef load:read_imagef "
               "float_add shuffle shuffle math:write_imagef store:write_imagef branch");
  const uint32_t a = trace->header.buffers[0].base, b = trace->header.buffers[1].base;
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t right = i < 7 ? i + 1 : 7;
    const uint32_t expected[] = {a + (3 * 8 + i) * 4, a + (8 + i) * 4,      a + (8 + right) * 4,
                                 a + (16 + i) * 4,    a + (16 + right) * 4, b + (i * 4 + 3) * 16};
    struct trace_cursor cursor;
    uint32_t block, addresses[6];
    trace_cursor_init(&cursor, trace, &trace->groups[0], i);
    assert_true(trace_cursor_next(&cursor, &block, addresses));
    for (size_t k = 0; k < 6; k++)
      assert_int_equal(addresses[k], expected[k]);
  }
  const struct trace_op *load = &trace->code.ops[trace->code.mem_ops[1]];
  assert_int_equal(load->bytes, 4);
  assert_int_equal(load->type, TYPE_I16);
  assert_int_equal(trace->code.ops[load->first_use].op_class, OP_FLOAT_ADD);
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

/* Eight texels of a volume under a linear filter, two of a row, one of an array at integers; slices and layers lie
 * behind rows. Halves are rounded colors, and an undefined last coordinate of three does not matter. */
static void texels_of_other_images_lie_slice_after_slice(void **state) {
  struct emulate_text t;
  struct trace *trace = traced(
      &t, "volume",
      "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "__constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
      "__kernel void volume(read_only image3d_t v, read_only image1d_t row, read_only image2d_array_t layers,\n"
      "                     write_only image3d_t to) {\n"
      "  int x = get_global_id(0); float4 at; at.x = x + 1; at.y = 2; at.z = 1;\n"
      "  float4 c = read_imagef(v, s, at) + read_imagef(row, s, x + 1.0f);\n"
      "  half4 h = read_imageh(layers, s, (int4)(x, 1, 9, 0));\n"
      "  write_imageh(to, (int4)(x, 2, 1, 0), h + convert_half4(c * 0));\n}\n",
      "buffers:\n  V: {image: [8, 4, 2], order: R, type: float, init: index}\n"
      "  R: {image: [8], order: R, type: float, init: index}\n"
      "  L: {image: [8, 2, 3], kind: 2d_array, order: R, type: float, init: index, low: 4096.5}\n"
      "  T: {image: [8, 3, 2], order: R, type: float}\n"
      "launches:\n  - {kernel: volume, global: 8, local: 8, args: [{image: V}, {image: R}, {image: L}, {image: T}]}\n");
  assert_int_equal(trace->code.block_count, 1);
  assert_string_equal(trace->code.names[trace->code.ops[trace->code.mem_ops[0]].name], "read_image3d");
  assert_string_equal(trace->code.names[trace->code.ops[trace->code.mem_ops[8]].name], "read_imagef");
  assert_string_equal(trace->code.names[trace->code.ops[trace->code.mem_ops[11]].name], "write_imageh");
  const uint32_t v = trace->header.buffers[0].base, r = trace->header.buffers[1].base;
  const uint32_t l = trace->header.buffers[2].base, w = trace->header.buffers[3].base;
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t right = i < 7 ? i + 1 : 7, columns[] = {i, right};
    uint32_t expected[12] = {[8] = r + 4 * i, r + 4 * right, l + 4 * (2 * 16 + 8 + i), w + 4 * (24 + 16 + i)};
    for (uint32_t k = 0; k < 8; k++) /* columns first, then rows 1 and 2, then slices 0 and 1 */
      expected[k] = v + 4 * ((k >> 2) * 32 + (1 + (k >> 1 & 1)) * 8 + columns[k & 1]);
    struct trace_cursor cursor;
    uint32_t block, addresses[12];
    assert_int_equal(trace->code.mem_count, 12);
    trace_cursor_init(&cursor, trace, &trace->groups[0], i);
    assert_true(trace_cursor_next(&cursor, &block, addresses));
    for (size_t k = 0; k < 12; k++)
      assert_int_equal(addresses[k], expected[k]);
    const float expected_half = 4096 + 4 * rintf((40.5f + (float)i) / 4); /* the nearest half: every fourth number */
    assert_true(((const float *)t.result.buffers[3])[24 + 16 + i] == expected_half);
  }
  trace_destroy(trace);
  emulate_text_clear(&t);
  (void)state;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(saxpy_is_eight_operations),
      cmocka_unit_test(a_loop_is_one_block_with_its_exit_behind),
      cmocka_unit_test(a_switch_is_one_line),
      cmocka_unit_test(no_loop_is_vectorised),
      cmocka_unit_test(blocks_end_behind_barriers),
      cmocka_unit_test(built_ins_are_one_operation_vectors_keep_their_width),
      cmocka_unit_test(an_image_read_is_one_operation_and_its_texels),
      cmocka_unit_test(texels_of_other_images_lie_slice_after_slice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
