/* A launch that a worker of the pool runs has the trace, the buffers and the mistakes that it has alone. */
#include "expect_error.h"

#include "base/file.h"
#include "emulate_text.h"
#include "tracegen/run/group/recording.h"

#define KERNEL                                                                                                         \
  "__constant int table[] = {3, 1, 4, 1, 5, 9, 2, 6};\n"                                                               \
  "__kernel void mix(__global const int *x, __global int *y, int step, __local int *t) {\n"                            \
  "  int i = get_global_id(0), l = get_local_id(0);\n"                                                                 \
  "  t[l] = x[i] + table[i % 8];\n"                                                                                    \
  "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                                  \
  "  y[i * step] = t[get_local_size(0) - 1 - l] + x[i];\n}\n"
#define LAUNCH(global, local, step)                                                                                    \
  "launches:\n  - {kernel: mix, global: " #global ", local: " #local ", args: [{buffer: X}, {buffer: Y}, {int: " #step \
  "}, {local: 64}]}\n"
#define BUFFERS(init) "buffers:\n  X: {type: int, count: 128, " init "}\n  Y: {type: int, count: 512}\n"

static const struct {
  const char *body;
  bool served; /* by the worker of a launch before */
} launches[] = {
    {BUFFERS("init: index") LAUNCH(64, 16, 3), false},
    {BUFFERS("init: uniform, low: -9, high: 9") LAUNCH(128, 8, 4), true},
    {"buffers:\n  X: {type: int, count: 256, init: index}\n  Y: {type: int, count: 512}\n" LAUNCH(64, 16, 3), false},
    {BUFFERS("init: index") LAUNCH(64, 16, 99), true},
    {"buffers:\n  In: {type: int, count: 128, init: index}\n  Out: {type: int, count: 512}\n"
     "launches:\n  - {kernel: mix, global: 64, local: 8, args: [{buffer: In}, {buffer: Out}, {int: 2}, {local: 64}]}\n",
     true},
    {"buffers:\n  From: {type: int, count: 128, init: index}\n  Into: {type: int, count: 512}\n"
     "launches:\n  - {kernel: mix, global: 64, local: 8, args: [{buffer: From}, {buffer: Into}, {int: 9}, {local: "
     "64}]}\n",
     true},
    {BUFFERS("init: index") LAUNCH(64, 4, 1), true},
    {BUFFERS("init: none") LAUNCH(64, 4, 1), false},
    /* A launch of so few work-items has plainer code than the others (tracegen/process), and a worker for it. */
    {BUFFERS("init: index") LAUNCH(16, 16, 2), false},
    {BUFFERS("init: index") LAUNCH(16, 16, 3), true},
};
#define LAUNCHES (sizeof launches / sizeof *launches)

static void expect_equal_files(const char *a, const char *b) {
  char *bytes[2];
  size_t lengths[2];
  struct error error = ERROR_INIT;
  assert_int_equal(file_read(a, 1 << 20, &bytes[0], &lengths[0], &error), 0);
  assert_int_equal(file_read(b, 1 << 20, &bytes[1], &lengths[1], &error), 0);
  assert_int_equal(lengths[0], lengths[1]);
  assert_memory_equal(bytes[0], bytes[1], lengths[0]);
  free(bytes[0]);
  free(bytes[1]);
}

static void expect_equal_runs(const struct emulate_text *alone, const struct emulate_text *pooled, bool served) {
  expect_equal_files(alone->result.launches[0].trace_path, pooled->result.launches[0].trace_path);
  for (size_t i = 0; i < 2; i++)
    assert_memory_equal(alone->result.buffers[i], pooled->result.buffers[i], alone->workload->buffers[i].count * 4);
  assert_true(alone->result.launches[0].source_at_s > 0);
  assert_int_equal(pooled->result.launches[0].source_at_s == 0, served);
}

