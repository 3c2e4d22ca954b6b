/* A trace that was cut off anywhere, or in which any bit was flipped, is refused; lies under right checksums never
 * crash the reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "random_trace.h"
#include "reframe.h"
#include "rounds.h"

static char path[] = "/tmp/trace-damage-XXXXXX";

static unsigned char *slurp(size_t *length) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  unsigned char *data = malloc(1 << 20);
  assert_non_null(data);
  *length = fread(data, 1, 1 << 20, file);
  fclose(file);
  return data;
}

static void spill(const unsigned char *data, size_t length) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static unsigned char *small_trace(uint32_t seed, size_t *length) {
  struct error error = ERROR_INIT;
  const struct random_trace_options options = {.seed = seed, .max_local = 6, .groups = 3};
  if (random_trace_write(path, &options, NULL, &error) != 0)
    fail_msg("%s", error.text);
  return slurp(length);
}

static void every_truncation(void **state) {
  (void)state;
  for (uint32_t seed = 1; seed < 4; seed++) {
    size_t length;
    unsigned char *data = small_trace(seed, &length);
    assert_int_equal(read_whole_trace(path, NULL), 0);
    for (size_t cut = 0; cut < length; cut++) {
      struct error error = ERROR_INIT;
      spill(data, cut);
      assert_int_equal(read_whole_trace(path, &error), -1);
      assert_int_equal(error.kind, ERROR_INPUT);
      assert_true(cut == 0 || strstr(error.text, "cut off") || strstr(error.text, "not a trace"));
    }
    free(data);
  }
}

static void every_bit(void **state) {
  (void)state;
  size_t length;
  unsigned char *data = small_trace(5, &length);
  for (size_t bit = 0; bit < 8 * length; bit++) {
    struct error error = ERROR_INIT;
    data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    spill(data, length);
    assert_int_equal(read_whole_trace(path, &error), -1);
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_true(bit / 8 < 16 || strstr(error.text, "frame"));
    data[bit / 8] ^= (unsigned char)(1u << bit % 8);
  }
  free(data);
}

static void bytes_behind_the_end(void **state) {
  (void)state;
  size_t length;
  unsigned char *data = small_trace(7, &length);
  data[length] = 0;
  spill(data, length + 1);
  struct error error = ERROR_INIT;
  assert_int_equal(read_whole_trace(path, &error), -1);
  assert_non_null(strstr(error.text, "bytes behind the last frame"));
  free(data);
}

static void lie(struct loose_trace *t, struct random_state *random) {
  struct loose_frame *f = &t->frames[random_below(random, (uint32_t)t->count)];
  for (uint32_t n = 1 + random_below(random, 3); n > 0 && f->length > 0; n--) {
    unsigned char *byte = &f->raw[random_below(random, (uint32_t)f->length)];
    switch (random_below(random, 4)) {
    case 0:
      *byte ^= (unsigned char)(1u << random_below(random, 8));
      break;
    case 1:
      *byte = (unsigned char)random_next(random);
      break;
    case 2:
      *byte = 0xff;
      break;
    default:
      f->length = random_below(random, (uint32_t)f->length + 1);
    }
  }
}

/* Most lies are found; those that are not only tell of another, equally valid execution. */
static void lies_do_not_crash(void **state) {
  (void)state;
  struct random_state random = {2026};
  const uint32_t lies = rounds(3000);
  unsigned found = 0;
  for (uint32_t i = 0; i < lies; i++) {
    struct loose_trace t;
    struct error error = ERROR_INIT;
    const struct random_trace_options options = {.seed = i / 50, .max_local = 6, .groups = 3};
    if (i % 50 == 0)
      assert_int_equal(random_trace_write("origin", &options, NULL, NULL), 0);
    loose_trace_read("origin", &t);
    lie(&t, &random);
    loose_trace_write(path, &t);
    if (read_whole_trace(path, &error) != 0) {
      found++;
      assert_true(error.text[0] != '\0');
    }
    loose_trace_clear(&t);
  }
  remove("origin");
  print_message("%u of %u lies found\n", found, lies);
  assert_true(found > lies / 3);
}

int main(void) {
  const int file = mkstemp(path);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_truncation), cmocka_unit_test(every_bit),
                                     cmocka_unit_test(bytes_behind_the_end), cmocka_unit_test(lies_do_not_crash)};
  if (file < 0)
    return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  remove(path);
  return failed;
}
