/* The trace of each recorded job holds every slot of every tuple that its work-items ran, and every access, as a
 * listener counts them that shares no code with trace writing. Threads do not change a byte of it, and a chosen
 * work-group is traced alone. */
#include "bifrost_recordings.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/trace.h"
#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/trace/trace_dispatch.h"

#define TRACE          "job.rtrace"
#define THREADS_TRACE  "job-on-threads.rtrace"
#define SAMPLE_TRACE   "job-sample.rtrace"
#define MOST_OF_A_FILE ((size_t)64 << 20)

struct counts {
  uint64_t slots, empty, accesses, barriers;
};

static struct counts heard, traced;

static void hear_clause(void *context, const struct bifrost_position *at) {
  const struct shader_clause *clause = &at->shader->clauses[at->clause];
  const unsigned lanes = (unsigned)__builtin_popcount(at->lanes);
  (void)context;
  for (unsigned t = 0; t < clause->tuple_count; t++)
    for (unsigned unit = 0; unit < 2; unit++) {
      const uint8_t action = at->shader->tuples[clause->first_tuple + t].slots[unit].action;
      heard.slots += lanes;
      heard.empty += action == ACTION_NOTHING ? lanes : 0;
      heard.barriers += action == ACTION_BARRIER ? lanes : 0;
    }
}

static void hear_access(void *context, const struct bifrost_position *at, const struct bifrost_access *access) {
  (void)context, (void)access;
  heard.accesses += (unsigned)__builtin_popcount(at->lanes);
}

static int listen(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  const struct bifrost_listener listener = {.clause = hear_clause, .access = hear_access};
  const struct bifrost_run_options options = {.listener = &listener};
  (void)context;
  return bifrost_execute(dispatch, &options, error);
}

static const struct bifrost_launch plain = {
    .kernel = "k", .workload = "w", .source_file = "", .source_digest = "", .options = "", .dimensions = 3};

static int trace(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct bifrost_outcome outcome;
  (void)context;
  return bifrost_trace_dispatch(dispatch, &plain, TRACE, &outcome, error);
}

static int trace_on_threads(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct bifrost_launch launch = plain;
  struct bifrost_outcome outcome;
  (void)context;
  launch.jobs = 3;
  return bifrost_trace_dispatch(dispatch, &launch, THREADS_TRACE, &outcome, error);
}

/* Traces the last work-group alone. */
static int trace_sample(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct bifrost_launch launch = plain;
  struct bifrost_outcome outcome;
  const uint32_t last = dispatch->groups[0] * dispatch->groups[1] * dispatch->groups[2] - 1;
  int status;
  (void)context;
  if (!last)
    return 0;
  assert_true(index_ranges_add(&launch.sample, last, last));
  status = bifrost_trace_dispatch(dispatch, &launch, SAMPLE_TRACE, &outcome, error);
  assert_int_equal(outcome.groups, 1);
  assert_int_equal(outcome.launch_groups, last + 1);
  index_ranges_clear(&launch.sample);
  return status;
}

static void count_block(const struct trace *t, uint32_t block) {
  const struct trace_block *b = &t->code.blocks[block];
  traced.slots += b->op_count;
  traced.accesses += b->mem_count;
  traced.barriers += b->has_barrier;
  for (uint32_t i = 0; i < b->op_count; i++) {
    const struct trace_op *op = &t->code.ops[b->first_op + i];
    traced.empty += op->op_class == OP_MOVE && op->type == TYPE_VOID;
  }
}

static void count_trace(const struct trace *t) {
  uint32_t *addresses = malloc((t->code.mem_count + 1) * sizeof *addresses), block;
  for (uint32_t g = 0; g < t->group_count; g++)
    for (uint32_t item = 0; item < trace_local_size(&t->header); item++) {
      struct trace_cursor cursor;
      trace_cursor_init(&cursor, t, &t->groups[g], item);
      while (trace_cursor_next(&cursor, &block, addresses))
        count_block(t, block);
    }
  free(addresses);
}

