#include "tracegen/program/board/virtual_board.h"

#include <stdlib.h>

#include "tracegen/program/board/device_time.h"
#include "tracegen/program/board/virtual_launch.h"
#include "tracegen/program/board/virtual_precision.h"

cl_icd_dispatch captured;

void virtual_board_wrap(cl_icd_dispatch *table) {
  static struct virtual_settings settings;
  const char *folder = getenv("REASSEMBLE_CAPTURE");
  if (!folder || !virtual_settings_load(folder, &settings) || !virtual_launch_open(folder, &settings) ||
      !virtual_time_open(folder, &settings))
    return;
  captured = *table;
  if (settings.described)
    virtual_wrap_device(table, &settings);
  virtual_wrap_device_times(table, &settings);
  virtual_wrap_host_calls(table, &settings);
  virtual_wrap_precision(table, &settings);
  virtual_wrap_transfers(table);
  virtual_wrap_images(table);
  virtual_wrap_maps(table);
  virtual_wrap_queues(table);
  virtual_wrap_events(table);
  virtual_wrap_launches(table);
}
