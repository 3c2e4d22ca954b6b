/* The virtual board: wrappers above those of the capture, which make a program believe that it runs on the described
 * GPU (docs/virtual-board.md). Private to the layer. */
#ifndef TRACEGEN_PROGRAM_VIRTUAL_BOARD_H
#define TRACEGEN_PROGRAM_VIRTUAL_BOARD_H

#include "tracegen/program/board/virtual_command.h"
#include "tracegen/program/board/virtual_settings.h"

/* Puts the wrappers into the table, which holds those of the capture, if the capture's folder describes a board. */
void virtual_board_wrap(cl_icd_dispatch *table);

/* Each puts its wrappers into the table. */
void virtual_wrap_device(cl_icd_dispatch *table, const struct virtual_settings *settings);
void virtual_wrap_host_calls(cl_icd_dispatch *table, const struct virtual_settings *settings);

#endif
