/* Plots in text, for a terminal: stacked bars, and points of which some form a front.
 *
 * Shapes: as wide as the terminal, 80 columns where the output is none. Marks are Unicode's blocks and circles where
 * the
 *         environment (the first of LC_ALL, LC_CTYPE, LANG that is set) names UTF-8, else ASCII.
 * Errors: running out of memory is remembered by the view (cli/core/view.h). JSON gets nothing. */
#ifndef CLI_TEXT_PLOT_H
#define CLI_TEXT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/core/view.h"

struct text_bar {
  const char *name;
  const double *values; /* of each part, none below 0 */
};

/* A line a bar, after a legend of the parts that are not zero everywhere. The longest bar fills the line; where it
 * is more than eight times the shortest, each does, so that parts can be compared. The sum stands behind each. */
void text_plot_bars(struct view *view, const char *const *parts, size_t part_count, const struct text_bar *bars,
                    size_t bar_count, const char *unit);

struct text_point {
  double x, y;
  bool is_front;
};

/* The first point is the base, which is marked, too. */
void text_plot_points(struct view *view, const struct text_point *points, size_t count, const char *x_title,
                      const char *y_title);

#endif
