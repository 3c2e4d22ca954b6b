/* base/spill.h: beyond the window arrays lie in a file and keep what was written, however often they leave the
 * process's memory; they give all of it back; so do pages at other addresses; where there can be no file they are plain
 * memory; a child of a fork has a file of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/spill.h"

enum { ARRAYS = 24, ELEMENTS = 4 << 20, PART = 1024 }; /* 16 MiB each, six windows together */

struct array {
  uint32_t *memory;
  size_t capacity;
};

static uint32_t number(unsigned array, size_t i) {
  return (uint32_t)i * 2654435761u + array;
}

static size_t resident(void) {
  size_t pages = 0, ignored;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%zu %zu", &ignored, &pages) != 2)
    fail_msg("no /proc/self/statm");
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void expect_resident_below(size_t most) {
#ifdef REASSEMBLE_SANITIZED /* shadow memory counts too */
  (void)most;
#else
  assert_true(resident() < most);
#endif
}

/* Grows all at once, part by part, so that each moves many times. */
static void fill(struct array *list) {
  for (size_t part = 0; part < ELEMENTS; part += PART)
    for (unsigned a = 0; a < ARRAYS; a++) {
      if (!spill_room(&list[a].memory, &list[a].capacity, part + PART, sizeof *list[a].memory))
        fail_msg("no memory for %zu numbers", part + PART);
      for (size_t i = part; i < part + PART; i++)
        list[a].memory[i] = number(a, i);
      spill_touched(PART * sizeof *list[a].memory);
    }
}

static void check(const struct array *list) {
  for (unsigned a = 0; a < ARRAYS; a++)
    for (size_t i = 0; i < ELEMENTS; i++) {
      if (i % SPILL_ROUNDS == 0)
        spill_touched(SPILL_ROUNDS * sizeof *list[a].memory);
      if (list[a].memory[i] != number(a, i))
        fail_msg("array %u, number %zu: found %u, expected %u", a, i, list[a].memory[i], number(a, i));
    }
}

static void clear(struct array *list) {
  for (unsigned a = 0; a < ARRAYS; a++) {
    spill_free(list[a].memory, list[a].capacity * sizeof *list[a].memory);
    list[a] = (struct array){0};
  }
}

static void what_is_beyond_the_window_lies_in_a_file(void **state) {
  struct array list[ARRAYS] = {0};
  const size_t before = resident(), all = (size_t)ARRAYS * ELEMENTS * sizeof(uint32_t);
  (void)state;
  for (int round = 0; round < 2; round++) { /* the second takes the places of the first */
    fill(list);
    check(list);
    assert_in_range(spill_bytes(), all - SPILL_WINDOW, all);
    expect_resident_below(before + 2 * SPILL_WINDOW + SPILL_WINDOW / 2);
    clear(list);
    assert_int_equal(spill_bytes(), 0);
  }
}

/* In a process of its own: what is tried there once holds for good. */
static void in_a_child(void (*run)(void)) {
  int status;
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    run();
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void fill_and_check(void) {
  struct array list[ARRAYS] = {0};
  fill(list);
  check(list);
  clear(list);
}

static void expect_none(void) {
  struct array list[ARRAYS] = {0};
  fill(list);
  check(list);
  if (spill_bytes() != 0)
    _exit(1);
  clear(list);
}

static void into_no_folder(void) {
  spill_into("no-such-folder");
  expect_none();
}

static void with_a_limit(void) {
  setrlimit(RLIMIT_FSIZE, &(const struct rlimit){1 << 30, 1 << 30});
  spill_into(".");
  expect_none();
}

static void where_there_can_be_no_file_they_are_plain(void **state) {
  (void)state;
  in_a_child(expect_none);
  in_a_child(into_no_folder);
  in_a_child(with_a_limit);
}

static void a_child_spills_into_a_file_of_its_own(void **state) {
  struct array list[ARRAYS] = {0};
  (void)state;
  fill(list);
  in_a_child(fill_and_check);
  check(list);
  clear(list);
}

/* Pages at addresses of one's own, of which every second piece stays what it was. */
static void pages_of_the_file_lie_where_they_are_wanted(void **state) {
  const size_t piece = (size_t)1 << 20, count = 128;
  char *memory = mmap(NULL, 2 * count * piece, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const size_t before = resident();
  (void)state;
  assert_true(memory != MAP_FAILED);
  for (size_t i = 0; i < count; i++) {
    assert_true(spill_map(memory + 2 * i * piece, piece));
    memset(memory + 2 * i * piece, (int)i + 1, piece);
  }
  assert_int_equal(spill_bytes(), count * piece);
  expect_resident_below(before + SPILL_WINDOW);
  for (size_t i = 0; i < count * piece; i++)
    if (memory[i / piece * 2 * piece + i % piece] != (char)(i / piece + 1))
      fail_msg("byte %zu of piece %zu was lost", i % piece, i / piece);
  spill_unmap(memory, count * piece);
  assert_int_equal(spill_bytes(), count / 2 * piece);
  assert_int_equal(memory[count * piece], (char)(count / 2 + 1));
  spill_unmap(memory + count * piece, count * piece);
  assert_int_equal(spill_bytes(), 0);
  assert_int_equal(munmap(memory, 2 * count * piece), 0);
}

static int begin(void **state) {
  (void)state;
  spill_into(".");
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_there_can_be_no_file_they_are_plain),
      cmocka_unit_test_setup(what_is_beyond_the_window_lies_in_a_file, begin),
      cmocka_unit_test(pages_of_the_file_lie_where_they_are_wanted),
      cmocka_unit_test(a_child_spills_into_a_file_of_its_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
