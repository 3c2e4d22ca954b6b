/* The description of the virtual board: the file `board` of the capture's folder, which `reassemble run` writes from a
 * GPU file and the layer reads (docs/virtual-board.md).
 *
 * Units are in the names. Ownership: texts live until the next file is read. Threads: read-only once loaded. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_SETTINGS_H
#define TRACEGEN_PROGRAM_VIRTUAL_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tracegen/program/timeline/host_costs.h"

#define VIRTUAL_BOARD_FILE "board"

struct virtual_settings {
  const char *name; /* of the device */
  int64_t cores, clock_hz, max_work_group, warp_size;
  int64_t device_memory_bytes, local_memory_bytes, line_bytes, cache_bytes;
  bool double_precision;
  bool local_in_core; /* local memory is a memory of its own, not a part of global memory */
  bool emulates;      /* the emulator computes launches, and its results go to the device's memory */
  bool compares;      /* every launch is emulated, to be compared */
  bool computes;      /* launches run on the device of this machine; else they leave their buffers as they are */
  bool described;     /* the device says of itself what the GPU file says; else what the device of this machine says */
  bool device_times;  /* commands take as long as on the device of this machine, times their factor (device_time.h) */
  double factors[COMMAND_KINDS], calls_factor, latency_factor;
  double host_scale; /* simulated time that passes while the host runs, for each second of real time */
  struct host_costs costs;
};

/* Reads the file. */
int virtual_settings_read(const char *file, struct virtual_settings *out, struct error *error);
/* Returns false where the folder has no such file, and where it is no description, which is said on stderr. */
bool virtual_settings_load(const char *folder, struct virtual_settings *out);

#endif
