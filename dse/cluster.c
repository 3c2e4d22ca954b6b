#include "dse/cluster.h"

#ifdef REASSEMBLE_MPI

#include <stdlib.h>

#include <mpi.h>

/* Same build on all ranks, so structures travel as bytes. */
struct answer { /* worker -> rank 0; the first one only says hello */
  uint64_t digest;
  uint64_t pair;
  bool exact;
  double measures[MOST_MEASURES];
  struct error error;
};

enum { TAG_ANSWER, TAG_PAIR };
static const uint64_t dismissed = UINT64_MAX;

static bool running;
static int rank, size = 1;
static int waiting; /* rank 0: workers that have not been dismissed */

/* mpirun and srun say so in the environment; the program by itself needs no MPI. */
static bool started_by_mpi(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (getenv(names[i]) != NULL)
      return true;
  return false;
}

int cluster_begin(struct error *error) {
  int provided;
  if (!started_by_mpi())
    return 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    return error_set(error, ERROR_WORK, "MPI cannot be started");
  running = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  waiting = size - 1;
  return 0;
}

static int receive(struct answer *answer) {
  MPI_Status status;
  MPI_Recv(answer, sizeof *answer, MPI_BYTE, MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &status);
  return status.MPI_SOURCE;
}

static void send_pair(int worker, uint64_t pair) {
  MPI_Send(&pair, 1, MPI_UINT64_T, worker, TAG_PAIR, MPI_COMM_WORLD);
  waiting -= pair == dismissed;
}

void cluster_end(void) {
  struct answer answer;
  while (running && rank == 0 && waiting > 0)
    send_pair(receive(&answer), dismissed);
  if (running)
    MPI_Finalize();
  running = false;
}

int cluster_rank(void) {
  return rank;
}

int cluster_size(void) {
  return size;
}

static void evaluate_pair(const struct points *points, const struct evaluation *evaluation, uint64_t pair,
                          struct answer *answer) {
  const size_t design = (size_t)pair / evaluation->workload_count, workload = (size_t)pair % evaluation->workload_count;
  struct gpu_spec spec;
  points_spec(points, points->first_points[design], &spec, NULL);
  answer->pair = pair;
  evaluate(evaluation, &spec, workload, answer->measures, &answer->exact, &answer->error);
}

void cluster_work(const struct points *points, const struct evaluation *evaluation, uint64_t digest,
                  const struct error *failed) {
  struct answer answer = {.digest = digest, .pair = dismissed, .error = *failed};
  for (;;) {
    uint64_t pair;
    MPI_Send(&answer, sizeof answer, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    MPI_Recv(&pair, 1, MPI_UINT64_T, 0, TAG_PAIR, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (pair == dismissed)
      return;
    evaluate_pair(points, evaluation, pair, &answer);
  }
}

static int take(const struct run *run, const struct answer *answer, int worker, uint64_t digest, struct error *error) {
  const size_t workloads = run->evaluation->workload_count;
  if (answer->error.kind != ERROR_NONE)
    return error_set(error, answer->error.kind, "process %d: %s", worker, answer->error.text);
  if (answer->digest != digest)
    return error_set(error, ERROR_INPUT,
                     "process %d has other traces, another sweep or another GPU than process 0: use the same files and "
                     "the same build everywhere",
                     worker);
  if (answer->pair == dismissed)
    return 0;
  return run_keep(run, (size_t)answer->pair / workloads, (size_t)answer->pair % workloads, answer->measures,
                  answer->exact, error);
}

int cluster_dispatch(const struct run *run, const size_t *pairs, size_t count, uint64_t digest,
                     struct progress *progress, struct error *error) {
  size_t next = 0;
  int status = 0;
  while (waiting > 0) {
    struct answer answer;
    const int worker = receive(&answer);
    if (status == 0)
      status = take(run, &answer, worker, digest, error);
    if (answer.pair != dismissed)
      progress_add(progress, 1);
    send_pair(worker, status == 0 && next < count ? pairs[next++] : dismissed);
  }
  return status;
}

#else

#include <assert.h>

int cluster_begin(struct error *error) {
  (void)error;
  return 0;
}

void cluster_end(void) {
}

int cluster_rank(void) {
  return 0;
}

int cluster_size(void) {
  return 1;
}

void cluster_work(const struct points *points, const struct evaluation *evaluation, uint64_t digest,
                  const struct error *failed) {
  (void)points, (void)evaluation, (void)digest, (void)failed;
  assert(!"one process has no workers");
}

int cluster_dispatch(const struct run *run, const size_t *pairs, size_t count, uint64_t digest,
                     struct progress *progress, struct error *error) {
  (void)run, (void)pairs, (void)count, (void)digest, (void)progress;
  return error_set(error, ERROR_WORK, "built without MPI");
}

#endif
