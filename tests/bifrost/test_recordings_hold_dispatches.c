/* The shipped recordings of jobs are whole, and say what their workloads say: the grid, the buffers, the ids. */
#include "expect_error.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracegen/bifrost/job/descriptors.h"
#include "tracegen/bifrost/job/job_chain.h"
#include "tracegen/bifrost/record/job_recording.h"

struct seen {
  unsigned dispatches;
  struct bifrost_dispatch last;
};

static int see(void *context, const struct bifrost_dispatch *dispatch, struct error *error) {
  struct seen *seen = context;
  (void)error;
  seen->dispatches++;
  seen->last = *dispatch;
  return 0;
}

static struct bifrost_recording *read_shipped(const char *gpu, const char *name) {
  struct bifrost_recording *recording;
  struct error error = ERROR_INIT;
  char path[4096];
  snprintf(path, sizeof path, "%s/datasets/bifrost/recordings/%s/%s.rbifrost", getenv("REASSEMBLE_DATA"), gpu, name);
  if (bifrost_recording_read(path, &recording, &error) != 0)
    fail_msg("%s", error.text);
  return recording;
}

static struct seen run(const struct bifrost_recording *recording) {
  struct seen seen = {0};
  struct error error = ERROR_INIT;
  const struct bifrost_job_handler handler = {.dispatch = see, .context = &seen};
  if (bifrost_job_chain_run(&recording->before, recording->product, recording->job_chain, &handler, &error) != 0)
    fail_msg("%s", error.text);
  return seen;
}

static void check_recording(const char *path) {
  struct bifrost_recording *recording;
  struct error error = ERROR_INIT;
  if (bifrost_recording_read(path, &recording, &error) != 0)
    fail_msg("%s: %s", path, error.text);
  const struct seen seen = run(recording);
  assert_int_equal(seen.dispatches, 1);
  assert_non_null(bifrost_memory_at(&recording->before, seen.last.shader, 16));
  assert_true(bifrost_memory_region(&recording->before, seen.last.shader, 16)->executable);
  assert_non_null(strstr(recording->disassembly, "clause_0:"));
  bifrost_recording_destroy(recording);
}

static void all_are_whole(void **state) {
  char pattern[4096];
  glob_t found;
  (void)state;
  snprintf(pattern, sizeof pattern, "%s/datasets/bifrost/recordings/*/*.rbifrost", getenv("REASSEMBLE_DATA"));
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  assert_true(found.gl_pathc >= 96);
  for (size_t i = 0; i < found.gl_pathc; i++)
    check_recording(found.gl_pathv[i]);
  globfree(&found);
}

static void three_dimensions_are_unpacked(void **state) {
  struct bifrost_recording *recording = read_shipped("g71", "ids");
  const struct bifrost_dispatch d = run(recording).last;
  static const uint32_t groups[3] = {2, 3, 2}, local[3] = {4, 2, 2};
  (void)state;
  assert_memory_equal(d.groups, groups, sizeof groups);
  assert_memory_equal(d.local, local, sizeof local);
  assert_int_equal(d.architecture, 6);
  assert_int_equal(d.warp_lanes, 4);
  assert_int_equal(d.registers, 64);
  assert_true(d.preload & BIFROST_PRELOAD_LOCAL_XY);
  assert_string_equal(recording->launches, "3 3 2 1 ids\n");
  bifrost_recording_destroy(recording);
}

static void local_memory_is_found(void **state) {
  struct bifrost_recording *recording = read_shipped("g71", "tiled-product");
  const struct bifrost_dispatch d = run(recording).last;
  (void)state;
  assert_true(d.has_barrier);
  assert_int_equal(d.wls_bytes, 512); /* two tiles of 8 x 8 floats */
  assert_non_null(bifrost_memory_at(d.memory, d.wls_base, (uint64_t)d.wls_bytes * d.wls_instances));
  bifrost_recording_destroy(recording);
}

