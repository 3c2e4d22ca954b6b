/* The trace of each recorded job holds every slot of every tuple that its work-items ran, and every access, as a
 * listener counts them that shares no code with trace writing. */
#include "bifrost_recordings.h"

#include <stdlib.h>

#include "trace/trace.h"
#include "tracegen/bifrost/exec/execute.h"
#include "tracegen/bifrost/trace/trace_dispatch.h"

#define TRACE "job.rtrace"

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

static int trace(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  static const struct bifrost_launch launch = {
      .kernel = "k", .workload = "w", .source_file = "", .source_digest = "", .options = "", .dimensions = 3};
  struct bifrost_outcome outcome;
  (void)context;
  return bifrost_trace_dispatch(dispatch, &launch, TRACE, &outcome, error);
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
  const struct bifrost_job_handler handler = {dispatch, NULL};
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_equal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
