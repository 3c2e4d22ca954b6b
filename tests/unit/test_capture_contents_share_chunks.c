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

#include "tracegen/program/capture/capture_stores.h"
#include "tracegen/program/capture/capture_contents.h"

enum { BYTES = 40000, CHUNKS = 3 };

static char folder[] = "contents-XXXXXX";
static char first[BYTES], second[BYTES];
static const uint64_t all[] = {0, 1, 2}, changed[] = {1};

/* A capture's contents, in the store on disk; contents `n` are the n-th there. */
struct fixture {
  struct capture_control control;
  struct contents contents;
  int stores[CONTENT_STORES];
};

static uint64_t nth(uint64_t n) {
  return content_number(STORE_ON_DISK, 1 + 8 * n);
}

static void open_fixture(struct fixture *f) {
  *f = (struct fixture){0};
  assert_int_equal(content_stores_open(folder, &f->control, f->stores, NULL), 0);
  f->contents.control = &f->control;
  memcpy(f->contents.stores, f->stores, sizeof f->stores);
}

static void close_fixture(struct fixture *f) {
  contents_clear(&f->contents);
  content_stores_close(f->stores);
}

/* Writes contents as the layer does: the chunks `list` of `bytes`. */
static void put(const struct fixture *f, uint64_t number, uint64_t base, const char *bytes, const uint64_t *list,
                uint64_t count) {
  const struct content_header header = {CONTENT_MAGIC, BYTES, content_chunk_bytes(BYTES), base, count};
  off_t at = (off_t)content_start(number);
  const int store = f->stores[STORE_ON_DISK];
  assert_int_equal(pwrite(store, &header, sizeof header, at), sizeof header);
  for (uint64_t i = 0, to = content_data_offset(count); i < count; i++) {
    const char *from = bytes + list[i] * header.chunk_bytes;
    const size_t size = content_chunk_size(BYTES, list[i]);
    const struct content_chunk chunk = {list[i], content_digest(from, size)};
    assert_int_equal(pwrite(store, &chunk, sizeof chunk, at + (off_t)(sizeof header + i * sizeof chunk)), sizeof chunk);
    assert_int_equal(pwrite(store, from, size, at + (off_t)to), size);
    to += size;
  }
}

