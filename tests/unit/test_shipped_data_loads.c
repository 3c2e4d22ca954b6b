/* Everything that ships loads: GPU descriptions with the ISA profiles they name, workloads and sets, and boards, whose
 * measurements name a workload that loads and a launch that it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "model/params/gpu.h"
#include "model/isa/isa.h"
#include "workload/workload.h"
#include "tuner/board/board.h"

struct names {
  char **items;
  size_t count;
};

static struct names shipped(enum data_kind kind, size_t least) {
  struct names names;
  struct error error = ERROR_INIT;
  assert_int_equal(data_list(kind, &names.items, &names.count, &error), 0);
  assert_true(names.count >= least);
  return names;
}

static void need(int status, const char *name, const struct error *error) {
  if (status != 0)
    print_error("%s: %s:%u: %s: %s\n", name, error->file, error->line, error->key, error->text);
  assert_int_equal(status, 0);
}

static void test_isa_profiles(void **state) {
  (void)state;
  struct names names = shipped(DATA_ISA, 1);
  for (size_t i = 0; i < names.count; i++) {
    struct isa_profile *isa;
    struct error error = ERROR_INIT;
    need(isa_load(names.items[i], &isa, &error), names.items[i], &error);
    isa_destroy(isa);
  }
  data_list_free(names.items, names.count);
}

static void test_gpus(void **state) {
  (void)state;
  struct names names = shipped(DATA_GPU, 3);
  for (size_t i = 0; i < names.count; i++) {
    struct gpu *gpu;
    struct isa_profile *isa;
    struct error error = ERROR_INIT;
    need(gpu_load(names.items[i], &gpu, &error), names.items[i], &error);
    assert_string_equal(gpu->name, names.items[i]);
    need(isa_load(gpu->isa, &isa, &error), gpu->isa, &error);
    isa_destroy(isa);
    gpu_destroy(gpu);
  }
  data_list_free(names.items, names.count);
}

/* Loads the members of a set or the one workload; gives the number of launches of the last. */
static size_t load_workloads(const char *name, size_t *members) {
  char **paths;
  size_t launches = 0;
  struct error error = ERROR_INIT;
  need(workload_expand(name, &paths, members, &error), name, &error);
  assert_true(*members > 0);
  for (size_t i = 0; i < *members; i++) {
    struct workload *workload;
    need(workload_load(paths[i], &workload, &error), paths[i], &error);
    launches = workload->launch_count;
    assert_true(launches > 0);
    workload_destroy(workload);
  }
  data_list_free(paths, *members);
  return launches;
}

static void test_workloads(void **state) {
  (void)state;
  struct names names = shipped(DATA_WORKLOAD, 10);
  for (size_t i = 0; i < names.count; i++) {
    size_t members;
    load_workloads(names.items[i], &members);
  }
  data_list_free(names.items, names.count);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Traces are named after workloads: two of one name would overwrite each other's. */
static void test_names_of_workloads_differ(void **state) {
  (void)state;
  struct names names = shipped(DATA_WORKLOAD, 10);
  char **own = calloc(names.count, sizeof *own);
  size_t count = 0;
  assert_non_null(own);
  for (size_t i = 0; i < names.count; i++) {
    char **paths;
    size_t members;
    struct workload *workload;
    struct error error = ERROR_INIT;
    need(workload_expand(names.items[i], &paths, &members, &error), names.items[i], &error);
    if (members == 1) {
      need(workload_load(paths[0], &workload, &error), paths[0], &error);
      own[count++] = strdup(workload->name);
      workload_destroy(workload);
    }
    data_list_free(paths, members);
  }
  qsort(own, count, sizeof *own, by_text);
  for (size_t i = 0; i < count; i++) {
    if (i > 0)
      assert_string_not_equal(own[i], own[i - 1]);
  }
  for (size_t i = 0; i < count; i++)
    free(own[i]);
  free(own);
  data_list_free(names.items, names.count);
}

/* Loads a board, or some points of a board that has thousands. */
static struct board *load_some(const char *name) {
  struct board *board;
  struct error error = ERROR_INIT;
  char some[256];
  need(board_load(name, &board, &error), name, &error);
  if (board->count < 50)
    return board;
  board_destroy(board);
  snprintf(some, sizeof some, "%s:20", name);
  need(board_load(some, &board, &error), some, &error);
  return board;
}

static void check_board(const char *name) {
  struct gpu *gpu;
  struct error error = ERROR_INIT;
  struct board *board = load_some(name);
  assert_string_equal(board->name, name);
  assert_true(strlen(board->source) > 0);
  need(gpu_load(board->gpu, &gpu, &error), board->gpu, &error);
  gpu_destroy(gpu);
  for (size_t i = 0; i < board->count; i++) {
    const struct board_measurement *m = &board->measurements[i];
    for (size_t t = 0; t < m->term_count; t++) {
      size_t members;
      const size_t launches = load_workloads(m->terms[t].workload, &members);
      assert_int_equal(members, 1); /* a launch is counted within one workload */
      assert_true(m->terms[t].launch < launches);
    }
  }
  board_destroy(board);
}

static void test_boards(void **state) {
  (void)state;
  struct names names = shipped(DATA_BOARD, 1);
  for (size_t i = 0; i < names.count; i++)
    check_board(names.items[i]);
  data_list_free(names.items, names.count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_isa_profiles), cmocka_unit_test(test_gpus),
      cmocka_unit_test(test_workloads),    cmocka_unit_test(test_names_of_workloads_differ),
      cmocka_unit_test(test_boards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
