#include "cli/core/text_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  WIDTH_ELSEWHERE = 80,
  NARROWEST = 40,
  LONGEST_NAME = 24,
  GUTTER = 10,
  HEIGHT = 18,
  MOST_MARKS = 16,
  MOST_RATIO = 8
};

/* The marks of parts, in both alphabets; a part beyond the last shares its mark. */
static const char *const blocks[] = {"█", "▒", "▓", "░", "▚", "▞", "▤", "▥", "▦", "▧", "▨", "▩", "▣", "▢", "▪", "·"};
static const char *const letters[] = {"#", "-", "=", "+", "%", "*", "o", "x", "@", "~", ":", "^", "s", "u", "w", "."};

struct marks {
  const char *const *parts;
  const char *point, *front, *base, *side, *bottom, *corner;
};

static const struct marks unicode = {blocks, "·", "●", "◆", "│", "─", "└"};
static const struct marks ascii = {letters, ".", "*", "B", "|", "-", "+"};

static const struct marks *marks_of_locale(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  const char *value = NULL;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && (!value || value[0] == '\0'); i++)
    value = getenv(names[i]);
  return value && (strcasestr(value, "utf-8") || strcasestr(value, "utf8")) ? &unicode : &ascii;
}

/* Returns the characters of a line of the plot. */
static size_t line_width(const struct view *view) {
  const size_t width = table_terminal_width(view->out);
  return width == 0 ? WIDTH_ELSEWHERE : width < NARROWEST ? NARROWEST : width;
}

/* ---- bars ---- */

static double sum_of(const struct text_bar *bar, size_t parts) {
  double sum = 0;
  for (size_t p = 0; p < parts; p++)
    sum += bar->values[p];
  return sum;
}

/* Numbers the parts that any bar has, in their order; returns how many. The others get -1. */
static size_t number_parts(const struct text_bar *bars, size_t bar_count, size_t part_count, int *numbers) {
  size_t used = 0;
  for (size_t p = 0; p < part_count; p++) {
    numbers[p] = -1;
    for (size_t b = 0; b < bar_count && numbers[p] < 0; b++)
      if (bars[b].values[p] > 0)
        numbers[p] = (int)used++;
  }
  return used;
}

static const char *mark_of(const struct marks *marks, int number) {
  return marks->parts[number < MOST_MARKS ? number : MOST_MARKS - 1];
}

/* Part p ends at the character that its cumulative share comes to, so that rounding does not add up. */
static void say_bar(struct view *view, const struct marks *marks, const double *values, const int *numbers,
                    size_t part_count, double per_character) {
  double end = 0;
  size_t drawn = 0;
  for (size_t p = 0; p < part_count; p++) {
    end += values[p];
    for (; (double)drawn < floor(end / per_character + 0.5); drawn++)
      view_say(view, "%s", mark_of(marks, numbers[p]));
  }
}

static void say_legend(struct view *view, const struct marks *marks, const char *const *parts, const int *numbers,
                       size_t part_count) {
  const char *gap = "";
  for (size_t p = 0; p < part_count; p++)
    if (numbers[p] >= 0) {
      view_say(view, "%s%s %s", gap, mark_of(marks, numbers[p]), parts[p]);
      gap = "  ";
    }
  view_say(view, "\n");
}

/* Returns the width of the column of names, and writes the smallest and the largest sum. */
static int survey(const struct text_bar *bars, size_t bar_count, size_t part_count, double *shortest, double *longest) {
  size_t widest = 0;
  *shortest = INFINITY;
  *longest = 0;
  for (size_t b = 0; b < bar_count; b++) {
    const size_t length = strlen(bars[b].name);
    const double sum = sum_of(&bars[b], part_count);
    widest = length > widest ? length : widest;
    *shortest = fmin(*shortest, sum);
    *longest = fmax(*longest, sum);
  }
  return (int)(widest < LONGEST_NAME ? widest : LONGEST_NAME);
}

