/* Work-items handed over some at a time, and work-groups described by recorders, give the trace of work-items that come
 * one by one, to the byte: random executions, cut at random places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/random.h"
#include "random_trace.h"
#include "rounds.h"
#include "trace/write/encoder.h"
#include "trace/write/writer.h"

enum { RECORDERS = 2, MOST_AT_ONCE = 20, MOST_ADDRESSES = 1 << 20 };

static char one_by_one[] = "/tmp/trace-one-XXXXXX", at_once[] = "/tmp/trace-items-XXXXXX";

/* Some items of a work-group, one behind the other as emulation records them. */
struct batch {
  uint16_t blocks[MOST_ADDRESSES];
  uint32_t addresses[MOST_ADDRESSES];
  struct trace_item_end ends[MOST_AT_ONCE];
  struct trace_items items;
};

static void gather(struct batch *b, const struct raw_item *items, uint32_t first, uint32_t count) {
  uint16_t *blocks = b->blocks;
  uint32_t *addresses = b->addresses;
  for (uint32_t i = 0; i < count; i++) {
    const struct raw_item *item = &items[first + i];
    assert_true(blocks + item->block_count <= b->blocks + MOST_ADDRESSES);
    assert_true(addresses + item->address_count <= b->addresses + MOST_ADDRESSES);
    if (item->block_count > 0)
      memcpy(blocks, item->blocks, item->block_count * sizeof *blocks);
    if (item->address_count > 0)
      memcpy(addresses, item->addresses, item->address_count * sizeof *addresses);
    b->ends[i] = (struct trace_item_end){blocks += item->block_count, addresses += item->address_count};
  }
  b->items = (struct trace_items){first, count, b->blocks, b->addresses, b->ends};
}

static uint32_t next_count(struct random_state *random, uint32_t left) {
  const uint32_t count = 1 + random_below(random, MOST_AT_ONCE);
  return count < left ? count : left;
}

static void write_group(struct trace_writer *w, const struct raw_execution *x, uint32_t group, struct batch *b,
                        struct random_state *random) {
  const struct raw_item *items = &x->items[(size_t)group * x->local_size];
  assert_int_equal(trace_writer_group_begin(w, group), 0);
  for (uint32_t i = 0, count; i < x->local_size; i += count) {
    gather(b, items, i, count = next_count(random, x->local_size - i));
    assert_int_equal(trace_writer_items(w, &b->items, NULL), 0);
  }
  assert_int_equal(trace_writer_group_end(w, NULL), 0);
}

/* Each group by a recorder chosen at random. */
static void record_group(struct trace_writer *w, struct trace_encoder *recorders[RECORDERS],
                         const struct raw_execution *x, uint32_t group, struct batch *b, struct random_state *random) {
  const struct raw_item *items = &x->items[(size_t)group * x->local_size];
  const uint32_t chosen = random_below(random, RECORDERS);
  struct bytes record = {0};
  trace_encoder_begin(recorders[chosen], group);
  for (uint32_t i = 0, count; i < x->local_size; i += count) {
    gather(b, items, i, count = next_count(random, x->local_size - i));
    assert_int_equal(trace_encoder_items(recorders[chosen], &b->items, NULL), 0);
  }
  assert_int_equal(trace_encoder_end(recorders[chosen], &record, NULL), 0);
  assert_int_equal(trace_writer_group(w, chosen, group, record.data, NULL), 0);
  bytes_clear(&record);
}

static void write_at_once(const struct raw_execution *x, bool record, uint32_t seed) {
  struct batch *b = malloc(sizeof *b);
  struct random_state random = {seed};
  struct trace_encoder *recorders[RECORDERS];
  struct trace_writer *w;
  assert_non_null(b);
  assert_int_equal(trace_writer_open(at_once, &x->header, &x->code, &w, NULL), 0);
  for (int i = 0; i < RECORDERS; i++)
    assert_int_equal(trace_encoder_create(&x->header, &x->code, &recorders[i], NULL), 0);
  for (uint32_t group = 0; group < x->group_count; group++)
    if (record)
      record_group(w, recorders, x, group, b, &random);
    else
      write_group(w, x, group, b, &random);
  assert_int_equal(trace_writer_close(w, NULL), 0);
  for (int i = 0; i < RECORDERS; i++)
    trace_encoder_destroy(recorders[i]);
  free(b);
}

static void compare_files(uint32_t seed, const char *what) {
  struct error error = ERROR_INIT;
  char *a = NULL, *b = NULL;
  size_t a_length = 0, b_length = 0;
  if (file_read(one_by_one, SIZE_MAX, &a, &a_length, &error) != 0 ||
      file_read(at_once, SIZE_MAX, &b, &b_length, &error) != 0)
    fail_msg("%s", error.text);
  if (a_length != b_length || memcmp(a, b, a_length) != 0)
    fail_msg("seed %u: %s gave another trace", seed, what);
  free(a);
  free(b);
}

static void check(const struct random_trace_options *options) {
  struct raw_execution *x = random_execution(options);
  struct error error = ERROR_INIT;
  if (raw_execution_write(x, one_by_one, false, &error) != 0)
    fail_msg("seed %u: %s", options->seed, error.text);
  write_at_once(x, false, options->seed);
  compare_files(options->seed, "some items at a time");
  write_at_once(x, true, options->seed);
  compare_files(options->seed, "recorders");
  raw_execution_destroy(x);
}

static void divergent_executions(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(200); seed++)
    check(&(struct random_trace_options){.seed = seed, .max_local = 48, .groups = 6, .extreme = seed % 2});
}

static void uniform_executions(void **state) {
  (void)state;
  for (uint32_t seed = 0; seed < rounds(100); seed++)
    check(&(struct random_trace_options){
        .seed = 40000 + seed, .max_local = 64, .groups = 8, .uniform = true, .regular = seed % 2});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(divergent_executions),
      cmocka_unit_test(uniform_executions),
  };
  close(mkstemp(one_by_one));
  close(mkstemp(at_once));
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(one_by_one);
  remove(at_once);
  return failed;
}
