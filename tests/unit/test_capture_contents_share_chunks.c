/* Contents of buffers that share chunks: later contents hold what has changed, memory that holds some of it is brought
 * up to date, a difference of one bit is found, and a chunk stays until no contents need it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tracegen/program/capture/capture_contents.h"

enum { BYTES = 40000, CHUNKS = 3 };

static char folder[] = "contents-XXXXXX";
static char first[BYTES], second[BYTES];

/* Writes contents as the layer does: the chunks `list` of `bytes`. */
static void write_contents(uint64_t number, uint64_t base, const char *bytes, const uint64_t *list, uint64_t count) {
  static const char zeros[CONTENT_ALIGNMENT];
  const struct content_header header = {CONTENT_MAGIC, BYTES, content_chunk_bytes(BYTES), base, count};
  char *path = contents_path(folder, number);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fwrite(&header, sizeof header, 1, file);
  for (uint64_t i = 0; i < count; i++) {
    const struct content_chunk chunk = {
        list[i], content_digest(bytes + list[i] * header.chunk_bytes, content_chunk_size(BYTES, list[i]))};
    fwrite(&chunk, sizeof chunk, 1, file);
  }
  fwrite(zeros, content_data_offset(count) - sizeof header - count * sizeof(struct content_chunk), 1, file);
  for (uint64_t i = 0; i < count; i++)
    fwrite(bytes + list[i] * header.chunk_bytes, content_chunk_size(BYTES, list[i]), 1, file);
  assert_int_equal(fclose(file), 0);
  free(path);
}

static bool is_there(uint64_t number) {
  char *path = contents_path(folder, number);
  const bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

static void later_contents_hold_what_changed(void **state) {
  static const uint64_t all[] = {0, 1, 2}, changed[] = {1};
  struct capture_control control = {0};
  struct contents c = {.folder = folder, .control = &control};
  uint64_t held[CHUNKS] = {0};
  char memory[BYTES];
  (void)state;
  for (int i = 0; i < BYTES; i++)
    first[i] = second[i] = (char)(i * 7);
  second[20000] ^= 1;
  assert_int_equal(content_chunk_count(BYTES), CHUNKS);
  write_contents(1, 0, first, all, CHUNKS);
  write_contents(2, 1, second, changed, 1);
  assert_int_equal(contents_use(&c, 5, 1, BYTES, NULL), 0);
  assert_int_equal(contents_use(&c, 5, 2, BYTES, NULL), 0);
  assert_int_equal(contents_fill(&c, 1, BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory, first, BYTES);
  assert_true(contents_compare(&c, 1, memory, held));
  assert_false(contents_compare(&c, 2, memory, held));
  assert_int_equal(held[1], 0);
  assert_int_not_equal(held[0], 0);
  memory[0] = 'x'; /* it is believed to be there, so it stays */
  assert_int_equal(contents_fill(&c, 2, BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory + 1, second + 1, BYTES - 1);
  assert_int_equal(memory[0], 'x');
  contents_drop(&c, 1);
  assert_int_equal(atomic_load(&control.freed_bytes), content_chunk_bytes(BYTES)); /* the chunk that changed */
  assert_true(is_there(1));
  memset(held, 0, sizeof held);
  assert_int_equal(contents_fill(&c, 2, BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory, second, BYTES);
  contents_drop(&c, 2);
  assert_true(is_there(2)); /* the buffer's last */
  assert_int_equal(contents_release(&c, 5, NULL), 0);
  assert_true(is_there(2));
  contents_forget_released(&c);
  assert_false(is_there(1) || is_there(2));
  assert_int_equal(atomic_load(&control.freed_bytes), BYTES + content_chunk_bytes(BYTES));
  contents_clear(&c);
}

/* A launch that was skipped after its buffers were saved tells nothing of them; later contents build on them. */
static void a_base_may_be_unknown(void **state) {
  static const uint64_t all[] = {0, 1, 2}, changed[] = {1};
  struct capture_control control = {0};
  struct contents c = {.folder = folder, .control = &control};
  uint64_t held[CHUNKS] = {0};
  char memory[BYTES];
  (void)state;
  write_contents(3, 0, first, all, CHUNKS);
  write_contents(4, 3, second, changed, 1);
  assert_int_equal(contents_use(&c, 5, 4, BYTES, NULL), 0);
  assert_int_equal(contents_fill(&c, 4, BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory, second, BYTES);
  contents_forget(&c, 5);
  contents_drop(&c, 4);
  assert_false(is_there(3) || is_there(4));
  contents_clear(&c);
}

static void files_that_do_not_fit_are_refused(void **state) {
  static const uint64_t all[] = {0, 1, 2}, twice[] = {1, 1}, beyond[] = {3};
  struct capture_control control = {0};
  struct contents c = {.folder = folder, .control = &control};
  uint64_t held[CHUNKS + 1] = {0};
  char memory[BYTES + 1];
  (void)state;
  write_contents(5, 0, first, all, CHUNKS);
  write_contents(6, 5, second, twice, 2);
  write_contents(7, 5, second, beyond, 0);
  write_contents(8, 9, second, all, 1);
  assert_int_equal(contents_use(&c, 5, 5, BYTES + 1, NULL), 0);
  for (uint64_t number = 6; number <= 8; number++)
    assert_int_equal(contents_use(&c, 5, number, BYTES, NULL), 0);
  assert_int_equal(contents_fill(&c, 5, BYTES + 1, memory, held, NULL), -1); /* another size */
  assert_int_equal(contents_fill(&c, 6, BYTES, memory, held, NULL), -1);     /* a chunk twice */
  assert_int_equal(contents_fill(&c, 8, BYTES, memory, held, NULL), -1);     /* a base that comes later */
  assert_int_equal(contents_fill(&c, 99, BYTES, memory, held, NULL), -1);
  for (uint64_t number = 5; number <= 8; number++)
    contents_drop(&c, number);
  contents_forget(&c, 5);
  contents_clear(&c);
}

static void digests_tell_bits_apart(void **state) {
  char bytes[1000] = {0};
  (void)state;
  for (size_t length = 1; length < sizeof bytes; length += 37)
    for (size_t bit = 0; bit < 8 * length; bit += 61) {
      const struct content_digest before = content_digest(bytes, length);
      bytes[bit / 8] = (char)(1 << bit % 8);
      assert_false(content_digests_equal(before, content_digest(bytes, length)));
      assert_false(content_digests_equal(before, content_digest(bytes, length + 1)));
      bytes[bit / 8] = 0;
    }
  bytes[7] = bytes[71] = (char)0x80; /* the highest bits of two words that meet in one lane */
  assert_false(content_digests_equal(content_digest(bytes, 512), content_digest((const char[512]){0}, 512)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_contents_hold_what_changed), cmocka_unit_test(a_base_may_be_unknown),
      cmocka_unit_test(files_that_do_not_fit_are_refused), cmocka_unit_test(digests_tell_bits_apart)};
  if (!mkdtemp(folder))
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed;
}
