/* A board file: measurements of a real (or, named so, synthetic) GPU. JSON, schema reassemble.board/1, in
 * datasets/boards. */
#ifndef TUNER_BOARD_H
#define TUNER_BOARD_H

#include <stddef.h>

#include "base/error.h"
#include "model/params/gpu.h"

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

/* The GPU `name`, or where that is NULL the one that the board file names. The caller gives it to gpu_destroy. */
int board_load_gpu(const struct board *board, const char *name, struct gpu **out, struct error *error);
/* Names the board file and `key` in an error about input that names no file yet. Returns -1. */
int board_blame(const struct board *board, const char *key, struct error *error);

#endif
