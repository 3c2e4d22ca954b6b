/* Writes measurements as a board file (schema reassemble.board/1, datasets/README.md), which validate and tune
 * read. */
#ifndef MEASURE_BOARD_FILE_H
#define MEASURE_BOARD_FILE_H

#include "measure/measure.h"

struct board_facts {
  const char *name;  /* of the board file */
  const char *board; /* the machine, for people; NULL: the device's name */
  const char *gpu;   /* the GPU description that predicts it */
  const char *tool;  /* program and version */
  uint64_t clock_hz; /* 0: the clock that the device reports */
  const struct device *device;
  const struct measure_options *options;
};

/* Writes the whole file or none. */
int board_file_write(const char *path, const struct board_facts *facts, const struct measurements *measurements,
                     struct error *error);

#endif
