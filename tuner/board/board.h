/* A board: measurements of a real (or, named so, synthetic) GPU.
 *
 * Three forms of file (docs/recipes/add-a-board.md): JSON with a list of measurements, schema reassemble.board/1; the
 * same with `points`, whose measurements are the rows of a table beside it (CSV, or CSV compressed with zstd) and whose
 * workloads have the table's columns as parameters; and a table alone, with the columns "workload" and "value", "ms" or
 * another unit.
 *
 * A measurement is a weighted sum of launches: one launch; the difference of two; a size that is extrapolated from two
 * smaller ones; all launches of a network.
 * Choice:    "board:train" is a board with some of its points only (board_choice.h).
 * Ownership: board_load allocates, board_destroy frees. Errors: all complaints about a file at once, each with its
 *            place. Threads: read-only after loading. */
#ifndef TUNER_BOARD_H
#define TUNER_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/params/gpu.h"

struct board_term {
  char *workload;
  char *groups; /* the work-groups that are traced, as `trace --groups` takes them; NULL: all */
  unsigned launch;
  double weight; /* of its time in the sum */
};

struct board_measurement {
  char *name;
  char *workload;    /* of its only term; of several: the sum in words */
  char *description; /* NULL: none; so for source */
  char *source;
  char *group; /* what is held out together (--cv groups), or NULL */
  struct board_term *terms;
  size_t term_count;
  double value;  /* in board.unit */
  double spread; /* same unit, negative when not known */
};

struct board {
  char *path, *name, *unit;                /* as board_unit_ns knows it */
  char *gpu, *driver, *statistic, *source; /* NULL: not stated */
  char *choice;                            /* of its points: "train"; NULL: all */
  double clock_hz;                         /* 0: not stated */
  bool free_scale; /* times are known up to one factor, as the clock is not known: scores allow for it */
  bool is_table;   /* measurements are rows of a table, which may be many */
  struct board_measurement *measurements;
  size_t count;
};

/* "name", "path", or one of them with the choice of points behind it: "name:train". */
int board_load(const char *name_or_path, struct board **out, struct error *error);
void board_destroy(struct board *board);

/* Nanoseconds of the board's unit; 0 where values are cycles. */
double board_unit_ns(const struct board *board);
/* A number that changes with what is measured and how long it took. */
uint64_t board_hash(const struct board *board);

/* The GPU `name`, or where that is NULL the one that the board file names. The caller gives it to gpu_destroy. */
int board_load_gpu(const struct board *board, const char *name, struct gpu **out, struct error *error);
/* Names the board file and `key` in an error about input that names no file yet. Returns -1. */
int board_blame(const struct board *board, const char *key, struct error *error);

#endif
