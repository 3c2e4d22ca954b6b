/* A board file: measurements of a real (or, named so, synthetic) GPU. JSON, schema reassemble.board/1, in
 * datasets/boards. */
#ifndef TUNER_BOARD_H
#define TUNER_BOARD_H

#include <stddef.h>

#include "base/error.h"

struct board_measurement {
  char *name, *workload, *description, *source;
  char *group; /* what is held out together (--cv groups), or NULL */
  unsigned launch;
  double value;  /* in board.unit */
  double spread; /* same unit, negative when not known */
};

struct board {
  char *path, *name, *gpu, *driver, *statistic, *unit /* "cycles" or "ns" */, *source;
  double clock_hz;
  struct board_measurement *measurements;
  size_t count;
};

int board_load(const char *name_or_path, struct board **out, struct error *error);
void board_destroy(struct board *board);

#endif
