#include "base/process/ranks.h"

#ifdef REASSEMBLE_MPI

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

static bool running;
static int rank, size = 1;
static MPI_Comm at_end; /* apart from the messages of the work */

/* Returns whether mpirun or srun started the program, which the environment tells. The program itself needs no MPI. */
static bool started_by_mpi(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (getenv(names[i]))
      return true;
  return false;
}

int ranks_begin(struct error *error) {
  int provided;
  if (!started_by_mpi())
    return 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return error_set(error, ERROR_WORK, "MPI cannot be started");
  running = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &at_end);
  return 0;
}

enum { WAIT_S = 20 }; /* for other processes that fail alike */

/* Returns whether all processes have called this function, within `seconds`; 0: however long that takes. */
static bool all_come(int seconds) {
  enum { ROUNDS_PER_S = 100 };
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(at_end, &request);
  for (int i = 0; !done && (seconds == 0 || i < seconds * ROUNDS_PER_S); i++) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done)
      nanosleep(&(struct timespec){.tv_nsec = 1000000000 / ROUNDS_PER_S}, NULL);
  }
  return done;
}

void ranks_end(const struct error *failed) {
  const bool alone = failed && failed->kind != ERROR_NONE;
  if (running && !all_come(alone ? WAIT_S : 0)) {
    error_print(failed, stderr);
    MPI_Abort(MPI_COMM_WORLD, error_exit_code(failed));
  }
  if (running)
    MPI_Finalize();
  running = false;
}

int ranks_rank(void) {
  return rank;
}

int ranks_size(void) {
  return size;
}

bool ranks_owns(size_t item) {
  return item % (size_t)size == (size_t)rank;
}

void ranks_join(void *bytes, size_t count) {
  unsigned char *at = bytes;
  while (size > 1 && count > 0) {
    const int part = count < INT_MAX / 2 ? (int)count : INT_MAX / 2;
    MPI_Allreduce(MPI_IN_PLACE, at, part, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    at += part;
    count -= (size_t)part;
  }
}

int ranks_agree(int status, struct error *error) {
  int first = status != 0 ? rank : size;
  if (size == 1)
    return status;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == size)
    return 0;
  struct error of_first = ERROR_INIT;
  if (rank == first && error)
    of_first = *error;
  MPI_Bcast(&of_first, sizeof of_first, MPI_BYTE, first, MPI_COMM_WORLD);
  if (error)
    *error = of_first;
  return -1;
}

bool ranks_are_same(uint64_t digest) {
  uint64_t any = digest, all = ~digest;
  ranks_join(&any, sizeof any);
  ranks_join(&all, sizeof all);
  return size == 1 || any == ~all;
}

#else

int ranks_begin(struct error *error) {
  (void)error;
  return 0;
}

void ranks_end(const struct error *failed) {
  (void)failed;
}

int ranks_rank(void) {
  return 0;
}

int ranks_size(void) {
  return 1;
}

bool ranks_owns(size_t item) {
  (void)item;
  return true;
}

void ranks_join(void *bytes, size_t count) {
  (void)bytes, (void)count;
}

int ranks_agree(int status, struct error *error) {
  (void)error;
  return status;
}

bool ranks_are_same(uint64_t digest) {
  (void)digest;
  return true;
}

#endif
