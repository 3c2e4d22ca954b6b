/* Several processes, started by mpirun or srun, that run the same command on the same files and share its work.
 *
 * Purpose: each process does the items that it owns, and then all get the results of all, so that they decide alike
 *          what is next. Built with -DREASSEMBLE_MPI=ON; otherwise, and where the program was started alone, there is
 *          one process, which owns all items, and the other functions do nothing.
 * Order:   all processes have to call ranks_join, ranks_agree and ranks_are_same in the same order.
 * Errors:  a message of MPI that fails ends all processes. Threads: one only. */
#ifndef BASE_RANKS_H
#define BASE_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

int ranks_begin(struct error *error);
/* Waits for the other processes and ends MPI. If they do not come, because this process alone failed, it prints the
 * error, unless that is NULL, and ends all. */
void ranks_end(const struct error *failed);
/* Returns the number of this process, which is less than the number of processes. */
int ranks_rank(void);
int ranks_size(void);

/* Returns whether this process does the item with this number. */
bool ranks_owns(size_t item);
/* Combines the bytes of all processes by "or": each wrote those of its items, and the others are 0. */
void ranks_join(void *bytes, size_t count);
/* Returns `status` where it is 0 in all processes; else -1, and `error` is that of the first process that failed. */
int ranks_agree(int status, struct error *error);
/* Returns whether the digests of all processes are equal. */
bool ranks_are_same(uint64_t digest);

#endif