static void a_copy_is_equal(void **state) {
  struct bifrost_recording *recording = read_shipped("g71", "saxpy"), *copy;
  struct error error = ERROR_INIT;
  (void)state;
  assert_int_equal(bifrost_recording_write("copy.rbifrost", recording, &error), 0);
  assert_int_equal(bifrost_recording_read("copy.rbifrost", &copy, &error), 0);
  assert_int_equal(copy->before.count, recording->before.count);
  for (size_t i = 0; i < copy->before.count; i++) {
    assert_int_equal(copy->before.regions[i].address, recording->before.regions[i].address);
    assert_int_equal(copy->before.regions[i].bytes, recording->before.regions[i].bytes);
    assert_memory_equal(copy->before.regions[i].data, recording->before.regions[i].data, copy->before.regions[i].bytes);
  }
  assert_string_equal(copy->disassembly, recording->disassembly);
  bifrost_recording_destroy(copy);
  bifrost_recording_destroy(recording);
}

static void damage_is_named(void **state) {
  struct bifrost_recording *recording;
  struct error error = ERROR_INIT;
  (void)state;
  assert_int_equal(bifrost_recording_parse("x", "RBIFR001", 8, &recording, &error), -1);
  expect_error(&error, "x: this is not a recording of Bifrost jobs");
  error = (struct error)ERROR_INIT;
  assert_int_equal(bifrost_recording_parse("x", "RBIFR001\10\0\0\0\0\0\0\0abcdefgh", 24, &recording, &error), -1);
  expect_error(
      &error,
      "x: the recording is damaged: its contents do not have the size that it states, or are larger than 1 GiB");
}

/* A job whose successor is itself. */
static void a_chain_without_an_end_is_refused(void **state) {
  uint32_t words[8] = {[4] = 1 << 1, [6] = 0x1000};
  struct bifrost_region region = {0x1000, sizeof words, (uint8_t *)words, false};
  const struct bifrost_memory memory = {&region, 1};
  const struct bifrost_job_handler handler = {.dispatch = see, .context = NULL};
  struct error error = ERROR_INIT;
  (void)state;
  assert_int_equal(bifrost_job_chain_run(&memory, 0x6000, 0x1000, &handler, &error), -1);
  assert_string_equal(error.text, "the job chain at 0x1000 has no end");
  error = (struct error)ERROR_INIT;
  words[6] = 0x2000;
  assert_int_equal(bifrost_job_chain_run(&memory, 0x6000, 0x1000, &handler, &error), -1);
  assert_string_equal(error.text, "the job at 0x2000 is not in the GPU's memory");
}

/* A job that writes the time of the emulator's machine, or zero, so that a recording gives the same memory in each
 * run. */
static void times_are_written_where_they_are_wanted(void **state) {
  uint32_t words[14] = {[4] = JOB_WRITE_VALUE << 1, [8] = 0x1000 + 48, [10] = 2};
  struct bifrost_region region = {0x1000, sizeof words, (uint8_t *)words, false};
  const struct bifrost_memory memory = {&region, 1};
  const struct bifrost_job_handler with = {.has_clock = true}, without = {.has_clock = false};
  const int64_t start = clock_nanoseconds();
  int64_t written;
  (void)state;
  assert_int_equal(bifrost_job_chain_run(&memory, 0x6000, 0x1000, &with, NULL), 0);
  memcpy(&written, words + 12, sizeof written);
  assert_in_range(written, start, clock_nanoseconds());
  assert_int_equal(bifrost_job_chain_run(&memory, 0x6000, 0x1000, &without, NULL), 0);
  memcpy(&written, words + 12, sizeof written);
  assert_int_equal(written, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_are_whole),
                                     cmocka_unit_test(three_dimensions_are_unpacked),
                                     cmocka_unit_test(local_memory_is_found),
                                     cmocka_unit_test(a_copy_is_equal),
                                     cmocka_unit_test(damage_is_named),
                                     cmocka_unit_test(a_chain_without_an_end_is_refused),
                                     cmocka_unit_test(times_are_written_where_they_are_wanted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
