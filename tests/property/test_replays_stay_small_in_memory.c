/* The most memory that the replay of one launch takes, reading included: two bytes a work-item instruction and 2 MiB at
 * most for every launch of the workloads tagged `irregular` and of a larger breadth-first search, each replayed alone
 * in a process of its own; 2 MiB at most for a regular kernel, however many instructions it has, and no more for 64
 * times as many instructions but what 16 times as many work-groups take. Prints what each took. */
#include <glob.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counted_memory.h"
#include "model/params/gpu.h"
#include "model/simulate.h"
#include "trace/trace.h"

#define FIXED_BYTES          (2 << 20) /* caches, resident warps, decompression, a frame of the file */
#define BYTES_AN_INSTRUCTION 2.0
#define BYTES_A_GROUP        128         /* of a regular trace */
#define NOISE_BYTES          (256 << 10) /* pages that a process may or may not touch */

#ifdef REASSEMBLE_SANITIZED
enum { SANITIZED = 1 }; /* what a sanitizer keeps for itself counts as memory of the process: sizes say nothing */
#else
enum { SANITIZED = 0 };
#endif

static const char *own_path;

static int load(void **state) {
  (void)state;
  return system("rm -rf small; trace() { folder=$1; shift; \"$REASSEMBLE_PROGRAM\" trace --quiet --no-check "
                "--undefined-reads none -o small/$folder \"$@\" >>small.txt; }; rm -f small.txt; mkdir small; "
                "trace regular gemm-128 gemm-512 && trace irregular \"$REASSEMBLE_DATA/tests/bench/bfs-65536.yaml\" "
                "$(grep -rlE '^tags:.*\\birregular\\b' --include='*.yaml' \"$REASSEMBLE_DATA/configs/workloads\")") == 0
             ? 0
             : -1;
}

static int unload(void **state) {
  (void)state;
  return system("rm -rf small small.txt");
}

/* ---- in a process of its own ---- */

/* The most that this program has held, bytes. */
static uint64_t most_resident(void) {
  char line[256];
  uint64_t kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %" SCNu64, &kib) == 1)
      break;
  if (status)
    fclose(status);
  return kib << 10;
}

/* Prints the bytes that the replay took, its instructions and its work-groups. */
static int replay(const char *path) {
  struct error error = ERROR_INIT;
  struct gpu *gpu;
  struct isa_profile *isa;
  struct trace *trace;
  struct sim_result result = {0};
  count_small_pages();
  count_on_one_processor();
  count_code_beforehand();
  if (gpu_load("mali-g71-mp8-thesis", &gpu, &error) || isa_load(gpu->isa, &isa, &error))
    return 1;
  const uint64_t before = most_resident();
  if (trace_load(path, &trace, &error) || simulate(trace, isa, &gpu->spec, &result, &error))
    return 1;
  printf("%" PRIu64 " %" PRIu64 " %" PRIu32 "\n", most_resident() - before, result.work_item_instructions,
         trace->group_count);
  sim_result_clear(&result);
  trace_destroy(trace);
  isa_destroy(isa);
  gpu_destroy(gpu);
  return 0;
}

/* ---- the test ---- */

struct need {
  uint64_t bytes, instructions, groups;
};

static struct need measure(const char *path) {
  struct need need = {0};
  char command[4096];
  snprintf(command, sizeof command, "'%s' replay '%s'", own_path, path);
  FILE *child = popen(command, "r");
  assert_non_null(child);
  const int numbers = fscanf(child, "%" SCNu64 " %" SCNu64 " %" SCNu64, &need.bytes, &need.instructions, &need.groups);
  assert_int_equal(pclose(child), 0);
  assert_int_equal(numbers, 3);
  print_message("  %-40s %12" PRIu64 " instructions %10.2f MiB %8.2f bytes an instruction\n", path, need.instructions,
                (double)need.bytes / (1 << 20), (double)need.bytes / (double)need.instructions);
  return need;
}

static double most_bytes(const struct need *need) {
  return FIXED_BYTES + BYTES_AN_INSTRUCTION * (double)need->instructions;
}

/* Measures up to three times, as long as it is too much: of one replay the kernel counts up to 0.2 MB more or less from
 * run to run. */
static struct need measure_least(const char *path) {
  struct need need = measure(path);
  for (int i = 1; i < 3 && (double)need.bytes > most_bytes(&need); i++)
    need = measure(path);
  return need;
}

static void irregular_launches_need_two_bytes_an_instruction(void **state) {
  (void)state;
  glob_t traces;
  assert_int_equal(glob("small/irregular/*.rtrace", 0, NULL, &traces), 0);
  assert_in_range(traces.gl_pathc, 80, 1000);
  for (size_t i = 0; i < traces.gl_pathc; i++) {
    const struct need need = measure_least(traces.gl_pathv[i]);
    const double most = most_bytes(&need);
    if ((double)need.bytes > most && !SANITIZED)
      fail_msg("%s: %" PRIu64 " bytes, at most %.0f", traces.gl_pathv[i], need.bytes, most);
  }
  globfree(&traces);
}

static void a_regular_replay_does_not_grow_with_its_instructions(void **state) {
  (void)state;
  const struct need small = measure("small/regular/gemm-128.rtrace"), large = measure("small/regular/gemm-512.rtrace");
  assert_in_range(large.instructions, 60 * small.instructions, 70 * small.instructions);
  if (SANITIZED)
    return;
  assert_in_range(large.bytes, 1, FIXED_BYTES);
  assert_in_range(large.bytes, 1, small.bytes + (large.groups - small.groups) * BYTES_A_GROUP + NOISE_BYTES);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(irregular_launches_need_two_bytes_an_instruction),
                                     cmocka_unit_test(a_regular_replay_does_not_grow_with_its_instructions)};
  own_path = argv[0];
  if (argc == 3)
    return replay(argv[2]);
  return cmocka_run_group_tests(tests, load, unload);
}
