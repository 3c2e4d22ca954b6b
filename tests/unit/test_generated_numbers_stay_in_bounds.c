/* Numbers that generated code passes to the emulator are checked before they are used as an index: a number out of
 * range ends the run with a message, and nothing is written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tracegen/run/group/group_run.h"

#define PRIVATE_BYTES 128u
#define ITEMS         2u

static jmp_buf stopped;
static struct error said;

static void stop(void *user, const struct error *error) __attribute__((noreturn));
static void stop(void *user, const struct error *error) {
  (void)user;
  said = *error;
  longjmp(stopped, 1);
}

/* A launch of a kernel without tables, with private memory and its shadow. */
struct fixture {
  struct kernel_program program;
  struct run_request request;
  struct group_run run;
  struct item_context item;
  char memory[ITEMS * PRIVATE_BYTES];
  char shadow[ITEMS * PRIVATE_BYTES + 1];
};

static struct fixture *f;

static int open_fixture(void **state) {
  (void)state;
  f = aligned_alloc(256, (sizeof *f + 255) / 256 * 256);
  memset(f, 0, sizeof *f);
  static char name[] = "k", source[] = "k.cl";
  f->program = (struct kernel_program){.name = name, .source = source, .private_bytes = PRIVATE_BYTES};
  f->request = (struct run_request){.program = &f->program, .fail = stop};
  f->run = (struct group_run){.request = &f->request,
                              .program = &f->program,
                              .alive = ITEMS,
                              .private_memory = f->memory,
                              .shadow = {.private_memory = f->shadow, .checks_items = true}};
  f->item.run = &f->run;
  f->item.private_memory = f->memory;
  said = (struct error)ERROR_INIT;
  return 0;
}

static int close_fixture(void **state) {
  (void)state;
  free(f);
  return 0;
}

static void expect_said(const char *part) {
  assert_int_equal(said.kind, ERROR_WORK);
  assert_non_null(strstr(said.text, part));
}

static void store_of_shadow(uint64_t mask, uint64_t address) {
  emulation_undefined_store(&f->item, mask << 32 | 1, address);
}

static void shadow_is_written_up_to_its_end(void **state) {
  (void)state;
  store_of_shadow(3, (uintptr_t)f->memory + sizeof f->memory - 2);
  assert_int_equal(f->shadow[sizeof f->memory - 1], SHADOW_UNWRITTEN + 1);
  assert_int_equal(f->shadow[sizeof f->memory], 0);
}

static void shadow_is_not_written_behind_its_end(void **state) {
  (void)state;
  if (!setjmp(stopped))
    store_of_shadow(7, (uintptr_t)f->memory + sizeof f->memory - 2);
  expect_said("3 bytes at distance 254 in memory of 256 bytes");
  assert_int_equal(f->shadow[sizeof f->memory - 1], 0);
}

static void shadow_is_not_written_in_front(void **state) {
  (void)state;
  if (!setjmp(stopped))
    store_of_shadow(1, (uintptr_t)f->memory - 1);
  expect_said("1 bytes at distance -1 in memory of 256 bytes");
}

static void tables_end_where_they_end(void **state) {
  (void)state;
  if (!setjmp(stopped))
    emulation_undefined_variable(&f->item, 1, 0);
  expect_said("number 0 of 0 variables");
  said = (struct error)ERROR_INIT;
  if (!setjmp(stopped))
    emulation_elided_access(&f->item, UINT64_C(7) << 32, 0);
  expect_said("number 7 of 0 accesses");
  said = (struct error)ERROR_INIT;
  if (!setjmp(stopped))
    emulation_bad_access(&f->item, 12, 0);
  expect_said("number 12 of 0 memory operations");
  said = (struct error)ERROR_INIT;
  if (!setjmp(stopped))
    emulation_image(&f->item, 5, 0);
  expect_said("number 5 of 0 image calls");
  said = (struct error)ERROR_INIT;
  if (!setjmp(stopped))
    emulation_group_call(&f->item, UINT64_C(200000) << 32, 0);
  expect_said("number 200000 of 3 kinds of calls");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(shadow_is_written_up_to_its_end, open_fixture, close_fixture),
      cmocka_unit_test_setup_teardown(shadow_is_not_written_behind_its_end, open_fixture, close_fixture),
      cmocka_unit_test_setup_teardown(shadow_is_not_written_in_front, open_fixture, close_fixture),
      cmocka_unit_test_setup_teardown(tables_end_where_they_end, open_fixture, close_fixture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
