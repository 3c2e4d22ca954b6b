/* The description of a virtual board for the layer: a GPU file's rows as the JSON file `board` in the folder of the
 * capture (tracegen/program/board/virtual_settings.h reads it). */
#ifndef CLI_VIRTUAL_BOARD_FILE_H
#define CLI_VIRTUAL_BOARD_FILE_H

#include "base/error.h"
#include "model/params/gpu.h"
#include "tracegen/program/timeline/host_costs.h"

/* Returns what commands cost on this GPU. */
struct host_costs board_costs(const struct gpu_spec *spec);

/* `computes`: launches run on the device of this machine. */
int virtual_board_write(const struct gpu *gpu, double host_scale, bool computes, const char *folder,
                        struct error *error);

#endif
