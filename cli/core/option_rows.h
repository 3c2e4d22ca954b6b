/* Rows of options that several commands have, each declared once. */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include "cli/core/options.h"

/* clang-format off */
#define GPU_ROW(text, about) \
  {.name = "gpu", .letter = 'g', .argument = "GPU", .type = OPTION_TEXT, .target = &(text), .help = about}
#define BOARD_ROW(text, about) \
  {.name = "board", .letter = 'b', .argument = "BOARD", .type = OPTION_TEXT, .target = &(text), .help = about}
#define OUTPUT_ROW(text, what, about) \
  {.name = "output", .letter = 'o', .argument = what, .type = OPTION_OUTPUT, .target = &(text), .help = about}
#define TUNED_PARAMS_ROW(text, about) \
  {.name = "params", .letter = 'p', .argument = "LIST", .type = OPTION_TEXT, .target = &(text), .help = about}
#define CROSS_VALIDATION_ROW(text, about) \
  {.name = "cv", .argument = "loo|kfold=K|groups", .type = OPTION_TEXT, .target = &(text), .help = about}
/* Of an emulated launch; 0 is the default. */
#define TIMEOUT_ROW(seconds) \
  {.name = "timeout", .argument = "SECONDS", .type = OPTION_REAL, .target = &(seconds), .minimum = 0.001, \
   .maximum = 1e6, .help = "stop the emulation of a launch after this time (600)"}
/* clang-format on */

#endif
