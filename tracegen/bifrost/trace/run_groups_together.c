#include "tracegen/bifrost/trace/run_groups_together.h"

#include <stdlib.h>

#include "base/clock.h"

#define GROUPS_PER_THREAD 4 /* of a batch, so that a long work-group holds up few others */

/* A work-group of the batch that runs. */
struct group_place {
  struct bifrost_runner *runner;
  struct item_records *records;
  struct bifrost_listener listener;
  struct error error;
  int status;
};

static int open_place(const struct group_batches *b, struct group_place *place, struct error *error) {
  const uint32_t *local = b->dispatch->local;
  const struct bifrost_run_options options = {.listener = b->writer ? &place->listener : NULL,
                                              .most_clauses = b->most_clauses};
  if (b->writer && item_records_create(b->code, local[0] * local[1] * local[2], &place->records, error) != 0)
    return -1;
  if (b->writer)
    place->listener = item_records_listener(place->records);
  return bifrost_runner_create(b->shader, b->dispatch, &options, &place->runner, error);
}

static uint32_t group_at(const struct group_batches *b, uint64_t i) {
  return b->groups ? b->groups[i] : (uint32_t)i;
}

static void run_batch(const struct group_batches *b, struct group_place *places, uint64_t first, uint64_t count) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->jobs) if (b->jobs > 1)
#endif
  for (uint64_t i = 0; i < count; i++) {
    places[i].error = (struct error)ERROR_INIT;
    places[i].status = bifrost_runner_run(places[i].runner, group_at(b, first + i), &places[i].error);
  }
}

static int write_batch(const struct group_batches *b, struct group_place *places, uint64_t first, uint64_t count,
                       struct error *error) {
  for (uint64_t i = 0; i < count; i++) {
    if (places[i].status != 0) {
      if (error)
        *error = places[i].error;
      return -1;
    }
    if (b->writer && item_records_write(places[i].records, group_at(b, first + i), b->writer, error) != 0)
      return -1;
  }
  return 0;
}

static int run_batches(const struct group_batches *b, struct group_place *places, uint64_t most, struct error *error) {
  for (uint64_t first = 0; first < b->count; first += most) {
    const uint64_t left = b->count - first, count = left < most ? left : most;
    if (b->end_s > 0 && clock_seconds() > b->end_s)
      return 1;
    run_batch(b, places, first, count);
    if (write_batch(b, places, first, count, error) != 0)
      return -1;
  }
  return 0;
}

int run_groups_together(const struct group_batches *b, struct error *error) {
  const uint64_t wanted = b->jobs > 1 ? (uint64_t)b->jobs * GROUPS_PER_THREAD : 1;
  const uint64_t most = b->count < wanted ? b->count : wanted;
  struct group_place *places = calloc((size_t)most + 1, sizeof *places);
  int status = places ? 0 : error_set(error, ERROR_WORK, "out of memory for %u threads", b->jobs);
  for (uint64_t i = 0; i < most && status == 0; i++)
    status = open_place(b, &places[i], error);
  if (status == 0)
    status = run_batches(b, places, most, error);
  for (uint64_t i = 0; places && i < most; i++) {
    bifrost_runner_destroy(places[i].runner);
    item_records_destroy(places[i].records);
  }
  free(places);
  return status;
}
