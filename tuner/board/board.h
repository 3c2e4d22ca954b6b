/* A board: measurements of a real GPU, or of a synthetic one whose name says so.
 *
 * There are three forms of files (docs/recipes/add-a-board.md): JSON with a list of measurements, schema
 * reassemble.board/1; the same with `points`, whose measurements are the records of a table beside it (CSV, or CSV
 * compressed with zstd) and whose workloads have the table's columns as parameters; and a table alone, with the columns
 * "workload" and "value", "ms" or another unit.
 *
 * A measurement is a weighted sum of launches: one launch; the difference of two; a size that is extrapolated from two
 * smaller ones; all launches of a network.
 * Choice: "board:train" is a board with some of its points only (board_choice.h).
 * Ownership: board_load allocates, board_destroy frees. Errors: all complaints about a file at once, each with its
 * place. Threads: a loaded board is read-only and may be shared. */
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
  double weight; /* weight of the launch's time in the sum */
};

struct board_measurement {
  char *name;
  char *workload;    /* that of its only term; for several terms the sum in words */
  char *description; /* this and source: NULL if not stated */
  char *source;
  char *group; /* measurements of one group are held out together (--cv groups); NULL: none */
  struct board_term *terms;
  size_t term_count;
  double value;  /* in board.unit */
  double spread; /* interquartile range in board.unit; negative: not known */
};

struct board {
  char *path, *name, *unit;                /* unit: one that board_unit_ns knows */
  char *gpu, *driver, *statistic, *source; /* NULL: not stated */
  char *choice;                            /* the choice of its points, "train"; NULL: all */
  double clock_hz;                         /* 0: not stated */
  bool free_scale; /* times are known up to one factor, because the clock is not known; scores allow for it */
  bool is_table;   /* measurements are records of a table, which may be many */
  struct board_measurement *measurements;
  size_t count;
};

/* Loads a board by name or path, with an optional choice of points: "name:train". */
int board_load(const char *name_or_path, struct board **out, struct error *error);
void board_destroy(struct board *board);

/* Returns the nanoseconds of the board's unit, or 0 if values are cycles. */
double board_unit_ns(const struct board *board);
/* Returns a hash of the measured launches and their times. */
uint64_t board_hash(const struct board *board);

/* Loads the GPU `name`, or if that is NULL the one that the board file names. The caller frees it with gpu_destroy. */
int board_load_gpu(const struct board *board, const char *name, struct gpu **out, struct error *error);
/* Adds the board file and `key` to an error about input that names no file yet. Returns -1. */
int board_blame(const struct board *board, const char *key, struct error *error);

#endif
