#include "cli/core/text_plot.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static const char *const parts[] = {"issue", "never", "dram"};
static const struct text_bar bars[] = {{"short", (const double[]){100, 0, 0}},
                                       {"a-longer-name", (const double[]){100, 0, 300}}};

static char *bars_in(const char *locale, const struct text_bar *drawn, size_t count) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct view view;
  setenv("LC_ALL", locale, 1);
  view_begin(&view, false, out, "s/1");
  text_plot_bars(&view, parts, 3, drawn, count, "cycles");
  assert_int_equal(view_end(&view, 0, NULL), 0);
  fclose(out);
  return text;
}

/* 80 columns less the longest name, a gap, and room for the number leave 53 for 400 cycles; 100 of them are 13. */
static void bars_are_as_long_as_their_values(void **state) {
  (void)state;
  char *text = bars_in("C", bars, 2);
  assert_string_equal(text, "# issue  - dram\n"
                            "short          ############# 100\n"
                            "a-longer-name  #############---------------------------------------- 400\n"
                            "One character is 7.55 cycles.\n");
  free(text);
}

static void utf8_has_blocks(void **state) {
  (void)state;
  char *text = bars_in("de_DE.utf8", bars, 1);
  assert_non_null(strstr(text, "█ issue\n"));
  assert_null(strchr(text, '#'));
  free(text);
}

static void very_different_bars_show_shares(void **state) {
  (void)state;
  const struct text_bar different[] = {{"a", (const double[]){10, 0, 0}}, {"b", (const double[]){0, 0, 1000}}};
  char *text = bars_in("C", different, 2);
  const char *a = strchr(text, '#'), *line = strstr(text, "\na  ");
  assert_non_null(a);
  assert_non_null(line);
  assert_int_equal(strspn(line + 4, "#"), 80 - 1 - 14);
  assert_non_null(strstr(text, "Each bar is the whole of its cycles.\n"));
  free(text);
}

static void nothing_is_drawn_of_nothing(void **state) {
  (void)state;
  const struct text_bar empty = {"a", (const double[]){0, 0, 0}};
  char *text = bars_in("C", &empty, 1);
  assert_string_equal(text, "");
  free(text);
}

/* The cheapest point is at the left, the fastest at the top, and a front point hides others in its cell. */
static void points_have_their_places(void **state) {
  (void)state;
  const struct text_point points[] = {
      {100, 1, false}, {50, 0.5, true}, {200, 4, true}, {200, 4, false}, {200, 0.5, false}};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  struct view view;
  setenv("LC_ALL", "C", 1);
  view_begin(&view, false, out, "s/1");
  text_plot_points(&view, points, 5, "area", "Speed-up");
  assert_int_equal(view_end(&view, 0, NULL), 0);
  fclose(out);
  char *lines[24], *rest = text;
  size_t count = 0;
  while (count < 24 && (lines[count] = strsep(&rest, "\n")))
    count++;
  assert_int_equal(count, 22); /* a title, 18 rows, the axis, its ends, and what follows the last line end */
  assert_string_equal(lines[0], "Speed-up over area (* front, . others, B base)");
  assert_int_equal(strlen(lines[1]), 80);
  assert_int_equal(lines[1][79], '*');
  assert_int_equal(lines[18][10], '*');
  assert_int_equal(lines[18][79], '.');
  assert_non_null(strchr(lines[16], 'B'));
  assert_memory_equal(lines[1], "       4 |", 10);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_are_as_long_as_their_values), cmocka_unit_test(utf8_has_blocks),
      cmocka_unit_test(very_different_bars_show_shares), cmocka_unit_test(nothing_is_drawn_of_nothing),
      cmocka_unit_test(points_have_their_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