void text_plot_bars(struct view *view, const char *const *parts, size_t part_count, const struct text_bar *bars,
                    size_t bar_count, const char *unit) {
  const struct marks *marks = marks_of_locale();
  int *numbers = calloc(part_count + 1, sizeof *numbers);
  double shortest, longest;
  const int name = survey(bars, bar_count, part_count, &shortest, &longest);
  const double width = (double)(line_width(view) - (size_t)name - GUTTER - 4);
  const bool shares = longest > MOST_RATIO * shortest;
  view->failed = view->failed || !numbers;
  if (numbers && longest > 0 && number_parts(bars, bar_count, part_count, numbers) > 0) {
    say_legend(view, marks, parts, numbers, part_count);
    for (size_t b = 0; b < bar_count; b++) {
      const double sum = sum_of(&bars[b], part_count);
      view_say(view, "%-*.*s  ", name, name, bars[b].name);
      say_bar(view, marks, bars[b].values, numbers, part_count, (shares ? sum : longest) / width);
      view_say(view, " %.0f\n", sum);
    }
    if (shares)
      view_say(view, "Each bar is the whole of its %s.\n", unit);
    else
      view_say(view, "One character is %.*f %s.\n", longest / width < 10 ? 2 : 0, longest / width, unit);
  }
  free(numbers);
}

/* ---- points ---- */

struct range {
  double low, high;
};

static void widen(struct range *range, double value) {
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

static size_t place(struct range range, double value, size_t cells) {
  return range.high > range.low ? (size_t)((value - range.low) / (range.high - range.low) * (double)(cells - 1) + 0.5)
                                : 0;
}

enum cell { CELL_EMPTY, CELL_POINT, CELL_FRONT, CELL_BASE };

/* A cell shows the most important of its points. */
static void fill(unsigned char *cells, size_t width, const struct text_point *points, size_t count, struct range x,
                 struct range y) {
  for (size_t i = 0; i < count; i++) {
    unsigned char *cell = &cells[(HEIGHT - 1 - place(y, points[i].y, HEIGHT)) * width + place(x, points[i].x, width)];
    const unsigned char kind = i == 0 ? CELL_BASE : points[i].is_front ? CELL_FRONT : CELL_POINT;
    *cell = kind > *cell ? kind : *cell;
  }
}

static void say_row(struct view *view, const struct marks *marks, const unsigned char *cells, size_t width) {
  const char *const shown[] = {" ", marks->point, marks->front, marks->base};
  size_t end = width;
  while (end > 0 && cells[end - 1] == CELL_EMPTY)
    end--;
  for (size_t i = 0; i < end; i++)
    view_say(view, "%s", shown[cells[i]]);
  view_say(view, "\n");
}

static void say_points(struct view *view, const struct marks *marks, const unsigned char *cells, size_t width,
                       struct range x, struct range y) {
  for (size_t row = 0; row < HEIGHT; row++) {
    if (row == 0 || row == HEIGHT - 1)
      view_say(view, "%*.3g %s", GUTTER - 2, row == 0 ? y.high : y.low, marks->side);
    else
      view_say(view, "%*s %s", GUTTER - 2, "", marks->side);
    say_row(view, marks, cells + row * width, width);
  }
  view_say(view, "%*s %s", GUTTER - 2, "", marks->corner);
  for (size_t i = 0; i < width; i++)
    view_say(view, "%s", marks->bottom);
  view_say(view, "\n%*s%-*.4g%.4g\n", GUTTER, "", (int)width - 6, x.low, x.high);
}

void text_plot_points(struct view *view, const struct text_point *points, size_t count, const char *x_title,
                      const char *y_title) {
  const struct marks *marks = marks_of_locale();
  const size_t width = line_width(view) - GUTTER;
  unsigned char *cells = calloc(HEIGHT * width, 1);
  struct range x = {INFINITY, -INFINITY}, y = x;
  view->failed = view->failed || !cells;
  for (size_t i = 0; i < count; i++) {
    widen(&x, points[i].x);
    widen(&y, points[i].y);
  }
  if (cells && count > 0) {
    fill(cells, width, points, count, x, y);
    view_say(view, "%s over %s (%s front, %s others, %s base)\n", y_title, x_title, marks->front, marks->point,
             marks->base);
    say_points(view, marks, cells, width, x, y);
  }
  free(cells);
}
