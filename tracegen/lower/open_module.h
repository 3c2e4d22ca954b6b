/* The first pass: bitcode -> a module with one kernel, made for the host. Private to tracegen/lower. */
#ifndef TRACEGEN_OPEN_MODULE_H
#define TRACEGEN_OPEN_MODULE_H

#include "tracegen/lower/ir/lowering.h"

/* Reads the bitcode, keeps kernel `name` and what it calls, and sets l->machine, layout, context, module and kernel. An
 * unknown name is an error that lists the kernels and suggests the nearest. */
int open_module(struct lowering *l, const char *bitcode, size_t length, const char *name);

/* Sets l->machine and l->layout, as open_module does. */
int open_machine(struct lowering *l);

#endif
