/* A recorded sampled launch gives its own exact replay back to the bit, and on GPUs with other prices and latencies
 * nearly what an exact replay says there. The slow reference is the exact replay. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/params/gpu.h"
#include "model/retime/retime_record.h"
#include "model/simulate.h"
#include "trace/trace.h"

struct launch {
  const char *workload, *trace, *gpu;
  uint64_t answers; /* recorded ones */
};

static const struct launch launches[] = {
    {"xgemm:M=1024,N=1024,K=64,MWG=32,NWG=32", "xgemm+M1024+N1024+K64+MWG32+NWG32", "rtx-2080-ti", 1792},
    {"xgemm:M=1024,N=1024,K=64,MWG=64,NWG=64,SA=1,SB=1,VWM=2,VWN=1",
     "xgemm+M1024+N1024+K64+MWG64+NWG64+VWM2+VWN1+SA1+SB1", "rtx-2080-ti", 384},
    /* L2 limits it: a tenth of the time of its core is waiting in the queue there. All replayed work-groups would have
     * 22,400 answers; those of the first ones are recorded. */
    {"xgemm:M=4096,N=4096,K=96,MWG=64,NWG=32,KWG=32,KWI=2,VWM=2,VWN=4",
     "xgemm+M4096+N4096+K96+MWG64+NWG32+KWG32+KWI2+VWM2+VWN4", "rtx-3090", 8064},
    {"saxpy", "saxpy", "rtx-2080-ti", 96},
};

/* A change of a parameter, and the largest difference of its result from the exact one. */
static const struct change {
  const char *key;
  double factor, most;
} changes[] = {{"integer_price", 2, 0.02},    {"memory_price", 0.5, 0.02},   {"l1_hit_cycles", 2, 0.02},
               {"l1_miss_cycles", 0.7, 0.02}, {"l2_miss_cycles", 1.5, 0.03}, {"scratchpad_cycles", 2, 0.03}};

static struct trace *traced(const struct launch *launch) {
  char command[1024], path[256];
  struct trace *trace;
  struct error error = ERROR_INIT;
  snprintf(
      command, sizeof command,
      "\"$REASSEMBLE_PROGRAM\" trace --quiet --no-check --undefined-reads none --groups auto -o sampled %s >traced.txt",
      launch->workload);
  assert_int_equal(system(command), 0);
  snprintf(path, sizeof path, "sampled/%s.rtrace", launch->trace);
  if (trace_load(path, &trace, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  return trace;
}

static void check_itself(const struct sim_result *exact, const struct sim_result *again) {
  assert_true(again->approximate && again->estimated);
  assert_true(exact->cycles == again->cycles && exact->error_bound == again->error_bound);
  assert_memory_equal(&exact->counters, &again->counters, sizeof exact->counters);
  assert_memory_equal(&exact->queues, &again->queues, sizeof exact->queues);
  assert_memory_equal(&exact->stack, &again->stack, sizeof exact->stack);
  assert_null(again->lines);
}

static void check_change(const struct launch *launch, const struct change *change,
                         const struct retime_recording *recording, const struct trace *trace,
                         const struct isa_profile *isa, struct gpu_spec spec) {
  struct sim_result exact, again;
  struct error error = ERROR_INIT;
  const struct param *row = params_find(&gpu_params, change->key);
  assert_int_equal(params_set_number(row, &spec, params_get_number(row, &spec) * change->factor, &error), 0);
  assert_int_equal(simulate(trace, isa, &spec, &exact, &error), 0);
  assert_true(retime(recording, &spec, &again));
  const double off = again.cycles / exact.cycles - 1;
  print_message("%s, %s x %g: %+.2f %%\n", launch->workload, change->key, change->factor, 100 * off);
  assert_true(fabs(off) <= change->most);
  sim_result_clear(&exact);
}

/* Another cache is another recording. */
static void check_refusal(const struct retime_recording *recording, struct gpu_spec spec) {
  struct sim_result again;
  spec.l2_bytes *= 2;
  assert_false(retime(recording, &spec, &again));
}

static void check_launch(const struct launch *launch) {
  struct trace *trace = traced(launch);
  struct retime_recording *recording;
  struct sim_result exact, again;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct error error = ERROR_INIT;
  assert_int_equal(gpu_load(launch->gpu, &gpu, &error), 0);
  assert_int_equal(isa_load(gpu->isa, &isa, &error), 0);
  assert_int_equal(retime_record(trace, isa, &gpu->spec, 1, &recording, &exact, &error), 0);
  assert_non_null(recording);
  assert_true(retime_bytes(recording) > 0);
  assert_int_equal(retime_events(recording), launch->answers);
  assert_true(retime(recording, &gpu->spec, &again));
  check_itself(&exact, &again);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
    check_change(launch, &changes[i], recording, trace, isa, gpu->spec);
  check_refusal(recording, gpu->spec);
  sim_result_clear(&exact);
  retime_destroy(recording);
  trace_destroy(trace);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

static void sampled_launches_are_timed_again(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
    check_launch(&launches[i]);
}

/* The G71 has an L1 that keeps stores, which wait for what no answer says. */
static void dirty_lines_are_not_recorded(void **state) {
  (void)state;
  struct trace *trace = traced(&launches[3]);
  struct retime_recording *recording;
  struct sim_result exact;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct error error = ERROR_INIT;
  assert_int_equal(gpu_load("mali-g71-mp8", &gpu, &error), 0);
  assert_int_equal(isa_load(gpu->isa, &isa, &error), 0);
  assert_int_equal(retime_record(trace, isa, &gpu->spec, 1, &recording, &exact, &error), 0);
  assert_null(recording);
  sim_result_clear(&exact);
  trace_destroy(trace);
  isa_destroy(isa);
  gpu_destroy(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sampled_launches_are_timed_again),
                                     cmocka_unit_test(dirty_lines_are_not_recorded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