static void launches_are_as_if_alone(void **state) {
  struct worker_pool *pool = worker_pool_create();
  const struct emulate_options alone = {.trace_directory = "pool-alone"};
  const struct emulate_options together = {.trace_directory = "pool-together", .pool = pool};
  size_t mistakes = 0;
  assert_non_null(pool);
  for (size_t i = 0; i < LAUNCHES; i++) {
    struct emulate_text a, b;
    const int status = emulate_text_run(&a, "pool", KERNEL, launches[i].body, &alone);
    assert_int_equal(emulate_text_run(&b, "pool", KERNEL, launches[i].body, &together), status);
    assert_string_equal(a.error.text, b.error.text);
    assert_int_equal(a.error.line, b.error.line);
    if (status == 0)
      expect_equal_runs(&a, &b, launches[i].served);
    mistakes += status != 0;
    emulate_text_clear(&a);
    emulate_text_clear(&b);
  }
  assert_int_equal(mistakes, 3); /* two out of bounds, one reads what nobody wrote */
  worker_pool_destroy(pool);
  (void)state;
}

#define SAMPLED(global, local, groups)                                                                                 \
  BUFFERS("init: index")                                                                                               \
  "launches:\n  - {kernel: mix, global: " #global ", local: " #local                                                   \
  ", args: [{buffer: X}, {buffer: Y}, {int: 1}, {local: 64}]" groups "}\n"

/* A worker chooses the work-groups of each launch: their ids differ with the number of work-groups. */
static void each_launch_chooses_its_work_groups(void **state) {
  static const struct {
    const char *body;
    bool served;
    uint64_t groups; /* that run */
  } cases[] = {
      {SAMPLED(128, 1, ", groups: auto"), false, 30},
      {SAMPLED(120, 1, ", groups: auto"), true, 31},
      {SAMPLED(32, 8, ", groups: auto"), true, 4},
      {SAMPLED(128, 1, ", groups: auto"), true, 30},
      {SAMPLED(128, 1, ""), false, 128},
      {SAMPLED(128, 8, ", groups: \"0..3,7\""), false, 5},
      {SAMPLED(64, 8, ", groups: \"0..3,7\""), true, 5},
      {SAMPLED(64, 8, ", groups: \"0..4,7\""), false, 6},
  };
  struct worker_pool *pool = worker_pool_create();
  const struct emulate_options alone = {.trace_directory = "pool-alone"};
  const struct emulate_options together = {.trace_directory = "pool-together", .pool = pool};
  assert_non_null(pool);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct emulate_text a, b;
    assert_int_equal(emulate_text_run(&a, "pool", KERNEL, cases[i].body, &alone), 0);
    assert_int_equal(emulate_text_run(&b, "pool", KERNEL, cases[i].body, &together), 0);
    assert_int_equal(a.result.launches[0].groups, cases[i].groups);
    assert_int_equal(b.result.launches[0].groups, cases[i].groups);
    expect_equal_runs(&a, &b, cases[i].served);
    emulate_text_clear(&a);
    emulate_text_clear(&b);
  }
  worker_pool_destroy(pool);
  (void)state;
}

/* The process of that launch alone is stopped; a worker that does not come back is replaced. */
static void a_launch_that_never_ends_harms_no_other(void **state) {
  struct worker_pool *pool = worker_pool_create();
  const struct emulate_options options = {.timeout_s = 2, .pool = pool};
  /* An iteration takes long enough that the recording does not fill its memory before the time is over. */
  const char *kernel = "__kernel void spin(volatile __global int *x) {\n  while (x[0] < 1)\n    x[1] += 100 * "
                       "cos(cos(cos(cos(cos(cos(cos(cos((float)x[1] + 0.5f))))))));\n  x[2] = 7;\n}\n";
  for (int round = 0; round < 4; round++) {
    struct emulate_text t;
    const bool ends = round != 1;
    const int status =
        emulate_text_run(&t, "spin", kernel,
                         ends ? "buffers:\n  X: {type: int, count: 4, init: uniform, low: 1, high: 1}\n"
                                "launches:\n  - {kernel: spin, global: 1, local: 1, args: [{buffer: X}]}\n"
                              : "buffers:\n  X: {type: int, count: 4}\n"
                                "launches:\n  - {kernel: spin, global: 1, local: 1, args: [{buffer: X}]}\n",
                         &options);
    assert_int_equal(status, ends ? 0 : -1);
    if (ends)
      assert_int_equal(((const int *)t.result.buffers[0])[2], 7);
    else if (!strstr(t.error.text, "took more than 2 s"))
      fail_msg("%s", t.error.text);
    emulate_text_clear(&t);
  }
  worker_pool_destroy(pool);
  (void)state;
}

