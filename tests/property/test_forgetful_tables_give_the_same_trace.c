/* Paths that need more memory than a writer's and a recorder's table may have: both forget, at different work-groups,
 * and the trace is right, and to the byte the same whoever records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "trace/write/encoder.h"
#include "trace/write/writer.h"

/* Each path is a walk of STEPS blocks; a block has two successors beside the end. In records a block's number takes up
 * to three bytes: all paths need more than the 64 MiB of a writer's table, and some dozens those of a recorder's. */
enum { BLOCKS = 30000, END = BLOCKS - 1, STEPS = 100000, PATHS = 260, AGAIN = 16, GROUPS = PATHS + 2 * AGAIN };

static struct trace_op ops[BLOCKS];
static struct trace_block blocks[BLOCKS];
static uint32_t successors[3 * BLOCKS];
static struct trace_code code = {.ops = ops, .op_count = BLOCKS, .blocks = blocks, .block_count = BLOCKS};
static struct trace_header header = {.dimensions = 1, .global = {GROUPS, 1, 1}, .local = {1, 1, 1}};
static uint16_t walk[STEPS];

static void make_code(void) {
  static char nothing[] = "", name[] = "kernel";
  header.kernel = name;
  header.workload = header.source_file = header.source_digest = header.options = header.front_end = nothing;
  for (uint32_t b = 0; b < BLOCKS; b++) {
    ops[b] = (struct trace_op){
        .op_class = OP_BRANCH, .type = TYPE_VOID, .width = 1, .first_use = TRACE_NO_OP, .name = TRACE_NO_NAME};
    blocks[b] = (struct trace_block){.first_op = b, .op_count = 1, .first_successor = code.successor_count};
    blocks[b].ipdom = b == END ? TRACE_NO_BLOCK : END;
    const uint32_t next[] = {(b + 1) % END, (3 * b + 7) % END, END};
    if (b == END)
      continue;
    memcpy(successors + code.successor_count, next, sizeof next);
    code.successor_count += blocks[b].successor_count = 3;
  }
  code.successors = successors;
}

/* At the end paths come again: the latest and the first ones. */
static uint32_t path_of(uint32_t group) {
  return group < PATHS ? group : group < PATHS + AGAIN ? group - AGAIN : group - PATHS - AGAIN;
}

static void make_walk(uint32_t path) {
  struct random_state random = {path};
  walk[0] = 0;
  for (uint32_t i = 1; i + 1 < STEPS; i++)
    walk[i] = (uint16_t)successors[blocks[walk[i - 1]].first_successor + random_below(&random, 2)];
  walk[STEPS - 1] = END;
}

static void write_items(struct trace_writer *w, uint32_t group) {
  assert_int_equal(trace_writer_group_begin(w, group), 0);
  assert_int_equal(trace_writer_item(w, 0, walk, STEPS, NULL, 0, NULL), 0);
  assert_int_equal(trace_writer_group_end(w, NULL), 0);
}

static void record(struct trace_writer *w, struct trace_encoder *r, unsigned number, uint32_t group) {
  const struct trace_item_end end = {walk + STEPS, NULL};
  struct bytes bytes = {0};
  trace_encoder_begin(r, group);
  assert_int_equal(trace_encoder_items(r, &(struct trace_items){0, 1, walk, NULL, &end}, NULL), 0);
  assert_int_equal(trace_encoder_end(r, &bytes, NULL), 0);
  assert_int_equal(trace_writer_group(w, number, group, bytes.data, NULL), 0);
  bytes_clear(&bytes);
}

static void write_trace(const char *path, unsigned recorders) {
  struct trace_encoder *list[2];
  struct trace_writer *w;
  assert_int_equal(trace_writer_open(path, &header, &code, &w, NULL), 0);
  for (unsigned i = 0; i < recorders; i++)
    assert_int_equal(trace_encoder_create(&header, &code, &list[i], NULL), 0);
  for (uint32_t group = 0; group < GROUPS; group++) {
    make_walk(path_of(group));
    if (recorders > 0)
      record(w, list[group % recorders], group % recorders, group);
    else
      write_items(w, group);
  }
  assert_int_equal(trace_writer_close(w, NULL), 0);
  for (unsigned i = 0; i < recorders; i++)
    trace_encoder_destroy(list[i]);
}

static void same_bytes(const char *a, const char *b) {
  char *x, *y;
  size_t x_length, y_length;
  assert_int_equal(file_read(a, SIZE_MAX, &x, &x_length, NULL), 0);
  assert_int_equal(file_read(b, SIZE_MAX, &y, &y_length, NULL), 0);
  assert_int_equal(x_length, y_length);
  assert_int_equal(memcmp(x, y, x_length), 0);
  free(x);
  free(y);
}

static void check_walk(const struct trace *trace, uint32_t group) {
  struct trace_cursor cursor;
  uint32_t block, at = 0;
  make_walk(path_of(group));
  trace_cursor_init(&cursor, trace, &trace->groups[group], 0);
  for (; trace_cursor_next(&cursor, &block, NULL); at++)
    if (at == STEPS || block != walk[at])
      fail_msg("work-group %u, block %u: found %u, expected %u", group, at, block, at < STEPS ? walk[at] : 0);
  assert_int_equal(at, STEPS);
}

static void forgetful_tables(void **state) {
  (void)state;
  char alone[] = "/tmp/trace-alone-XXXXXX", recorded[] = "/tmp/trace-recorded-XXXXXX";
  struct trace *trace;
  close(mkstemp(alone));
  close(mkstemp(recorded));
  write_trace(alone, 0);
  write_trace(recorded, 2);
  same_bytes(alone, recorded);
  assert_int_equal(trace_load(alone, &trace, NULL), 0);
  assert_in_range(trace->path_count, PATHS + AGAIN + 1, GROUPS - 1); /* what was forgotten is written again */
  for (uint32_t group = 0; group < GROUPS; group += group < PATHS ? 13 : 1)
    check_walk(trace, group);
  trace_destroy(trace);
  remove(alone);
  remove(recorded);
}

int main(void) {
  make_code();
  const struct CMUnitTest tests[] = {cmocka_unit_test(forgetful_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
