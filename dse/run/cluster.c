#include "dse/run/cluster.h"

#ifdef REASSEMBLE_MPI

#include <stdlib.h>

#include <mpi.h>

#include "base/process/ranks.h"

/* All ranks run the same build, so structures are sent as bytes. */
struct answer { /* from a worker to rank 0, followed by its results; the first one only announces the worker */
  uint64_t digest;
  struct run_unit unit;
  uint32_t results;
  struct error error;
};

struct order { /* from rank 0 to a worker */
  bool dismissed;
  struct run_unit unit;
};

enum { TAG_ANSWER, TAG_RESULTS, TAG_ORDER };

static int unheard;              /* rank 0: number of workers that have not answered yet, or are at work */
static int *idle, idle_count;    /* rank 0: workers that wait for an order, and their number */
static struct run_result *taken; /* rank 0: [FAMILY_MOST], results of the last answer */

int cluster_begin(struct error *error) {
  if (ranks_begin(error) != 0)
    return -1;
  unheard = ranks_size() - 1;
  idle = calloc((size_t)ranks_size(), sizeof *idle);
  taken = calloc(FAMILY_MOST, sizeof *taken);
  if (!idle || !taken)
    return error_no_memory(error);
  return 0;
}

/* Receives an answer, and its results into `taken`. */
static int receive(struct answer *answer) {
  MPI_Status status;
  MPI_Recv(answer, sizeof *answer, MPI_BYTE, MPI_ANY_SOURCE, TAG_ANSWER, MPI_COMM_WORLD, &status);
  if (answer->results > 0)
    MPI_Recv(taken, (int)(answer->results * sizeof *taken), MPI_BYTE, status.MPI_SOURCE, TAG_RESULTS, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  unheard--;
  idle[idle_count++] = status.MPI_SOURCE;
  return status.MPI_SOURCE;
}

static void send(const struct order *order) {
  MPI_Send(order, sizeof *order, MPI_BYTE, idle[--idle_count], TAG_ORDER, MPI_COMM_WORLD);
  unheard += !order->dismissed;
}

void cluster_end(void) {
  struct answer answer;
  const struct order dismissal = {.dismissed = true};
  while (ranks_rank() == 0 && (unheard > 0 || idle_count > 0)) {
    if (idle_count == 0)
      receive(&answer);
    send(&dismissal);
  }
  ranks_end(NULL);
  free(idle);
  free(taken);
  idle = NULL;
  taken = NULL;
}

static void answer_order(const struct points *points, const struct evaluation *evaluation,
                         const struct families *families, const struct order *order, struct run_result *results,
                         struct answer *answer) {
  answer->unit = order->unit;
  answer->results = 0;
  if (run_unit_do(points, evaluation, families, &order->unit, results, &answer->error) == 0)
    answer->results = (uint32_t)run_unit_results(families, &order->unit);
}

void cluster_work(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                  uint64_t digest, const struct error *failed) {
  struct answer answer = {.digest = digest, .error = *failed};
  for (;;) {
    struct order order;
    MPI_Send(&answer, sizeof answer, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD);
    if (answer.results > 0)
      MPI_Send(taken, (int)(answer.results * sizeof *taken), MPI_BYTE, 0, TAG_RESULTS, MPI_COMM_WORLD);
    MPI_Recv(&order, sizeof order, MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order.dismissed)
      return;
    answer_order(points, evaluation, families, &order, taken, &answer);
  }
}

static int take(const struct run *run, const struct answer *answer, int worker, struct error *error) {
  if (answer->error.kind != ERROR_NONE)
    return error_set(error, answer->error.kind, "process %d: %s", worker, answer->error.text);
  if (answer->digest != run->digest)
    return error_set(error, ERROR_INPUT,
                     "process %d has other traces, another sweep or another GPU than process 0: use the same files and "
                     "the same build everywhere",
                     worker);
  return run_keep(run, answer->unit.workload, taken, answer->results, error);
}

int cluster_dispatch(const struct run *run, const struct run_unit *units, size_t count, struct progress *progress,
                     struct error *error) {
  size_t next = 0;
  int status = 0;
  while (unheard > 0 || (status == 0 && next < count)) {
    struct answer answer;
    if (idle_count > 0 && status == 0 && next < count) {
      send(&(struct order){.unit = units[next++]});
      continue;
    }
    const int worker = receive(&answer);
    if (status == 0)
      status = take(run, &answer, worker, error);
    progress_add(progress, answer.results);
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

void cluster_work(const struct points *points, const struct evaluation *evaluation, const struct families *families,
                  uint64_t digest, const struct error *failed) {
  (void)points, (void)evaluation, (void)families, (void)digest, (void)failed;
  assert(!"one process has no workers");
}

int cluster_dispatch(const struct run *run, const struct run_unit *units, size_t count, struct progress *progress,
                     struct error *error) {
  (void)run, (void)units, (void)count, (void)progress;
  return error_set(error, ERROR_WORK, "built without MPI");
}

#endif
