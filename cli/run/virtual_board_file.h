/* The description of a virtual board for the layer: a GPU file's rows as the JSON file `board` in the folder of the
 * capture (tracegen/program/board/virtual_settings.h reads it). */
#ifndef CLI_VIRTUAL_BOARD_FILE_H
#define CLI_VIRTUAL_BOARD_FILE_H

#include "base/error.h"
#include "cli/program/time_factors.h"
#include "model/params/gpu.h"
#include "tracegen/program/timeline/host_costs.h"

/* The settings of the program's run. */
struct virtual_board {
  struct gpu *gpu;
  bool described; /* the device says of itself what the GPU file says */
  bool emulates;  /* the emulator computes launches */
  bool compares;  /* every launch is emulated, and its result compared with the device's */
  bool computes;  /* launches run on the device of this machine */
  double host_scale;
  const struct time_factors *device; /* commands take as long as on the device of this machine, so corrected; NULL:
                                        as long as the model predicts */
  double core_clock, memory_clock;   /* with `device`: of the board, as multiples of those of the device */
};

/* Returns what commands cost on this board. What is measured, costs nothing besides. */
struct host_costs board_costs(const struct virtual_board *board);

int virtual_board_write(const struct virtual_board *board, const char *folder, struct error *error);

#endif