/* More kernels than pool are pooled. */
static void many_kernels_take_turns(void **state) {
  struct worker_pool *pool = worker_pool_create();
  const struct emulate_options options = {.trace_directory = "pool-turns", .pool = pool};
  for (int i = 0; i < 20; i++) {
    char kernel[200], body[200], name[20];
    struct emulate_text t;
    snprintf(name, sizeof name, "turn%d", i % 10);
    snprintf(kernel, sizeof kernel, "__kernel void k(__global int *x, int v) { x[get_global_id(0)] = v * %d; }\n",
             i % 10);
    snprintf(body, sizeof body,
             "buffers:\n  X: {type: int, count: 8}\n"
             "launches:\n  - {kernel: k, global: 8, local: 4, args: [{buffer: X}, {int: %d}]}\n",
             i);
    assert_int_equal(emulate_text_run(&t, name, kernel, body, &options), 0);
    assert_int_equal(((const int *)t.result.buffers[0])[7], i * (i % 10));
    emulate_text_clear(&t);
  }
  worker_pool_destroy(pool);
  (void)state;
}

#define LIMIT ((uint64_t)32 << 20) /* no more than stays in memory: nothing spills */
#define LEFT  ((uint64_t)200 << 10)

static sigjmp_buf way_out;
static enum recording_end seen;

static void leave(void *user, enum recording_end end, uint32_t item, const void *next) {
  (void)user, (void)item, (void)next;
  seen = end;
  siglongjmp(way_out, 1);
}

/* Writes to the block ids of the item, page by page, until `most` bytes are written or the recording is full. Returns
 * the number of bytes. */
static uint64_t write_blocks(struct recording *r, uint32_t item, uint64_t most) {
  volatile char *at = r->memory + item * r->stride;
  volatile uint64_t done = 0;
  seen = RECORDING_GOES_ON;
  recording_enter(r);
  if (sigsetjmp(way_out, 1) == 0)
    for (; done < most; done += 4096)
      at[done] = 1;
  recording_leave(r);
  return done;
}

static uint64_t room_of(uint32_t item, uint64_t most, char **memory) {
  struct error error = ERROR_INIT;
  struct recording r;
  if (recording_create(&r, 2, LIMIT, leave, NULL, &error))
    fail_msg("%s", error.text);
  *memory = r.memory;
  const uint64_t room = write_blocks(&r, item, most);
  recording_destroy(&r);
  return room;
}

/* A recording that takes over the memory of an earlier one has the same room as one in fresh memory. */
static void a_spare_recording_leaves_the_limit(void **state) {
  char *fresh, *left, *taken;
  (void)state;
  const uint64_t alone = room_of(0, 2 * LIMIT, &fresh); /* full: its memory is not kept */
  assert_int_equal(seen, RECORDING_FULL);
  assert_int_equal(alone, LIMIT);
  assert_int_equal(room_of(1, LEFT, &left), (LEFT + 4095) / 4096 * 4096);
  assert_int_equal(seen, RECORDING_GOES_ON);
  assert_int_equal(room_of(0, 2 * LIMIT, &taken), alone);
  assert_ptr_equal(taken, left); /* the memory was indeed taken over */
}

/* The limit of a process's memory counts the spare, so that it has to be little. */
static void a_large_recording_is_not_kept(void **state) {
  struct error error = ERROR_INIT;
  struct recording r;
  (void)state;
  if (recording_create(&r, 2, LIMIT, leave, NULL, &error))
    fail_msg("%s", error.text);
  write_blocks(&r, 0, LIMIT / 2);
  recording_destroy(&r);
  if (recording_create(&r, 2, LIMIT, leave, NULL, &error))
    fail_msg("%s", error.text);
  assert_int_equal(r.committed, 0);
  recording_destroy(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_spare_recording_leaves_the_limit),
      cmocka_unit_test(a_large_recording_is_not_kept),
      cmocka_unit_test(launches_are_as_if_alone),
      cmocka_unit_test(each_launch_chooses_its_work_groups),
      cmocka_unit_test(a_launch_that_never_ends_harms_no_other),
      cmocka_unit_test(many_kernels_take_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