static void expect(struct fixture *f, uint64_t number, const char *bytes) {
  uint64_t held[CHUNKS] = {0};
  char memory[BYTES];
  assert_int_equal(contents_fill(&f->contents, number, BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory, bytes, BYTES);
}

static uint64_t freed(const struct fixture *f) {
  return atomic_load(&f->control.freed_bytes);
}

static void later_contents_hold_what_changed(void **state) {
  struct fixture f;
  uint64_t held[CHUNKS] = {0};
  char memory[BYTES];
  (void)state;
  open_fixture(&f);
  struct contents *c = &f.contents;
  assert_int_equal(content_chunk_count(BYTES), CHUNKS);
  put(&f, nth(1), 0, first, all, CHUNKS);
  put(&f, nth(2), nth(1), second, changed, 1);
  assert_int_equal(contents_use(c, 5, nth(1), BYTES, NULL), 0);
  assert_int_equal(contents_use(c, 5, nth(2), BYTES, NULL), 0);
  assert_int_equal(contents_fill(c, nth(1), BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory, first, BYTES);
  assert_true(contents_compare(c, nth(1), memory, held));
  assert_false(contents_compare(c, nth(2), memory, held));
  assert_int_equal(held[1], 0);
  assert_int_not_equal(held[0], 0);
  memory[0] = 'x'; /* it is believed to be there, so it stays */
  assert_int_equal(contents_fill(c, nth(2), BYTES, memory, held, NULL), 0);
  assert_memory_equal(memory + 1, second + 1, BYTES - 1);
  assert_int_equal(memory[0], 'x');
  close_fixture(&f);
}

/* Contents that two launches and the buffer need go with the last of the three, but for the chunks that others
 * share. */
static void chunks_go_with_their_last_user(void **state) {
  struct fixture f;
  (void)state;
  open_fixture(&f);
  struct contents *c = &f.contents;
  put(&f, nth(1), 0, first, all, CHUNKS);
  put(&f, nth(2), nth(1), second, changed, 1);
  assert_int_equal(contents_use(c, 5, nth(1), BYTES, NULL), 0); /* launch a finds contents 1, */
  assert_int_equal(contents_use(c, 5, nth(2), BYTES, NULL), 0); /* and leaves contents 2, */
  assert_int_equal(contents_use(c, 5, nth(2), BYTES, NULL), 0); /* which launch b finds */
  contents_drop(c, nth(1));
  contents_drop(c, nth(2));
  assert_int_equal(freed(&f), content_chunk_bytes(BYTES)); /* the chunk that changed */
  assert_int_not_equal(contents_check(c, nth(1), BYTES, NULL), 0);
  expect(&f, nth(2), second);
  contents_drop(c, nth(2));
  expect(&f, nth(2), second); /* the buffer's last: the next launch may find them */
  assert_int_equal(contents_release(c, 5, NULL), 0);
  expect(&f, nth(2), second);
  contents_forget_released(c);
  contents_forget(c, 5);
  contents_forget(c, 1000);
  contents_drop(c, nth(2));
  contents_drop(c, nth(1000));
  assert_int_not_equal(contents_check(c, nth(2), BYTES, NULL), 0);
  assert_int_equal(freed(&f), BYTES + content_chunk_bytes(BYTES));
  close_fixture(&f);
}

/* A launch that was skipped after its buffers were saved tells nothing of them; later contents build on them. */
static void a_base_may_be_unknown(void **state) {
  struct fixture f;
  (void)state;
  open_fixture(&f);
  put(&f, nth(3), 0, first, all, CHUNKS);
  put(&f, nth(4), nth(3), second, changed, 1);
  assert_int_equal(contents_use(&f.contents, 5, nth(4), BYTES, NULL), 0);
  expect(&f, nth(4), second);
  contents_forget(&f.contents, 5);
  contents_drop(&f.contents, nth(4));
  assert_int_equal(freed(&f), BYTES + content_chunk_bytes(BYTES));
  close_fixture(&f);
}

static void contents_that_do_not_fit_are_refused(void **state) {
  static const uint64_t twice[] = {1, 1};
  struct fixture f;
  uint64_t held[CHUNKS + 1] = {0};
  char memory[BYTES + 1];
  (void)state;
  open_fixture(&f);
  struct contents *c = &f.contents;
  put(&f, nth(5), 0, first, all, CHUNKS);
  put(&f, nth(6), nth(5), second, twice, 2);
  put(&f, nth(8), nth(8), second, changed, 1);
  assert_int_equal(contents_use(c, 5, nth(5), BYTES + 1, NULL), 0);
  assert_int_equal(contents_fill(c, nth(5), BYTES + 1, memory, held, NULL), -1); /* another size */
  for (uint64_t n = 6; n <= 9; n++) { /* a chunk twice; nothing; its own base; nothing behind the end of the store */
    assert_int_equal(contents_use(c, 5, nth(n), BYTES, NULL), 0);
    assert_int_equal(contents_fill(c, nth(n), BYTES, memory, held, NULL), -1);
    contents_drop(c, nth(n));
  }
  contents_forget(c, 5);
  close_fixture(&f);
}

static void numbers_out_of_reach_are_errors(void **state) {
  struct fixture f;
  struct error error = ERROR_INIT;
  (void)state;
  open_fixture(&f);
  assert_int_equal(contents_use(&f.contents, UINT64_MAX / 2, 1, 1, &error), -1);
  assert_int_equal(error.kind, ERROR_WORK);
  assert_int_equal(contents_use(&f.contents, 1, UINT64_MAX / 2, 1, NULL), -1);
  close_fixture(&f);
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

static uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

static uint64_t stepped(uint64_t lane, uint64_t word) {
  lane = (lane ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return lane << 29 | lane >> 35;
}

/* The digest, word by word. */
static struct content_digest slow_digest(const unsigned char *bytes, size_t length) {
  struct content_digest digest = {{length, ~(uint64_t)length}};
  uint64_t lanes[8];
  for (uint64_t i = 0; i < 8; i++)
    lanes[i] = mixed(i + 1);
  for (size_t at = 0; at < (length + 63) / 64 * 64; at += 8) {
    uint64_t word = 0;
    for (size_t b = 0; b < 8; b++)
      word |= (uint64_t)(at + b < length ? bytes[at + b] : 0) << 8 * b;
    lanes[at / 8 % 8] = stepped(lanes[at / 8 % 8], word);
  }
  for (uint64_t i = 0; i < 8; i++) {
    digest.halves[0] = stepped(digest.halves[0], mixed(lanes[i]));
    digest.halves[1] = stepped(digest.halves[1], mixed(lanes[i] + i + 1));
  }
  return digest;
}

/* Whatever processor this is: digests of several words at once are those of one after the other. */
static void digests_are_those_of_word_by_word(void **state) {
  unsigned char bytes[1000];
  (void)state;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(mixed(i) >> 20);
  for (size_t length = 0; length + 3 < sizeof bytes; length += length < 140 ? 1 : 37)
    for (size_t start = 0; start < 3; start++)
      assert_true(content_digests_equal(content_digest(bytes + start, length), slow_digest(bytes + start, length)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(later_contents_hold_what_changed),
                                     cmocka_unit_test(chunks_go_with_their_last_user),
                                     cmocka_unit_test(a_base_may_be_unknown),
                                     cmocka_unit_test(contents_that_do_not_fit_are_refused),
                                     cmocka_unit_test(numbers_out_of_reach_are_errors),
                                     cmocka_unit_test(digests_tell_bits_apart),
                                     cmocka_unit_test(digests_are_those_of_word_by_word)};
  for (int i = 0; i < BYTES; i++)
    first[i] = second[i] = (char)(i * 7);
  second[20000] ^= 1;
  if (!mkdtemp(folder))
    return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
