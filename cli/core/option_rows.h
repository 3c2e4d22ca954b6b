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
#define PLOT_ROW(flag, what) \
  {.name = "plot", .type = OPTION_FLAG, .target = &(flag), .help = "also draw " what " in text"}
/* clang-format on */

#endif