/* Runs the job on a copy of the memory, so that it can run again. */
static void run(const char *name, struct bifrost_recording *r,
                int (*dispatch)(void *, const struct bifrost_dispatch *, struct error *)) {
  const struct bifrost_job_handler handler = {.dispatch = dispatch, .context = NULL};
  struct bifrost_region *copies = calloc(r->before.count, sizeof *copies);
  const struct bifrost_memory memory = {copies, r->before.count};
  struct error error = ERROR_INIT;
  for (size_t i = 0; i < r->before.count; i++) {
    copies[i] = r->before.regions[i];
    copies[i].data = memcpy(malloc((size_t)copies[i].bytes), copies[i].data, (size_t)copies[i].bytes);
  }
  if (bifrost_job_chain_run(&memory, r->product, r->job_chain, &handler, &error) != 0)
    fail_msg("%s: %s", name, error.text);
  for (size_t i = 0; i < r->before.count; i++)
    free(copies[i].data);
  free(copies);
}

static void check(const char *name, struct bifrost_recording *recording) {
  struct error error = ERROR_INIT;
  struct trace *t;
  heard = traced = (struct counts){0};
  run(name, recording, listen);
  run(name, recording, trace);
  if (trace_load(TRACE, &t, &error) != 0)
    fail_msg("%s: %s", name, error.text);
  count_trace(t);
  if (memcmp(&heard, &traced, sizeof heard) != 0)
    fail_msg("%s: %llu slots (%llu empty), %llu accesses, %llu barriers; the trace has %llu (%llu), %llu, %llu", name,
             (unsigned long long)heard.slots, (unsigned long long)heard.empty, (unsigned long long)heard.accesses,
             (unsigned long long)heard.barriers, (unsigned long long)traced.slots, (unsigned long long)traced.empty,
             (unsigned long long)traced.accesses, (unsigned long long)traced.barriers);
  assert_true(heard.accesses > 0 && heard.slots > heard.empty);
  trace_destroy(t);
}

static void counts_are_equal(void **state) {
  (void)state;
  assert_true(for_each_recording(check) >= 96);
}

static char *contents_of(const char *path, size_t *bytes) {
  char *contents;
  struct error error = ERROR_INIT;
  if (file_read(path, MOST_OF_A_FILE, &contents, bytes, &error) != 0)
    fail_msg("%s", error.text);
  return contents;
}

static void compare_threads(const char *name, struct bifrost_recording *recording) {
  size_t one_bytes, three_bytes;
  run(name, recording, trace);
  run(name, recording, trace_on_threads);
  char *one = contents_of(TRACE, &one_bytes), *three = contents_of(THREADS_TRACE, &three_bytes);
  if (one_bytes != three_bytes || memcmp(one, three, one_bytes) != 0)
    fail_msg("%s: three threads make another trace than one", name);
  free(one);
  free(three);
}

static void threads_change_nothing(void **state) {
  (void)state;
  assert_true(for_each_recording(compare_threads) >= 96);
}

static void sample_one_group(const char *name, struct bifrost_recording *recording) {
  struct error error = ERROR_INIT;
  struct trace *t;
  remove(SAMPLE_TRACE);
  run(name, recording, trace_sample);
  if (access(SAMPLE_TRACE, R_OK) != 0)
    return; /* a job of one work-group */
  if (trace_load(SAMPLE_TRACE, &t, &error) != 0)
    fail_msg("%s: %s", name, error.text);
  assert_int_equal(t->group_count, 1);
  assert_true(trace_is_sampled(&t->header));
  trace_destroy(t);
}

static void a_chosen_group_is_traced_alone(void **state) {
  (void)state;
  assert_true(for_each_recording(sample_one_group) >= 96);
}

/* A kernel without operations has no code, and its trace one block without operations for each work-item. */
static void a_kernel_without_operations_has_a_trace(void **state) {
  const struct bifrost_memory memory = {NULL, 0};
  const struct bifrost_dispatch dispatch = {
      .memory = &memory, .product = 0x6000, .warp_lanes = 4, .groups = {2, 1, 1}, .local = {8, 1, 1}, .registers = 64};
  struct error error = ERROR_INIT;
  struct trace *t;
  (void)state;
  traced = (struct counts){0};
  assert_int_equal(trace(NULL, &dispatch, &error), 0);
  assert_int_equal(trace_load(TRACE, &t, &error), 0);
  count_trace(t);
  assert_int_equal(t->group_count, 2);
  assert_int_equal(t->code.block_count, 1);
  assert_int_equal(traced.slots, 0);
  trace_destroy(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_equal), cmocka_unit_test(threads_change_nothing),
                                     cmocka_unit_test(a_chosen_group_is_traced_alone),
                                     cmocka_unit_test(a_kernel_without_operations_has_a_trace)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
