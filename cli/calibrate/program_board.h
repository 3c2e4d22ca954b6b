/* Programs and how long they took on one device: what `reassemble calibrate` records and fits. File: JSON, schema
 * "reassemble.programs/1" (docs/virtual-board.md).
 *
 * A program's time is what the unmodified program took by the clock. Its parts are of a run under `reassemble run
 * --time device`, by kind (time_factors.h): `ns` is all of it, `awaited_ns` what the host spent waiting for it, or
 * doing it; these add up to `simulated_ns`.
 * Units: nanoseconds; clocks as multiples of any one clock. Ownership: program_board_load fills, program_board_clear
 * frees. Errors: ERROR_INPUT with the place. Threads: values only. */
#ifndef CLI_PROGRAM_BOARD_H
#define CLI_PROGRAM_BOARD_H

#include <jansson.h>

#include "base/error.h"
#include "cli/program/time_factors.h"

#define PROGRAM_BOARD_SCHEMA "reassemble.programs/1"

struct program_times {
  const char *name;
  json_t *item; /* of the file */
  double total_ns, simulated_ns;
  double core_clock, memory_clock;
  double ns[TIME_KINDS], awaited_ns[TIME_KINDS];
};

struct program_board {
  json_t *root; /* owns the names */
  const char *name;
  struct program_times *items;
  size_t count;
};

/* `measured`: the programs have to have times; else names and commands are enough. */
int program_board_load(const char *path, bool measured, struct program_board *out, struct error *error);
void program_board_clear(struct program_board *board);
/* Returns the program of this name, or NULL. */
const struct program_times *program_board_find(const struct program_board *board, const char *name);
/* Puts the times into the program's item. */
void program_times_put(const struct program_times *times);

#endif
