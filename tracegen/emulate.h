/* The door of the emulator: what other folders may use of tracegen.
 *
 * emulate_workload (process/emulation.h) runs a workload's kernels and writes their traces. front_ends
 * (front/front_end.h) lists the languages that it understands. worker_pool (process/worker_pool.h) keeps processes that
 * have built a kernel for later launches of it. Two other doors are process/kernel_list.h, which describes the kernels
 * of a source file, and program/capture/capture.h, which emulates the launches of a whole program. No room of tracegen
 * includes this file. */
#ifndef TRACEGEN_EMULATE_H
#define TRACEGEN_EMULATE_H

#include "tracegen/front/front_end.h"
#include "tracegen/process/emulation.h"
#include "tracegen/process/worker_pool.h"

#endif
