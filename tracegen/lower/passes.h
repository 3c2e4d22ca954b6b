/* The passes that make native code of a kernel, as one table. Private to tracegen/lower. */
#ifndef TRACEGEN_PASSES_H
#define TRACEGEN_PASSES_H

#include "tracegen/lower/ir/lowering.h"

/* Runs the passes of the table that apply, in order, on the opened module. With REASSEMBLE_PHASES set, prints the time
 * of each under its name; with REASSEMBLE_DUMP_IR=NAME, prints the kernel after pass NAME ("help" prints the table). */
int passes_run(struct lowering *l);

#endif
